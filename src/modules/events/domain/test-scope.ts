import { type TypedAssetValue, specificity, covers, type HostAndPort } from '../../assets';
import { coversInScope, type ScopedPlace } from './scope-coverage';
import { depthOf, isSurelyAtOrBelow, mayBeAtOrBelow } from './url-paths';

/** What may be tested: a page, or a service or a zone, whose path is `/`. */
interface PathPlace extends HostAndPort {
  readonly path: string;
}

const pathOf = ({ value }: TypedAssetValue): string => new URL(value).pathname;

/** A URL that is out of scope excludes its path and what is below it; every other asset excludes all that it covers. */
const excludes = (asset: TypedAssetValue, place: PathPlace): boolean =>
  covers(asset, place) && (asset.type !== 'url' || mayBeAtOrBelow(place.path, pathOf(asset)));

/** A URL is more specific than everything else, and of two the one whose path is longer. */
const specificityWithPath = (asset: TypedAssetValue): number =>
  specificity(asset) + (asset.type === 'url' ? depthOf(pathOf(asset)) : 0);

/** Against an exclusion a URL in scope brings its path and what is below it back, and no other page of its host. */
const specificityFor = (asset: TypedAssetValue, { path }: PathPlace): number =>
  asset.type === 'url' && !isSurelyAtOrBelow(path, pathOf(asset)) ? 0 : specificityWithPath(asset);

/** What an event lets be tested: the more specific asset decides, and of two that are equally specific the excluded one. */
export class TestScope {
  constructor(
    private readonly included: readonly ScopedPlace[],
    private readonly excluded: readonly TypedAssetValue[],
  ) {}

  includes(place: PathPlace): boolean {
    return this.included.some((asset) => coversInScope(asset, place)) && this.excludedBy(place) === null;
  }

  /** What takes a place out of the scope, although something in scope may cover it. */
  excludedBy(place: PathPlace): TypedAssetValue | null {
    const covering = this.included.filter((asset) => coversInScope(asset, place));
    const most = Math.max(...covering.map((asset) => specificityFor(asset, place)));
    return this.excluded.find((asset) => excludes(asset, place) && specificityWithPath(asset) >= most) ?? null;
  }
}
