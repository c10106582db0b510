export type { Candidate, Discovery } from './data/discovery.entity';
export type { DiscoveryPlace } from './data/discoveries.repository';
export { type AddedCandidate, type AddedCandidates, DiscoveredAssetsService } from './discovered-assets.service';
export { type CandidateView, DiscoveriesService, type DiscoveryView } from './discoveries.service';
export { DiscoveryModule } from './discovery.module';
export { DEFAULT_PORTS, MAX_HOSTS, MAX_PORTS } from './domain/discovery-plan';
export { type DiscoveryStatus, discoveryStatusVocabulary, isDiscoveryOver } from './domain/discovery-status';
export { DiscoveriesController } from './http/discoveries.controller';
export { addressBounds, discoveryRequestOf, requireAddresses } from './http/discovery.requests';
