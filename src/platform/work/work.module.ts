import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Config } from '../config/load-config';
import { BackgroundTasks } from './background-tasks';
import { WorkNotifierModule } from './work-notifier.module';
import { Work } from './work';
import { InstallationMetrics } from './installation-metrics';
import { WorkMetrics } from './work-metrics';
import { WorkProgress } from './work-progress';
import { WorkRegistry } from './work-registry';
import { CanceledWorkRepository } from './canceled-work.repository';
import { WorkRepository } from './work.repository';
import { UnfinishedWorkRepository } from './unfinished-work.repository';
import { SetAsideRepository } from './set-aside.repository';
import { TenantTurns } from './tenant-turns';
import { WorkTraces } from './work-traces';

@Global()
@Module({})
export class WorkModule {
  static with(config: Config): DynamicModule {
    return {
      module: WorkModule,
      imports: [WorkNotifierModule.with(config)],
      providers: [
        BackgroundTasks,
        CanceledWorkRepository,
        InstallationMetrics,
        SetAsideRepository,
        TenantTurns,
        UnfinishedWorkRepository,
        Work,
        WorkMetrics,
        WorkProgress,
        WorkRegistry,
        WorkRepository,
        WorkTraces,
      ],
      exports: [
        BackgroundTasks,
        SetAsideRepository,
        TenantTurns,
        Work,
        WorkMetrics,
        WorkProgress,
        WorkRegistry,
        WorkRepository,
        WorkTraces,
        WorkNotifierModule,
      ],
    };
  }
}
