import { CreateSchema1763769600000 } from './1763769600000-create-schema';
import { BindKeysToMemberships1795400000000 } from './1795400000000-bind-keys-to-memberships';
import { AddAddressProofs1795400000001 } from './1795400000001-add-address-proofs';
import { LimitStoredRows1795400100000 } from './1795400100000-limit-stored-rows';
import { CountStoredRows1795400200000 } from './1795400200000-count-stored-rows';
import { AddRemovedRowsOfImports1795400300000 } from './1795400300000-add-removed-rows-of-imports';
import { AddReplacedPasswordResets1795400400000 } from './1795400400000-add-replaced-password-resets';
import { AddSeverityOfImportRows1795500000000 } from './1795500000000-add-severity-of-import-rows';
import { AddIgnoredColumnsOfImports1795500100000 } from './1795500100000-add-ignored-columns-of-imports';
import { AddOtherCvesOfFindings1795500200000 } from './1795500200000-add-other-cves-of-findings';
import { AddBeaconOfImports1795500300000 } from './1795500300000-add-beacon-of-imports';
import { AddAcceptedIncompleteness1795510000000 } from './1795510000000-add-accepted-incompleteness';
import { AddNewSiteOfRetests1795600000000 } from './1795600000000-add-new-site-of-retests';
import { AddSecondLooks1795630000000 } from './1795630000000-add-second-looks';
import { AddObservedTechnologies1795700000000 } from './1795700000000-add-observed-technologies';
import { AddEventPictures1795700100000 } from './1795700100000-add-event-pictures';
import { AddLabelsOfAssets1795700200000 } from './1795700200000-add-labels-of-assets';
import { IndexLabelsOfAssets1795700300000 } from './1795700300000-index-labels-of-assets';
import { AddObservations1795710000000 } from './1795710000000-add-observations';
import { IndexDueObservations1795710100000 } from './1795710100000-index-due-observations';
import { AddTargetPaces1795720000000 } from './1795720000000-add-target-paces';
import { AddBlockSearches1795730000000 } from './1795730000000-add-block-searches';
import { AddHostingOfJobs1795740000000 } from './1795740000000-add-hosting-of-jobs';
import { AddMachineEvents1795750000000 } from './1795750000000-add-machine-events';
import { IndexAutomaticEvents1795750100000 } from './1795750100000-index-automatic-events';
import { AddSchedules1795760000000 } from './1795760000000-add-schedules';
import { AddFeed1795780000000 } from './1795780000000-add-feed';
import { WriteFeed1795780100000 } from './1795780100000-write-feed';
import { ShareConnections1795795000000 } from './1795795000000-share-connections';
import { AddRecordsOfNames1795800000000 } from './1795800000000-add-records-of-names';
import { ContinueTestsInWindows1795801000000 } from './1795801000000-continue-tests-in-windows';
import { AddWebhooks1795803000000 } from './1795803000000-add-webhooks';
import { AddMailToPeople1795804000000 } from './1795804000000-add-mail-to-people';
import { PreferMail1795804050000 } from './1795804050000-prefer-mail';
import { AddChannels1795804100000 } from './1795804100000-add-channels';
import { AddFindingWords1795810000000 } from './1795810000000-add-finding-words';
import { WriteFindingWords1795810100000 } from './1795810100000-write-finding-words';
import { AddEditsOfFindings1795820000000 } from './1795820000000-add-edits-of-findings';
import { AddFindingPreferences1795830000000 } from './1795830000000-add-finding-preferences';
import { IndexExpiringCertificates1795830100000 } from './1795830100000-index-expiring-certificates';
import { AddScanEvidence1795840000000 } from './1795840000000-add-scan-evidence';
import { KeepFilesOfDryRuns1795850000000 } from './1795850000000-keep-files-of-dry-runs';
import { IndexKeptFiles1795850100000 } from './1795850100000-index-kept-files';
import { AddCommentHtml1795850200000 } from './1795850200000-add-comment-html';
import { KeepContentsOfReports1795860000000 } from './1795860000000-keep-contents-of-reports';
import { AddFindingTemplates1795870000000 } from './1795870000000-add-finding-templates';
import { AddActiveTests1795880000000 } from './1795880000000-add-active-tests';
import { AddPasskeys1795890000000 } from './1795890000000-add-passkeys';
import { AddSignInRules1795891000000 } from './1795891000000-add-sign-in-rules';
import { AddIdentityProviders1795895000000 } from './1795895000000-add-identity-providers';
import { IndexKeysOfIdentities1795895100000 } from './1795895100000-index-keys-of-identities';
import { AddWrittenPositions1795900000000 } from './1795900000000-add-written-positions';
import { AddProvisionedMembers1796000000000 } from './1796000000000-add-provisioned-members';
import { LimitActiveTests1796200000000 } from './1796200000000-limit-active-tests';
import { BoundAuditLogs1796300000000 } from './1796300000000-bound-audit-logs';
import { PartitionAuditLogs1796300100000 } from './1796300100000-partition-audit-logs';
import { AddHistoryRetentions1796300200000 } from './1796300200000-add-history-retentions';
import { KeepTemporaryTablesOut1796400000000 } from './1796400000000-keep-temporary-tables-out';
import { KeepHistoryRetentions1796400100000 } from './1796400100000-keep-history-retentions';
import { IndexKeptActiveTests1796400200000 } from './1796400200000-index-kept-active-tests';
import { TellHowIdentitiesWereMade1796520000000 } from './1796520000000-tell-how-identities-were-made';
import { AskAboutPlaces1796530000000 } from './1796530000000-ask-about-places';
import { IndexWaitingImports1796530100000 } from './1796530100000-index-waiting-imports';
import { AddTimesOfObservations1796540000000 } from './1796540000000-add-times-of-observations';
import { AllowBlockedRetests1796560000000 } from './1796560000000-allow-blocked-retests';
import { IndexUndecidedRetests1796560000100 } from './1796560000100-index-undecided-retests';
import { AddSetAsideTasks1796570000000 } from './1796570000000-add-set-aside-tasks';
import { MarkContradictingRows1796600000000 } from './1796600000000-mark-contradicting-rows';
import { CountContradictingRows1796600100000 } from './1796600100000-count-contradicting-rows';
import { MarkContradictingSightings1796600200000 } from './1796600200000-mark-contradicting-sightings';
import { AddProofFiles1796610000000 } from './1796610000000-add-proof-files';
import { ListLeftOutPages1796620000000 } from './1796620000000-list-left-out-pages';
import { AddDecidedOfHistory1796640000000 } from './1796640000000-add-decided-of-history';
import { AddHostsOfPlaces1796680000000 } from './1796680000000-add-hosts-of-places';
import { AddBelief1796690000000 } from './1796690000000-add-belief';
import { IndexBelief1796690000100 } from './1796690000100-index-belief';
import { AddAssetOwners1796720000000 } from './1796720000000-add-asset-owners';
import { IndexAssetOwners1796720000100 } from './1796720000100-index-asset-owners';
import { RetitleFindings1796730000000 } from './1796730000000-retitle-findings';
import { AddAssetsLeftOut1796800000000 } from './1796800000000-add-assets-left-out';
import { EstimateLabels1796800000100 } from './1796800000100-estimate-labels';
import { AddFindingSelections1796800000200 } from './1796800000200-add-finding-selections';
import { ReleaseOwnedRecords1796800001000 } from './1796800001000-release-owned-records';
import { AppendByIds1796800002000 } from './1796800002000-append-by-ids';
import { AddFindingAttachments1796800010000 } from './1796800010000-add-finding-attachments';
import { AddInbox1796800011000 } from './1796800011000-add-inbox';
import { IndexInbox1796800011100 } from './1796800011100-index-inbox';
import { AddTemplateDigests1796800013000 } from './1796800013000-add-template-digests';
import { AddTitleKeys1796800020000 } from './1796800020000-add-title-keys';
import { IndexTitleKeys1796800020100 } from './1796800020100-index-title-keys';
import { AddCodeAttempts1796800021000 } from './1796800021000-add-code-attempts';
import { SuspendOrganizations1796800022000 } from './1796800022000-suspend-organizations';
import { AddUndoersOfImports1796800024000 } from './1796800024000-add-undoers-of-imports';
import { AddAssetAccounts1796900000000 } from './1796900000000-add-asset-accounts';
import { AddLanes1796900001000 } from './1796900001000-add-lanes';
import { AddWorkQueues1796900300000 } from './1796900300000-add-work-queues';
import { IndexWorkQueues1796900300100 } from './1796900300100-index-work-queues';
import { AddClaimTokens1796900301000 } from './1796900301000-add-claim-tokens';
import { AddProvedRisk1796900400000 } from './1796900400000-add-proved-risk';
import { AddAccountRelations1797000000000 } from './1797000000000-add-account-relations';
import { AddPlannedAccounts1797000100000 } from './1797000100000-add-planned-accounts';
import { ValidateMailKinds1797000100100 } from './1797000100100-validate-mail-kinds';
import { AddJobReferences1797000200000 } from './1797000200000-add-job-references';
import { KeepDaysOfEvents1797000300000 } from './1797000300000-keep-days-of-events';
import { NoteAccessChanges1797000301000 } from './1797000301000-note-access-changes';
import { CleanFeedOutbox1797000302000 } from './1797000302000-clean-feed-outbox';
import { MergeMoreTokensAtOnce1797000303000 } from './1797000303000-merge-more-tokens-at-once';
import { AddTrackers1797000400000 } from './1797000400000-add-trackers';
import { AddJustificationOfHistory1797000600000 } from './1797000600000-add-justification-of-history';
import { AddOneTimeTokensOfBeacons1798200000000 } from './1798200000000-add-one-time-tokens-of-beacons';
import { AddWaitedTimeOfJobs1798300000000 } from './1798300000000-add-waited-time-of-jobs';
import { AddUnprovedAccountOfRetests1798300001000 } from './1798300001000-add-unproved-account-of-retests';
import { AddRecordedSignIns1798300002000 } from './1798300002000-add-recorded-sign-ins';
import { AddJobSubmissions1798400000000 } from './1798400000000-add-job-submissions';
import { AddCallbacks1798500000000 } from './1798500000000-add-callbacks';
import { AddAgentWrites1798600000000 } from './1798600000000-add-agent-writes';
import { AddAcceptedChecksOnMany1798700000000 } from './1798700000000-add-accepted-checks-on-many';
import { AddApprovals1798800000000 } from './1798800000000-add-approvals';
import { MakeTokensWithoutAQuery1798840000000 } from './1798840000000-make-tokens-without-a-query';
import { AddAuditHeads1798850000000 } from './1798850000000-add-audit-heads';

