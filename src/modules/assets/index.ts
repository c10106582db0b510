export { Acceptances, type AcceptedPlace } from './acceptances';
export { type AcceptedCheckView, AcceptedChecksService } from './accepted-checks.service';
export { type AssetDetails, AssetDetailsService, type AssetWithTotals } from './asset-details.service';
export { AssetsModule } from './assets.module';
export { AssetsService } from './assets.service';
export type { AssetOrder } from './data/asset-orders';
export type { AssetChange } from './data/assets.repository';
export { type AddedAddress, BeaconAssetsService } from './beacon-assets.service';
export type { AcceptedCheckOfAsset } from './data/accepted-checks.repository';
export type { Asset } from './data/asset.entity';
export type { Domain } from './data/domain.entity';
export { challengeNames, verificationTxtRecord } from './domain/domain-proof';
export { type AcceptanceKind } from './domain/acceptance-kinds';
export { AcceptCheckRequest } from './http/accepted-check.requests';
export {
  ActiveTestsField,
  ChangeAssetRequest,
  ConfirmFull,
  ListAssetsQuery,
  RequestsPerSecond,
} from './http/asset.requests';
export { CreateDomainRequest } from './http/domain.requests';
export {
  ACTIVE_TESTS,
  type ActiveTests,
  FULL_TESTS_SENTENCE,
  MAX_REQUESTS_PER_SECOND,
  MAX_REQUESTS_PER_SECOND_ELSEWHERE,
  type ProofFile,
  proofFileOf,
} from './domain/active-tests';
export { assetNotFound } from './domain/asset.errors';
export {
  type TypedAssetValue,
  specificity,
  mostSpecific,
  covers,
  isExactAddress,
  type HostAndPort,
  valuesCovering,
} from './domain/asset-coverage';
export { ASSET_TIERS, ASSET_TYPES, type AssetType, recognizeAsset } from './domain/asset-value';
export { canonicalHost, coversHost } from './domain/domain-name';
export { depthOf, isSurelyAtOrBelow, mayBeAtOrBelow } from './domain/url-paths';
export type { ObservedAssetRow } from './data/observed-asset.entity';
export { ObservedAssetsRepository } from './data/observed-assets.repository';
export {
  type Hosting,
  type HostingDecisions,
  type HostingState,
  isLimitedByHosting,
  PORTS_OF_SITES,
  storedHosting,
} from './domain/hosting';
export { Hostings } from './hostings';
export { ObservationPlans } from './observation-plans';
export {
  type AssetOfPlace,
  isDoubt,
  isOnHost,
  type PlaceDoubt,
  type ResultPlace,
  resultPlaceOf,
  serviceOf,
  serviceOfText,
  siteOf,
} from './domain/asset-of-place';
export { ScannedAssetsService, type ScannedAsset } from './scanned-assets.service';
export { ObservedAssets } from './observed-assets.service';
export { type ObservedAsset, type ObservedTechnology, storableTechnology } from './domain/observed-asset';
export { DomainsService } from './domains.service';
export { ShortAssetResponse, presentShortAsset } from './http/asset.responses';
export { AcceptedChecksController } from './http/accepted-checks.controller';
export {
  AcceptCheckOnManyRequest,
  AcceptedCheckOnManyQuery,
  AcceptedChecksOnManyController,
} from './http/accepted-checks-on-many.controller';
export {
  type AcceptanceOfMany,
  type AcceptedCheckOnManyView,
  AcceptedChecksOnManyService,
} from './accepted-on-many.service';
export { AssetsController } from './http/assets.controller';
export { DomainsController } from './http/domains.controller';
export { PathCheckId } from './http/path-check-id';
