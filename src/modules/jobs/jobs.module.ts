import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssetsModule } from '../assets';
import { EventsModule } from '../events';
import { FindingsModule } from '../findings';
import { OrganizationsModule } from '../organizations';
import { CoveringAssetsRepository } from './data/covering-assets.repository';
import { FindingBaseline } from './data/finding-baseline.entity';
import { FindingBaselinesRepository } from './data/finding-baselines.repository';
import { JobFinding } from './data/job-finding.entity';
import { JobFindingsRepository } from './data/job-findings.repository';
import { JobRow } from './data/job.entity';
import { JobsRepository } from './data/jobs.repository';
import { RetestRow } from './data/retest.entity';
import { RetestsRepository } from './data/retests.repository';
import { SigningKeyRow } from './data/signing-key.entity';
import { SigningKeysRepository } from './data/signing-keys.repository';
import { TestAccountsRepository } from './data/test-accounts.repository';
import { EngineRuntime } from './engine-runtime';
import { JobResults } from './job-results';
import { JobsService } from './jobs.service';
import { LaunchRule } from './launch-rule';
import { RetestEnding } from './retest-ending';
import { RetestPermission } from './retest-permission';
import { RetestsService } from './retests.service';
import { SigningKeysService } from './signing-keys.service';
import { TestAccountsService } from './test-accounts.service';
import { JobRun } from './work/job-run';
import { RetestBaseline } from './work/retest-baseline';
import { RetestRun } from './work/retest-run';

@Module({
  imports: [
    TypeOrmModule.forFeature([JobRow, JobFinding, RetestRow, FindingBaseline, SigningKeyRow]),
    OrganizationsModule,
    AssetsModule,
    EventsModule,
    FindingsModule,
  ],
  providers: [
    RetestsRepository,
    FindingBaselinesRepository,
    SigningKeysRepository,
    SigningKeysService,
    RetestPermission,
    RetestEnding,
    RetestsService,
    RetestRun,
    RetestBaseline,
    JobsRepository,
    JobFindingsRepository,
    JobResults,
    JobsService,
    JobRun,
    EngineRuntime,
    LaunchRule,
    CoveringAssetsRepository,
    TestAccountsRepository,
    TestAccountsService,
  ],
  exports: [JobsService, RetestsService, SigningKeysService, LaunchRule, TestAccountsService],
})
export class JobsModule {}
