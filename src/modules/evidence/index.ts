export { type ExchangeSummary, type ProbeSummary, summarizeExchange, summarizeProbes } from './domain/probe-summary';
export { EvidenceModule } from './evidence.module';
export { type EvidenceKeyListResponse, presentEvidenceKey } from './http/evidence-key.responses';
export { EvidenceKeysController } from './http/evidence-keys.controller';
export { SigningKeysService } from './signing-keys.service';
