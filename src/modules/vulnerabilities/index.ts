export type { SourceName } from './data/vulnerability-source.entity';
export { type KnownVulnerability, UNKNOWN_VULNERABILITY, worstOf } from './domain/known-vulnerability';
export { VulnerabilitiesModule } from './vulnerabilities.module';
export { VulnerabilitiesService } from './vulnerabilities.service';
export { type LoadOptions, type LoadResult, VulnerabilityLoader } from './vulnerability-loader';
