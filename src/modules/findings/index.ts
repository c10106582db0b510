export type { Finding, LockedFinding } from './data/finding.entity';
export { type FindingStatus, findingStatusVocabulary, mayBeTested, statusAfterTest } from './domain/finding-status';
export { priorityVocabulary } from './domain/priority';
export {
  type Recipe,
  type RecordedCheck,
  recipeOfCheck,
  recipeOfHttp,
  testOfFinding,
  type TestOfFinding,
} from './domain/recipe';
export { type SeverityOfFinding, type SeverityStatement, severityOfFinding } from './domain/severity-of-finding';
export type { FindingDraft, Recorded } from './finding-recorder';
export { FindingsModule } from './findings.module';
export { type AssetTotals, FindingsService } from './findings.service';
export { FindingListResponse, FindingResponse, findingExample, presentFinding } from './http/finding.responses';
export { FindingsController } from './http/findings.controller';
