import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Config } from '../config/load-config';
import { Background } from './background';
import { WorkNotifierModule } from './work-notifier.module';
import { Work } from './work';
import { WorkRegistry } from './work-registry';
import { WorkRepository } from './work.repository';

@Global()
@Module({})
export class WorkModule {
  static with(config: Config): DynamicModule {
    return {
      module: WorkModule,
      imports: [WorkNotifierModule.with(config)],
      providers: [Background, Work, WorkRegistry, WorkRepository],
      exports: [Background, Work, WorkRegistry, WorkRepository, WorkNotifierModule],
    };
  }
}
