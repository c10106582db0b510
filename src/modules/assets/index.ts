export { AcceptedChecksService } from './accepted-checks.service';
export { AssetsModule } from './assets.module';
export { AssetsService } from './assets.service';
export type { AcceptedCheckOfAsset } from './data/accepted-checks.repository';
export type { Asset } from './data/asset.entity';
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
export { AcceptedChecks } from './domain/accepted-checks';
export { coversHost } from './domain/domain-name';
export { depthOf, isSurelyAtOrBelow, mayBeAtOrBelow } from './domain/url-paths';
export { DomainsService } from './domains.service';
export { ShortAssetResponse, presentShortAsset } from './http/asset.responses';
export { AcceptedChecksController } from './http/accepted-checks.controller';
export { AssetsController } from './http/assets.controller';
export { DomainsController } from './http/domains.controller';
