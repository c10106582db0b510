import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts';
import { ApprovalsModule } from '../approvals';
import { AssetsModule } from '../assets';
import { ChecksModule } from '../checks';
import { EvidenceModule } from '../evidence';
import { FindingsModule } from '../findings';
import { OrganizationsModule } from '../organizations';
import { ObservationsModule } from '../observations';
import { RetestsModule } from '../retests';
import { CoverageSummaryService } from './coverage-summary.service';
import { EndedJobsRepository } from './data/ended-jobs.repository';
import { JobFinding } from './data/job-finding.entity';
import { JobFindingsRepository } from './data/job-findings.repository';
import { UntestedFindingsRepository } from './data/untested-findings.repository';
import { JobReferenceRow } from './data/job-reference.entity';
import { JobReferencesRepository } from './data/job-references.repository';
import { JobRow } from './data/job.entity';
import { JobsRepository } from './data/jobs.repository';
import { NotifiedJobsRepository } from './data/notified-jobs.repository';
import { EventJobs } from './event-jobs.service';
import { JobComparisonsService } from './job-comparisons.service';
import { JobSummaryService } from './job-summary.service';
import { JobAttestations } from './job-attestations.service';
import { JobAccounts } from './job-accounts';
import { JobChecks } from './job-checks';
import { JobEnds } from './job-ends';
import { JobOutcomes } from './job-outcomes';
import { JobFoundSoFar } from './job-found-so-far';
import { JobReferences } from './job-references.service';
import { JobPlans } from './job-plans';
import { JobResults } from './job-results';
import { JobRoom } from './job-room';
import { JobSightings } from './job-sightings';
import { JobsService } from './jobs.service';
import { ActiveInventoryRepository } from './data/active-inventory.repository';
import { JobAddressesRepository } from './data/job-addresses.repository';
import { ActivePage } from './data/active-page.entity';
import { ActivePoint } from './data/active-point.entity';
import { JobPoint } from './data/job-point.entity';
import { JobSubmission } from './data/job-submission.entity';
import { JobSubmissionsRepository } from './data/job-submissions.repository';
import { JobRequestsPart } from './data/job-request.entity';
import { JobRequestsRepository } from './data/job-requests.repository';
import { ActiveTestsService } from './active-tests.service';
import { JobRequestLists } from './job-request-lists';
import { ActiveTest } from './work/active-test';
import { JobContradictions } from './work/job-contradictions';
import { JobAddresses } from './work/job-addresses';
import { ActiveJobRun, JobRun } from './work/job-run';
import { AccessPart } from './work/access-part';
import { JobLanes } from './work/job-lanes';
import { JobTest } from './work/job-test';
import { PastActiveTests } from './work/past-active-tests';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      JobRow,
      JobFinding,
      JobReferenceRow,
      ActivePage,
      ActivePoint,
      JobPoint,
      JobRequestsPart,
      JobSubmission,
    ]),
    OrganizationsModule,
    ApprovalsModule,
    AssetsModule,
    AccountsModule,
    ChecksModule,
    EvidenceModule,
    FindingsModule,
    RetestsModule,
    ObservationsModule,
  ],
  providers: [
    JobsRepository,
    EndedJobsRepository,
    NotifiedJobsRepository,
    JobFindingsRepository,
    UntestedFindingsRepository,
    JobReferencesRepository,
    JobReferences,
    JobAccounts,
    JobAttestations,
    JobChecks,
    JobOutcomes,
    JobContradictions,
    JobEnds,
    JobFoundSoFar,
    JobPlans,
    JobResults,
    JobRoom,
    JobSightings,
    JobsService,
    CoverageSummaryService,
    JobSummaryService,
    JobComparisonsService,
    EventJobs,
    ActiveInventoryRepository,
    JobRequestsRepository,
    JobSubmissionsRepository,
    ActiveTestsService,
    JobRequestLists,
    JobAddresses,
    JobAddressesRepository,
    ActiveTest,
    JobLanes,
    AccessPart,
    JobTest,
    JobRun,
    ActiveJobRun,
    PastActiveTests,
  ],
  exports: [
    JobAttestations,
    ActiveTestsService,
    NotifiedJobsRepository,
    EventJobs,
    JobRun,
    JobReferences,
    JobsService,
    JobAccounts,
    JobChecks,
    CoverageSummaryService,
    JobSummaryService,
    JobComparisonsService,
  ],
})
export class JobsModule {}
