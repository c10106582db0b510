export { type ExchangeSummary, type ProbeSummary, summarizeProbes } from './domain/probe-summary';
export { EvidenceModule } from './evidence.module';
export { EvidenceKeysController } from './http/evidence-keys.controller';
export { SigningKeysService } from './signing-keys.service';
