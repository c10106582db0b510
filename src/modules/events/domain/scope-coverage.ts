import { type AssetPlace, covers, type Place } from '../../assets';

export interface ScopedPlace extends AssetPlace {
  /** What an event says of the names below a domain; null where it says nothing. */
  readonly wildcard: boolean | null;
}

/** Whether what an event has in its scope covers a place: a domain also covers what lies below it, unless the event says no. */
export const coversInScope = (asset: ScopedPlace, place: Place): boolean =>
  covers(asset, place) && !(asset.wildcard === false && isBelow(asset, place));

const isBelow = ({ type, value }: AssetPlace, { host }: Place): boolean => type === 'domain' && host !== value;
