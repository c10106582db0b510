import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssetsModule } from '../assets';
import { EventsModule } from '../events';
import { FindingsModule } from '../findings';
import { JobsModule } from '../jobs';
import { ObservationsModule } from '../observations';
import { OrganizationsModule } from '../organizations';
import { ReportsModule } from '../reports';
import { RetestsModule } from '../retests';
import { EventPlan } from './data/event-plan.entity';
import { EventPlansRepository } from './data/event-plans.repository';
import { EventTarget } from './data/event-target.entity';
import { EventTargetsRepository } from './data/event-targets.repository';
import { EventEnding } from './event-ending';
import { EventRetests } from './event-retests';
import { EventOverview } from './event-overview.service';
import { EventProgressService } from './event-progress.service';
import { PlanTurn } from './plan-turn';
import { PlannedScope } from './planned-scope';
import { TargetRuns } from './target-runs';
import { ActiveEventJobRun, EventJobRun } from './work/event-job-run';
import { EventPlans } from './work/event-plans';

@Module({
  imports: [
    TypeOrmModule.forFeature([EventPlan, EventTarget]),
    OrganizationsModule,
    AssetsModule,
    FindingsModule,
    EventsModule,
    RetestsModule,
    ObservationsModule,
    JobsModule,
    ReportsModule,
  ],
  providers: [
    EventPlansRepository,
    EventTargetsRepository,
    TargetRuns,
    PlannedScope,
    PlanTurn,
    EventEnding,
    EventRetests,
    EventProgressService,
    EventOverview,
    EventPlans,
    EventJobRun,
    ActiveEventJobRun,
  ],
  exports: [EventOverview, EventProgressService],
})
export class MachineEventsModule {}
