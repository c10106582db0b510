export type { NamedRun } from './data/schedule-runs.repository';
export type { ScheduleRun } from './data/schedule-run.entity';
export type { Schedule } from './data/schedule.entity';
export { MAX_CRON_LENGTH, MAX_EVERY_HOURS, MAX_JITTER_MINUTES } from './domain/timing';
export { TARGETS, type TargetKind, type What, WHATS } from './domain/vocabulary';
export { SchedulesController } from './http/schedules.controller';
export { ScheduleOverview, type ScheduleOverviewOf } from './schedule-overview.service';
export { type ScheduleDetails, type ScheduleDraft, SchedulesService } from './schedules.service';
export { SchedulesModule } from './schedules.module';
