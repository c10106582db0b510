import type { Baseline, Scan, Sighting } from '../../../engine';
import { checkById } from '../../../engine/checks';
import { isOfOnePage, pageLocationOf } from '../../../engine/one-place';
import { locationAdoptedBy } from '../../../engine/spots';
import { parseLocation } from '../../../engine/target';
import { groupBy } from '../../../kernel/group-by';
import type { InLane, LaneSighting } from './lanes';
import { keyOf, oneRowEach } from './active-result';

export interface KnownPlace {
  readonly checkId: string;
  /** Null if the check is a YAML check. */
  readonly builtInCheck: string | null;
  readonly location: string;
  readonly baseline: Baseline | null;
  readonly isConfirmedFixed: boolean;
  readonly account?: number | null;
}

type Seen = Pick<Sighting, 'check' | 'location'> & InLane;

const isWholePage = ({ location }: Seen): boolean => parseLocation(location).parameter === undefined;

/**
 * One weakness at one place is one sighting, whichever depth or address showed it: what is seen of a page as a whole is that of
 * the parameter which showed it, and a page of two addresses is one. A place with a finding keeps it, and is chosen before
 * others, unless a test has shown that it is fixed there.
 */
export function inOnePlace<T extends Pick<Scan, 'sightings' | 'coverage'>>(scan: T, known: readonly KnownPlace[]): T {
  const ofFindings = known.flatMap((one) => (one.builtInCheck === null ? [] : [{ ...one, check: one.builtInCheck }]));
  const findingsAt = groupBy(ofFindings, keyOf);
  const absent = new Set(scan.coverage.filter(({ outcome }) => outcome === 'not_vulnerable').map(keyOf));
  const open = ofFindings.filter((one) => !one.isConfirmedFixed && !absent.has(keyOf(one)));
  const openKeys = new Set(open.map(keyOf));
  const openOnPage = groupBy(open, pageKeyOf);
  const kept = new Map<string, Sighting>();
  const keptOnPage = new Map<string, Set<string>>();
  const keep = (key: string, sighting: Sighting): void => {
    kept.set(key, sighting);
    const page = pageKeyOf(sighting);
    keptOnPage.set(page, (keptOnPage.get(page) ?? new Set()).add(key));
  };
  // There may be thousands of places, so each is looked up.
  const places: Places = {
    findingsAt: (place) => findingsAt.get(keyOf(place)) ?? [],
    isOther: (place) => openKeys.has(keyOf(place)) || kept.has(keyOf(place)),
    othersOnPage: (place) => {
      const page = pageKeyOf(place);
      return [
        ...(openOnPage.get(page) ?? []),
        ...[...(keptOnPage.get(page) ?? [])].flatMap((key) => kept.get(key) ?? []),
      ];
    },
  };
  const moved = new Map<string, string>();
  const rank = (one: Sighting): number => (isWholePage(one) ? 2 : findingsAt.has(keyOf(one)) ? 0 : 1);
  for (const sighting of scan.sightings.toSorted((one, other) => rank(one) - rank(other))) {
    const location = sighting.template === null ? placeOf(sighting, places) : null;
    const key = keyOf({ ...sighting, location: location ?? sighting.location });
    const main = kept.get(key);
    if (location === null) {
      keep(key, sighting);
      continue;
    }
    moved.set(keyOf(sighting), location);
    const { path } = parseLocation(sighting.location);
    const name = isWholePage(sighting) ? '' : ` ${path} is the same page, and shows it too.`;
    // The state at one address says nothing about another address.
    const landed = main ?? { ...sighting, location, baseline: null };
    keep(key, { ...landed, detail: `${landed.detail}${name}` });
  }
  if (moved.size === 0) return scan;
  const coverage = scan.coverage.map((row) => ({ ...row, location: moved.get(keyOf(row)) ?? row.location }));
  return { ...scan, sightings: [...kept.values()], coverage: oneRowEach(coverage) };
}

const pageKeyOf = (one: Seen): string => keyOf({ ...one, location: pageLocationOf(one.location) });

type Place = Pick<Sighting, 'location' | 'baseline'> & Seen;

interface Places {
  readonly findingsAt: (place: Seen) => readonly Place[];
  /** Whether the place belongs to an open finding, or to another sighting. */
  readonly isOther: (place: Seen) => boolean;
  readonly othersOnPage: (place: Seen) => readonly Place[];
}

/** The place where it is the same weakness, or null. */
function placeOf(sighting: LaneSighting, { findingsAt, isOther, othersOnPage }: Places): string | null {
  const own = findingsAt(sighting);
  if (!isWholePage(sighting))
    return own.length > 0 ? null : (othersOnPage(sighting).find((one) => isOfOnePage(sighting, one))?.location ?? null);
  const { check: id } = sighting;
  const check = checkById(id);
  const locations = {
    has: (location: string): boolean =>
      isOther({ ...sighting, location }) && (own.length === 0 || findingsAt({ ...sighting, location }).length === 0),
  };
  // A finding moves there as well, if its own evidence says so.
  const isTaken = [sighting, ...own].every(
    (one) => check !== null && locationAdoptedBy(check, one, locations) !== null,
  );
  return isTaken && check !== null ? locationAdoptedBy(check, sighting, locations) : null;
}
