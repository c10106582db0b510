import type { TechnologySeen } from '../../../engine';
import { type Change, type KnownTechnology, MISSES_UNTIL_GONE } from './asset-change';

export type TechnologyChange = Omit<Change, 'address' | 'port'>;

interface TechnologyDifferences {
  readonly technologies: readonly KnownTechnology[];
  readonly changes: readonly TechnologyChange[];
}

const shown = ({ name, vendor, version }: TechnologySeen) => ({ name, vendor, version });

const isSame = (one: TechnologySeen, other: TechnologySeen): boolean =>
  one.name === other.name && one.version === other.version;

/**
 * `known` is null where there is nothing to compare with: another service, or a port that was not open. A technology of which
 * the version is not stated this time has not changed.
 */
export function technologiesAfter(
  known: readonly KnownTechnology[] | null,
  seen: readonly TechnologySeen[],
): TechnologyDifferences {
  const found = seen.map((technology): KnownTechnology => ({ ...technology, misses: 0 }));
  if (known === null) return { technologies: found, changes: [] };
  const rest = known.filter((one) => !seen.some((other) => isSame(one, other)));
  const added = found.filter((one) => !known.some((other) => isSame(one, other)));
  const kept = found.filter((one) => !added.includes(one));
  const changes: TechnologyChange[] = [];
  for (const technology of added) {
    const place = rest.findIndex(({ name }) => name === technology.name);
    const [earlier] = place === -1 ? [] : rest.splice(place, 1);
    if (earlier === undefined) changes.push({ kind: 'technology_added', before: null, after: shown(technology) });
    else if (technology.version === '') kept.push({ ...earlier, misses: 0 });
    else if (earlier.version !== '')
      changes.push({ kind: 'version_changed', before: shown(earlier), after: shown(technology) });
    if (earlier === undefined || technology.version !== '') kept.push(technology);
  }
  for (const technology of rest) {
    const misses = technology.misses + 1;
    if (misses < MISSES_UNTIL_GONE) kept.push({ ...technology, misses });
    else changes.push({ kind: 'technology_removed', before: shown(technology), after: null });
  }
  return { technologies: kept, changes };
}
