import { type TypedAssetValue, covers, type HostAndPort } from '../../assets';

export interface ScopedPlace extends TypedAssetValue {
  /** What an event says of the names below a domain; null where it says nothing. */
  readonly wildcard: boolean | null;
}

/** Whether what an event has in its scope covers a place: a domain also covers what lies below it, unless the event says no. */
export const coversInScope = (asset: ScopedPlace, place: HostAndPort): boolean =>
  covers(asset, place) && !(asset.wildcard === false && isBelow(asset, place));

const isBelow = ({ type, value }: TypedAssetValue, { host }: HostAndPort): boolean =>
  type === 'domain' && host !== value;
