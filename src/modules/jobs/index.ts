export { type CheckSummary, checkSummaries } from './check-summary';
export { CoverageSummaryService } from './coverage-summary.service';
export type { CoverageSummary } from './domain/coverage-summary';
export type { CheckProgress, JobProgress } from './domain/job-progress';
export { isJobOver, type JobStatus, jobStatusVocabulary } from './domain/job-status';
export { type JobFindingSummary, type JobOutline, type JobSummary, JobSummaryService } from './job-summary.service';
export type { FindingChange, UndecidedCheck } from './domain/job-comparison';
export { type ComparedJobs, JobComparisonsService } from './job-comparisons.service';
export { parseLaunchUrl as requireLaunchUrl } from './domain/launch-url';
export { EventJobs } from './event-jobs.service';
export {
  ACTIVE_EVENT_JOB_KIND,
  ACTIVE_JOB_SLOTS,
  EVENT_JOB_KIND,
  kindOfEventJob,
  WINDOW_CLOSED,
} from './domain/job-kind';
export { NO_TIME } from '../../engine';
export type { JobsOfDay, JobState } from './data/jobs.repository';
export { JobRun } from './work/job-run';
export type { JobTerms } from './work/job-test';
export { ActiveTestsService, type ActiveView } from './active-tests.service';
export type { PointOfJob } from './data/active-inventory.repository';
export { PointsQuery, presentPoint, presentRequests } from './http/active-test.responses';
export { ActiveTestsController } from './http/active-tests.controller';
export { JobsController } from './http/jobs.controller';
export type { Job } from './data/job.entity';
export { JobsModule } from './jobs.module';
export { type JobAtWork, JobsService } from './jobs.service';
export { JobChecks } from './job-checks';
export { ChecksOfLaunch, Depth } from './http/job.requests';
