import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../../platform/config/load-config';
import { PlatformModule } from '../../platform/platform.module';
import { Worker } from '../../platform/work/worker';
import { FeaturesModule } from '../features.module';

/** The same modules as the API, without controllers. */
@Module({})
export class WorkerModule {
  static with(config: Config): DynamicModule {
    return {
      module: WorkerModule,
      imports: [PlatformModule.with(config), FeaturesModule],
      providers: [Worker],
      exports: [Worker],
    };
  }
}