/** Every migration, oldest first. A list and not a folder search, so that what runs is what was compiled and reviewed. */

export const migrations = [
  CreateSchema1763769600000,
  BindKeysToMemberships1795400000000,
  AddAddressProofs1795400000001,
  LimitStoredRows1795400100000,
  CountStoredRows1795400200000,
  AddRemovedRowsOfImports1795400300000,
  AddReplacedPasswordResets1795400400000,
  AddSeverityOfImportRows1795500000000,
  AddIgnoredColumnsOfImports1795500100000,
  AddOtherCvesOfFindings1795500200000,
  AddBeaconOfImports1795500300000,
  AddAcceptedIncompleteness1795510000000,
  AddNewSiteOfRetests1795600000000,
  AddSecondLooks1795630000000,
  AddObservedTechnologies1795700000000,
  AddEventPictures1795700100000,
  AddLabelsOfAssets1795700200000,
  IndexLabelsOfAssets1795700300000,
  AddObservations1795710000000,
  IndexDueObservations1795710100000,
  AddTargetPaces1795720000000,
  AddBlockSearches1795730000000,
  AddHostingOfJobs1795740000000,
  AddMachineEvents1795750000000,
  IndexAutomaticEvents1795750100000,
  AddSchedules1795760000000,
  AddFeed1795780000000,
  WriteFeed1795780100000,
  ShareConnections1795795000000,
  AddRecordsOfNames1795800000000,
  ContinueTestsInWindows1795801000000,
  AddWebhooks1795803000000,
  AddMailToPeople1795804000000,
  PreferMail1795804050000,
  AddChannels1795804100000,
  AddFindingWords1795810000000,
  WriteFindingWords1795810100000,
  AddEditsOfFindings1795820000000,
  AddFindingPreferences1795830000000,
  IndexExpiringCertificates1795830100000,
  AddScanEvidence1795840000000,
  KeepFilesOfDryRuns1795850000000,
  IndexKeptFiles1795850100000,
  AddCommentHtml1795850200000,
  KeepContentsOfReports1795860000000,
  AddFindingTemplates1795870000000,
  AddActiveTests1795880000000,
  AddPasskeys1795890000000,
  AddSignInRules1795891000000,
  AddIdentityProviders1795895000000,
  IndexKeysOfIdentities1795895100000,
  AddWrittenPositions1795900000000,
  AddProvisionedMembers1796000000000,
  LimitActiveTests1796200000000,
  BoundAuditLogs1796300000000,
  PartitionAuditLogs1796300100000,
  AddHistoryRetentions1796300200000,
  KeepTemporaryTablesOut1796400000000,
  KeepHistoryRetentions1796400100000,
  IndexKeptActiveTests1796400200000,
  TellHowIdentitiesWereMade1796520000000,
  AskAboutPlaces1796530000000,
  IndexWaitingImports1796530100000,
  AddTimesOfObservations1796540000000,
  AllowBlockedRetests1796560000000,
  IndexUndecidedRetests1796560000100,
  AddSetAsideTasks1796570000000,
  MarkContradictingRows1796600000000,
  CountContradictingRows1796600100000,
  MarkContradictingSightings1796600200000,
  AddProofFiles1796610000000,
  ListLeftOutPages1796620000000,
  AddDecidedOfHistory1796640000000,
  AddHostsOfPlaces1796680000000,
  AddBelief1796690000000,
  IndexBelief1796690000100,
  AddAssetOwners1796720000000,
  IndexAssetOwners1796720000100,
  RetitleFindings1796730000000,
  AddAssetsLeftOut1796800000000,
  EstimateLabels1796800000100,
  AddFindingSelections1796800000200,
  ReleaseOwnedRecords1796800001000,
  AppendByIds1796800002000,
  AddFindingAttachments1796800010000,
  AddInbox1796800011000,
  IndexInbox1796800011100,
  AddTemplateDigests1796800013000,
  AddTitleKeys1796800020000,
  IndexTitleKeys1796800020100,
  AddCodeAttempts1796800021000,
  SuspendOrganizations1796800022000,
  AddUndoersOfImports1796800024000,
  AddAssetAccounts1796900000000,
  AddLanes1796900001000,
  AddWorkQueues1796900300000,
  IndexWorkQueues1796900300100,
  AddClaimTokens1796900301000,
  AddProvedRisk1796900400000,
  AddAccountRelations1797000000000,
  AddPlannedAccounts1797000100000,
  ValidateMailKinds1797000100100,
  AddJobReferences1797000200000,
  KeepDaysOfEvents1797000300000,
  NoteAccessChanges1797000301000,
  CleanFeedOutbox1797000302000,
  MergeMoreTokensAtOnce1797000303000,
  AddTrackers1797000400000,
  AddJustificationOfHistory1797000600000,
  AddOneTimeTokensOfBeacons1798200000000,
  AddWaitedTimeOfJobs1798300000000,
  AddUnprovedAccountOfRetests1798300001000,
  AddRecordedSignIns1798300002000,
  AddJobSubmissions1798400000000,
  AddCallbacks1798500000000,
  AddAgentWrites1798600000000,
  AddAcceptedChecksOnMany1798700000000,
  AddApprovals1798800000000,
  MakeTokensWithoutAQuery1798840000000,
  AddAuditHeads1798850000000,
];
