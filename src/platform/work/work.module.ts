import { Global, Module } from '@nestjs/common';
import { Background } from './background';
import { Doorbell } from './doorbell';
import { PostgresDoorbell } from './postgres-doorbell';
import { Work } from './work';
import { WorkRegistry } from './work-registry';
import { WorkRepository } from './work.repository';

@Global()
@Module({
  providers: [Background, Work, WorkRegistry, WorkRepository, { provide: Doorbell, useClass: PostgresDoorbell }],
  exports: [Background, Work, WorkRegistry, WorkRepository, Doorbell],
})
export class WorkModule {}
