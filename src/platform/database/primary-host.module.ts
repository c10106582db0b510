import { Module } from '@nestjs/common';
import { Config } from '../config/load-config';
import { PrimaryHost } from './primary-host';

@Module({
  providers: [{ provide: PrimaryHost, inject: [Config], useFactory: (config: Config) => PrimaryHost.find(config) }],
  exports: [PrimaryHost],
})
export class PrimaryHostModule {}
