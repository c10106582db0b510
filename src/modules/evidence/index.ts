export { type ExchangeSummary, type ProbeSummary, summarizeExchange, summarizeProbes } from './domain/probe-summary';
export { canonicalJson, keyIdOf } from './domain/signed-bytes';
export type { EvidenceKey } from './data/signing-key.entity';
export { EvidenceModule } from './evidence.module';
export { type EvidenceKeyListResponse, presentEvidenceKey } from './http/evidence-key.responses';
export { envelopeAttachment, ImageDigest, statedByCaller } from './http/envelope';
export { EvidenceKeysController } from './http/evidence-keys.controller';
export { SigningKeysService } from './signing-keys.service';
