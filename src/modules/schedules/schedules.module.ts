import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts';
import { AssetsModule } from '../assets';
import { EventsModule } from '../events';
import { FindingsModule } from '../findings';
import { IdentityModule } from '../identity';
import { JobsModule } from '../jobs';
import { ObservationsModule } from '../observations';
import { OrganizationsModule } from '../organizations';
import { ReportsModule } from '../reports';
import { RetestsModule } from '../retests';
import { Confirmations } from './confirmations';
import { RunPart } from './data/run-part.entity';
import { RunPartsRepository } from './data/run-parts.repository';
import { ScheduleRunRow } from './data/schedule-run.entity';
import { ScheduleRunsRepository } from './data/schedule-runs.repository';
import { Schedule } from './data/schedule.entity';
import { SchedulesRepository } from './data/schedules.repository';
import { Makers } from './makers';
import { PartLauncher } from './part-launcher';
import { PartSelection } from './part-selection';
import { RunPlan } from './run-plan';
import { RunProgress } from './run-progress';
import { RunStart } from './run-start';
import { ScheduleOverview } from './schedule-overview.service';
import { ScheduleTargets } from './schedule-targets';
import { SchedulesService } from './schedules.service';
import { DueSchedules } from './work/due-schedules';
import { ScheduleRunWork } from './work/schedule-run';

@Module({
  imports: [
    TypeOrmModule.forFeature([Schedule, ScheduleRunRow, RunPart]),
    OrganizationsModule,
    IdentityModule,
    FindingsModule,
    AssetsModule,
    AccountsModule,
    EventsModule,
    RetestsModule,
    ObservationsModule,
    JobsModule,
    ReportsModule,
  ],
  providers: [
    SchedulesRepository,
    ScheduleRunsRepository,
    RunPartsRepository,
    Makers,
    PartSelection,
    PartLauncher,
    Confirmations,
    RunStart,
    RunPlan,
    RunProgress,
    SchedulesService,
    ScheduleTargets,
    ScheduleOverview,
    DueSchedules,
    ScheduleRunWork,
  ],
  exports: [SchedulesService, ScheduleOverview],
})
export class SchedulesModule {}
