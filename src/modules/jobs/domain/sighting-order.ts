import type { Sighting } from '../../../engine';
import { keyOf, placeKeyOf } from './active-result';
import { type LaneSighting, oncePerPlace } from './lanes';

/** Of other checks no finding is at the same place. */
export const checksOf = (sightings: readonly Sighting[]): string[] => [...new Set(sightings.map(({ check }) => check))];

/** Each place once: the proof of an experiment comes after what the standard part of a job saw there. As nobody before as others. */
export const inOrder = (sightings: readonly LaneSighting[]): LaneSighting[] => {
  const last = [...new Map(sightings.map((one) => [keyOf(one), one])).values()];
  return oncePerPlace(last, placeKeyOf).toSorted(
    (one, two) => Number(keyOf(one) > keyOf(two)) - Number(keyOf(one) < keyOf(two)),
  );
};
