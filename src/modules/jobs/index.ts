export { type CheckSummary, checkSummaries } from './check-summary';
export { CoverageSummaryService } from './coverage-summary.service';
export type { CoverageSummary } from './domain/coverage-summary';
export { jobStatusVocabulary } from './domain/job-status';
export { type JobFindingSummary, type JobSummary, JobSummaryService } from './job-summary.service';
export { JobsController } from './http/jobs.controller';
export type { Job } from './data/job.entity';
export { JobsModule } from './jobs.module';
export { JobsService } from './jobs.service';
