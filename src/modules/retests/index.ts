export { inBothSessions } from './both-sessions';
export { BaselinesService, type BaselineView } from './baselines.service';
export { FindingBaselinesRepository } from './data/finding-baselines.repository';
export { ScanEvidenceRepository } from './data/scan-evidence.repository';
export type { StartedRetest } from './data/retests.repository';
export { isRetestOver, RESULTS_BY_HAND, retestResultVocabulary, retestStatusVocabulary } from './domain/retest-status';
export type { ProbeProgress, RequestLine, RetestProgress } from './domain/retest-progress';
export { type ShownAccess, shownExperiment } from './domain/shown-experiment';
export { nextStepOf, type UndecidedTest } from './domain/next-step';
export { AccountSessions } from './account-sessions';
export type { SessionRequest } from './session-request';
export { bothPinned } from './both-pinned';
export { AccountSignIns } from './account-sign-ins.service';
export { MAX_HAR_BYTES } from './domain/har-limits';
export { AccountSignInsController } from './http/account-sign-ins.controller';
export { AddressProof, UnprovenAddressError } from './address-proof';
export { isAllowedTarget } from './domain/allowed-target';
export { type BeaconName, BeaconNames } from './beacon-names';
export { BeaconLostError, BeaconTests, BeaconWaits, type TestRun, throughBeacon } from './beacon-tests';
export {
  type ContradictingFinding,
  type Contradiction,
  type ContradictionSource,
  ContradictionRetests,
  CONTRADICTIONS,
} from './contradiction-retests.service';
export { EngineRuntime } from './engine-runtime';
export { type BulkAction, type BulkResult, FindingBulkService } from './finding-bulk.service';
export { type FindingSelection, FindingSelectionsService, isSelectionUndoable } from './finding-selections.service';
export { ConfirmBaselineRequest, ConfirmRefusalRequest } from './http/baseline.requests';
export { BaselinesController } from './http/baselines.controller';
export { FindingBulkController } from './http/finding-bulk.controller';
export { FindingSelectionsController } from './http/finding-selections.controller';
export { GiveVerdictRequest } from './http/retest.requests';
export { presentEvidence, type RetestEvidenceResponse } from './http/retest.responses';
export { RefusalSettingController } from './http/refusal-setting.controller';
export { RefusalSetting } from './refusal-setting.service';
export { ChangeSecondLookRequest, SecondLooksController } from './http/second-looks.controller';
export type { ShownConfirmation } from './domain/shown-confirmation';
export type { ShownExperiment } from './domain/shown-experiment';
export type { SecondLook } from './domain/second-look';
export { MAX_SECOND_LOOK_HOURS, SecondLooks } from './second-looks.service';
export { RetestsController } from './http/retests.controller';
export { checkRefusal, experimentsRefusal, HostedElsewhereError, hostingLimit } from './domain/hosting-limit';
export { isAllowedAt, type Launchable, type LaunchRefusal, type LaunchRequest } from './launch';
export { LaunchRule } from './launch-rule';
export { resolvedHost, type ResolvedHost } from './resolved-host';
export { RetestPermission } from './retest-permission';
export { type RetestSummary, RetestSummaryService } from './retest-summary.service';
export { RetestsModule } from './retests.module';
export { type RetestAtWork, RetestsService } from './retests.service';
export { TestedPages } from './tested-pages';
export { VerdictMetrics } from './verdict-metrics';
