import { checkById } from '../../../engine/checks';
import type { Sighting } from '../../../engine';
import { locationAdoptedBy } from '../../../engine/spots';
import { placeKeyOf } from './active-result';
import type { KnownPlace } from './one-place';

type Known = Pick<KnownPlace, 'checkId' | 'builtInCheck' | 'location' | 'baseline'> & { readonly assetValue: string };

/**
 * The locations of known findings, in their order: those of earlier versions move to the parameter that they are about when a
 * job sees it, if no other finding of their asset is there. Of each, thousands are possible.
 */
export function adoptedLocations(
  known: readonly Known[],
  sightings: readonly Pick<Sighting, 'check' | 'location' | 'template'>[],
): string[] {
  const seen = new Set(sightings.filter(({ template }) => template === null).map(placeKeyOf));
  const onAsset = ({ assetValue, checkId: check }: Known, location: string): string =>
    `${assetValue} ${placeKeyOf({ check, location })}`;
  const taken = new Map<string, number>();
  const count = (key: string, change: number): void => void taken.set(key, (taken.get(key) ?? 0) + change);
  for (const one of known) count(onAsset(one, one.location), 1);
  return known.map((one) => {
    const check = one.builtInCheck === null ? null : checkById(one.builtInCheck);
    const isFree = (location: string): boolean =>
      seen.has(placeKeyOf({ check: one.checkId, location })) && (taken.get(onAsset(one, location)) ?? 0) === 0;
    const location = check && locationAdoptedBy(check, one, { has: isFree });
    if (location === null) return one.location;
    count(onAsset(one, one.location), -1);
    count(onAsset(one, location), 1);
    return location;
  });
}
