import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts';
import { ApprovalsModule } from '../approvals';
import { AssetsModule } from '../assets';
import { BeaconsModule } from '../beacons';
import { CallbacksModule } from '../callbacks';
import { EventsModule } from '../events';
import { EvidenceModule } from '../evidence';
import { FindingsModule } from '../findings';
import { IdentityModule } from '../identity';
import { OrganizationsModule } from '../organizations';
import { CoveringAssetsRepository } from './data/covering-assets.repository';
import { FindingBaseline } from './data/finding-baseline.entity';
import { FindingBaselinesRepository } from './data/finding-baselines.repository';
import { FindingSelectionRow } from './data/finding-selection.entity';
import { FindingSelectionsRepository } from './data/finding-selections.repository';
import { ScanEvidence } from './data/scan-evidence.entity';
import { ScanEvidenceRepository } from './data/scan-evidence.repository';
import { RetestRow } from './data/retest.entity';
import { RetestsRepository } from './data/retests.repository';
import { AccountSessions } from './account-sessions';
import { AccountSignIns } from './account-sign-ins.service';
import { AddressProof } from './address-proof';
import { BaselinesService } from './baselines.service';
import { BeaconNames } from './beacon-names';
import { BeaconTests, BeaconWaits } from './beacon-tests';
import { ExchangeTraces } from './exchange-traces';
import { ContradictionRetests } from './contradiction-retests.service';
import { EngineRuntime } from './engine-runtime';
import { FindingBulkService } from './finding-bulk.service';
import { FindingSelectionsService } from './finding-selections.service';
import { LaunchRule } from './launch-rule';
import { RefusalSetting } from './refusal-setting.service';
import { RetestEnding } from './retest-ending';
import { RetestPermission } from './retest-permission';
import { RetestSummaryService } from './retest-summary.service';
import { SecondLooks } from './second-looks.service';
import { RetestApprovals } from './retest-approvals';
import { RetestAttestations } from './retest-attestations.service';
import { RetestsService } from './retests.service';
import { TestedPages } from './tested-pages';
import { VerdictMetrics } from './verdict-metrics';
import { TargetPacesRepository } from './data/target-paces.repository';
import { AccountSignInRun } from './work/account-sign-in-run';
import { InitialVerification } from './work/initial-verification';
import { PastPaces } from './work/past-paces';
import { RetestTest } from './work/retest-test';
import { SecondLookRun } from './work/second-look-run';
import { SelectionRun } from './work/selection-run';
import { RetestRun } from './work/retest-run';

@Module({
  imports: [
    TypeOrmModule.forFeature([RetestRow, FindingBaseline, FindingSelectionRow, ScanEvidence]),
    ApprovalsModule,
    OrganizationsModule,
    IdentityModule,
    BeaconsModule,
    CallbacksModule,
    AssetsModule,
    AccountsModule,
    EventsModule,
    FindingsModule,
    EvidenceModule,
  ],
  providers: [
    RetestsRepository,
    FindingBaselinesRepository,
    FindingSelectionsRepository,
    ScanEvidenceRepository,
    CoveringAssetsRepository,
    EngineRuntime,
    BeaconNames,
    BeaconWaits,
    BeaconTests,
    ExchangeTraces,
    LaunchRule,
    AddressProof,
    AccountSessions,
    AccountSignIns,
    AccountSignInRun,
    RetestPermission,
    RetestEnding,
    BaselinesService,
    RetestsService,
    RetestAttestations,
    ContradictionRetests,
    FindingBulkService,
    FindingSelectionsService,
    SelectionRun,
    RetestSummaryService,
    VerdictMetrics,
    SecondLooks,
    RefusalSetting,
    RetestApprovals,
    RetestTest,
    TestedPages,
    RetestRun,
    PastPaces,
    SecondLookRun,
    TargetPacesRepository,
    InitialVerification,
  ],
  exports: [
    BaselinesService,
    RetestsService,
    RetestAttestations,
    ContradictionRetests,
    SecondLooks,
    RefusalSetting,
    FindingBulkService,
    FindingSelectionsService,
    RetestSummaryService,
    LaunchRule,
    AddressProof,
    AccountSessions,
    AccountSignIns,
    RetestPermission,
    BeaconNames,
    BeaconTests,
    EngineRuntime,
    FindingBaselinesRepository,
    ScanEvidenceRepository,
    VerdictMetrics,
    TestedPages,
  ],
})
export class RetestsModule {}
