import { covers, type HostAndPort, specificity, type TypedAssetValue } from '../../assets/domain/asset-coverage';
import { depthOf, isSurelyAtOrBelow, mayBeAtOrBelow } from '../../assets/domain/url-paths';
import { coversInScope, type ScopedAsset } from './scope-coverage';

/** The place of a test: a page, or a service or zone with the path `/`. */
interface PathPlace extends HostAndPort {
  readonly path: string;
}

const pathOf = ({ value }: TypedAssetValue): string => new URL(value).pathname;

/** A URL out of scope excludes its path and everything below it. Every other asset excludes all that it covers. */
const excludes = (asset: TypedAssetValue, place: PathPlace): boolean =>
  covers(asset, place) && (asset.type !== 'url' || mayBeAtOrBelow(place.path, pathOf(asset)));

/** URLs are the most specific; of two URLs, the one with the longer path. */
const specificityWithPath = (asset: TypedAssetValue): number =>
  specificity(asset) + (asset.type === 'url' ? depthOf(pathOf(asset)) : 0);

/** A URL in scope overrides an exclusion only for its path and below, not for other pages of its host. */
const specificityFor = (asset: TypedAssetValue, { path }: PathPlace): number =>
  asset.type === 'url' && !isSurelyAtOrBelow(path, pathOf(asset)) ? 0 : specificityWithPath(asset);

/** What may be tested in an event. The more specific asset decides; of two equally specific ones, the excluded one. */
export class TestScope {
  constructor(
    private readonly included: readonly ScopedAsset[],
    private readonly excluded: readonly TypedAssetValue[],
  ) {}

  includes(place: PathPlace): boolean {
    return this.included.some((asset) => coversInScope(asset, place)) && this.excludedBy(place) === null;
  }

  /** The asset that excludes the place, or null. It can exclude a place that an asset in scope covers. */
  excludedBy(place: PathPlace): TypedAssetValue | null {
    const covering = this.included.filter((asset) => coversInScope(asset, place));
    const highest = Math.max(...covering.map((asset) => specificityFor(asset, place)));
    return this.excluded.find((asset) => excludes(asset, place) && specificityWithPath(asset) >= highest) ?? null;
  }
}
