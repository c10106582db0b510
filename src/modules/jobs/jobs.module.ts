import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssetsModule } from '../assets';
import { ChecksModule } from '../checks';
import { FindingsModule } from '../findings';
import { OrganizationsModule } from '../organizations';
import { ObservationsModule } from '../observations';
import { RetestsModule } from '../retests';
import { CoverageSummaryService } from './coverage-summary.service';
import { JobFinding } from './data/job-finding.entity';
import { JobFindingsRepository } from './data/job-findings.repository';
import { JobRow } from './data/job.entity';
import { JobsRepository } from './data/jobs.repository';
import { EventJobs } from './event-jobs.service';
import { JobComparisonsService } from './job-comparisons.service';
import { JobSummaryService } from './job-summary.service';
import { JobChecks } from './job-checks';
import { JobEnds } from './job-ends';
import { JobOutcomes } from './job-outcomes';
import { JobResults } from './job-results';
import { JobsService } from './jobs.service';
import { JobRun } from './work/job-run';

@Module({
  imports: [
    TypeOrmModule.forFeature([JobRow, JobFinding]),
    OrganizationsModule,
    AssetsModule,
    ChecksModule,
    FindingsModule,
    RetestsModule,
    ObservationsModule,
  ],
  providers: [
    JobsRepository,
    JobFindingsRepository,
    JobChecks,
    JobOutcomes,
    JobEnds,
    JobResults,
    JobsService,
    CoverageSummaryService,
    JobSummaryService,
    JobComparisonsService,
    EventJobs,
    JobRun,
  ],
  exports: [
    EventJobs,
    JobRun,
    JobsService,
    JobChecks,
    CoverageSummaryService,
    JobSummaryService,
    JobComparisonsService,
  ],
})
export class JobsModule {}
