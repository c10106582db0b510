import type { Sighting } from '../../../engine';
import { keyOf, placeKeyOf } from './active-result';
import { type LaneSighting, oncePerPlace } from './lanes';

/** Findings of other checks cannot be at the same places. */
export const checksOf = (sightings: readonly Sighting[]): string[] => [...new Set(sightings.map(({ check }) => check))];

/** Each place once. The proof by an experiment comes after what the standard part saw there. */
export const inOrder = (sightings: readonly LaneSighting[]): LaneSighting[] => {
  const last = [...new Map(sightings.map((one) => [keyOf(one), one])).values()];
  return oncePerPlace(last, placeKeyOf).toSorted(
    (one, two) => Number(keyOf(one) > keyOf(two)) - Number(keyOf(one) < keyOf(two)),
  );
};
