export { CoverageSummaryService } from './coverage-summary.service';
export type { CoverageSummary } from './domain/coverage-summary';
export { jobStatusVocabulary } from './domain/job-status';
export { JobsController } from './http/jobs.controller';
export { JobsModule } from './jobs.module';
export { JobsService } from './jobs.service';
