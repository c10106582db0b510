export { FindingMovesService } from './scans/finding-moves.service';
export { AlikeFindings } from './scans/work/alike-findings';
export type { Finding, FindingWithCheck, ListedFinding, LockedFinding, StatedFields } from './data/finding.entity';
export type { FindingOutline, UnselectedFinding } from './details/data/finding-details.repository';
export type { FindingSelection, FindingsOf } from './details/data/finding-source';
export {
  FINDING_STATUS,
  FINDING_STATUS_LABELS,
  type FindingStatus,
  findingStatusVocabulary,
  wordOfStatus,
  isDismissed,
  isTestable,
  isOpen,
  needsAdmin,
  statusAfterTest,
} from './domain/finding-status';
export {
  findingOfInitialVerification,
  initialVerificationReference,
  INITIAL_VERIFICATION_KIND,
} from './domain/initial-verification';
export { factsOfCheck, nameOfCwe } from './domain/check-facts';
export { changingWord, type Standard, type TemplateOrigin, type TemplateRequest } from '../../engine';
export { fingerprintOfCheck } from './domain/fingerprint';
export {
  explainPriority,
  type PriorityExplanation,
  priorityFactsOf,
  priorityVocabulary,
  reasonsOf as reasonsOfPriority,
} from './domain/priority';
export {
  type CheckInput,
  libraryIdOf,
  MAX_LOCATION_LENGTH,
  parseCheck,
  type ParsedCheck,
  type CheckDefinition,
  type RecordedCheck,
  refusalOfCheck,
  accountOfCheckDefinition,
  testOfFinding,
  type TestOfFinding,
  describeTemplate,
  unsafeMethodsOf,
  whyNotRun,
  yamlCheck,
} from './domain/check-definition';
export {
  type FindingVerification,
  NO_CHECK,
  NOT_REQUESTED,
  verificationOfReplay,
  WAITING,
  VERIFICATION_RESULTS,
  type VerificationResult,
} from './domain/verification';
export { type Belief, BELIEFS, believedSince, beliefOf } from './domain/belief';
export { countUntestedReasons, countVerifications } from './details/data/count-verifications';
export { requireCheckId } from './domain/check-id';
export {
  type SeverityOfFinding,
  type SeverityStatement,
  severityOfFinding,
  severityOfScan,
} from './domain/severity-of-finding';
export { type FindingDetails, FindingDetailsService, type StatusTransition } from './details/finding-details.service';
export {
  type NotifiedComment,
  type NotifiedFinding,
  NotifiedFindingsRepository,
} from './details/data/notified-findings.repository';
export { FindingActorsRepository, type NamedChange } from './details/data/finding-actors.repository';
export { RetestSelection } from './details/retest-selection.service';
export { EventDaysService } from './details/event-days.service';
export { FindingOverviewService, type OverviewAt, type WeeksAt } from './details/finding-overview.service';
export {
  AGE_LIMITS,
  type FindingOverview,
  type FindingsOfDay,
  OVERVIEW_WEEKS,
  type Week,
} from './domain/finding-overview';
export type { Decision } from './domain/observation';
export type { FindingDraft, RecordingResult } from './scans/finding-recorder';
export { LibraryChecksService } from './library-checks.service';
export { FindingsModule } from './findings.module';
export { FindingsService, type StatusChange } from './findings.service';
export { type AssetTotals, NO_FINDINGS, type OpenFindings, type StoredTotals, totalsFrom } from './domain/asset-totals';
export { joinedTotals, totalsColumns } from './changes/data/asset-totals.repository';
export { riskIn } from './domain/risk-score';
export type { AcceptedCheckOfFinding, PresentedFinding } from './changes/presented-finding';
export { FindingLists, type FindingsPreview, type GroupedSlice } from './lists/finding-lists';
export type { PreviewedFinding, PreviewedList, PreviewLimits } from './lists/data/previewed-list';
export { idIn } from './lists/data/search-terms';
export { FINDING_CHANGE_KINDS, type FindingChangeFilter, type FindingFilter } from './lists/data/finding-filter';
export type { FindingOfBuiltInCheck } from './lists/data/finding-lists.repository';
export type { FindingGroup } from './lists/data/finding-groups.repository';
export type { FindingOrder } from './lists/data/finding-orders';
export { defaultSla, MAX_SLA_DAYS, type Sla, SLA_SEVERITIES } from './domain/sla';
export { labelsIn, MAX_LABEL_LENGTH, MAX_LABELS_LENGTH, normalizeLabel, normalizeLabels } from './domain/labels';
export { VEX_JUSTIFICATIONS, type VexJustification } from './domain/vex-justification';
export type { FindingEdit } from './changes/finding-editor';
export { baseMetricsOf, CVSS_VERSIONS, type CvssVersion } from './domain/cvss';
export { AcceptanceRules } from './changes/acceptance-rules.service';
export { AcceptanceRulesController } from './http/acceptance-rules.controller';
export { FindingTextsService, type WrittenTexts } from './changes/finding-texts.service';
export {
  FindingAttachmentsService,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
} from './changes/finding-attachments.service';
export type { FindingAttachment } from './data/finding-attachment.entity';
export { attachmentFile, FindingAttachmentsController } from './http/finding-attachments.controller';
export { countedSeverity, storedSeverityOf } from './domain/pins';
export { countedSeverityOf } from './data/counted-severity';
export { type ChangedPart, changedPart, type FieldChange } from './domain/field-change';
export { type FindingChange, FindingChangesService } from './changes/finding-changes.service';
export { FindingCommentsService } from './changes/finding-comments.service';
export { parseCommentId } from './http/path-comment-id';
export { isEditable, isWrittenBy } from './domain/comments';
export { mentionedIn, MentionNames, withMarksOf } from './domain/mentions';
export { FindingSightingsController } from './http/finding-sightings.controller';
export { fingerprintOfScan, placeOfScan, type ScanIdentity } from './domain/scan-identity';
export { SCAN_RESULTS, type ScanResult } from './domain/scan-result';
export {
  type ScannedDraft,
  ScannedFindingsService,
  type ScannedOutcome,
  type ScanTarget,
} from './scans/scanned-findings.service';
export { type RepeatedResult, RepeatedResultsService } from './scans/repeated-results.service';
export type { SeenBefore } from './scans/data/scanned-findings.repository';
export { type ExplainedSighting, SightingsService } from './scans/sightings.service';
export { ScannedVerificationsService } from './scans/scanned-verifications.service';
export type {
  CarriedCheck,
  Carrier,
  CarrierGroup,
  CheckToBind,
  ReplayedRequest,
} from './scans/data/proposed-checks.repository';
export { ProposedChecksService } from './scans/proposed-checks.service';
export { UndoneScansService } from './scans/undone-scans.service';
export { seenOf } from './domain/approvable';
export { requireNotMerged } from './domain/merge';
export { FindingMergesService } from './scans/finding-merges.service';
export { FindingMergesController } from './http/finding-merges.controller';
export { FindingSlaService } from './changes/finding-sla.service';
export { FindingChangesController } from './http/finding-changes.controller';
export { FindingSlaController } from './http/finding-sla.controller';
export {
  ChangeFindingRequest,
  ChangeFindingStatusRequest,
  CommentRequest,
  FindingIds,
  JUSTIFICATION_RULE,
  Label,
  Labels,
  MergeFindingsRequest,
  References,
} from './http/finding.requests';
export { Cve, EditFindingRequest, editOf, MAX_EVIDENCE, MAX_TEXT } from './http/finding-edit.requests';
export { FindingListResponse, FindingResponse, findingExample, presentFinding } from './http/finding.responses';
export { AcceptedCheckOfFindingResponse, presentAcceptedCheckOfFinding } from './http/accepted-check.responses';
export { ListFindingsQuery } from './http/finding-list.requests';
export { FindingsController } from './http/findings.controller';
export { MAX_VIEW_NAME_LENGTH, SavedViewsService } from './lists/saved-views.service';
export {
  FindingTemplatesService,
  MAX_TEMPLATE_NAME_LENGTH,
  type TemplateDraft,
} from './changes/finding-templates.service';
export type { FindingTemplate, TemplateName } from './data/finding-template.entity';
export type { SavedView } from './data/saved-view.entity';
export { type Markdown, MarkdownRenderer } from './rendering/markdown-renderer';
