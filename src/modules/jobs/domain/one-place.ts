import type { Baseline, Scan, Sighting } from '../../../engine';
import { checkById } from '../../../engine/checks';
import { isOfOnePage } from '../../../engine/one-place';
import { locationAdoptedBy } from '../../../engine/spots';
import { parseLocation } from '../../../engine/target';
import { oneRowEach } from './active-result';

export interface KnownPlace {
  readonly checkId: string;
  /** Null if the check is a YAML check. */
  readonly builtInCheck: string | null;
  readonly location: string;
  readonly baseline: Baseline | null;
  readonly isConfirmedFixed: boolean;
}

type Seen = Pick<Sighting, 'check' | 'location'>;

const keyOf = ({ check, location }: Seen): string => `${check} ${location}`;

const isWholePage = ({ location }: Seen): boolean => parseLocation(location).parameter === undefined;

/**
 * One weakness at one place is one sighting, whichever depth or address showed it: what is seen of a page as a whole is that of
 * the parameter which showed it, and a page of two addresses is one. A place with a finding keeps it, and is chosen before
 * others, unless a test has shown that it is fixed there.
 */
export function inOnePlace<T extends Pick<Scan, 'sightings' | 'coverage'>>(scan: T, known: readonly KnownPlace[]): T {
  const ofFindings = known.flatMap((one) => (one.builtInCheck === null ? [] : [{ ...one, check: one.builtInCheck }]));
  const isKnown = (one: Seen): boolean => ofFindings.some((other) => keyOf(other) === keyOf(one));
  const absent = new Set(scan.coverage.filter(({ outcome }) => outcome === 'not_vulnerable').map(keyOf));
  const open = ofFindings.filter((one) => !one.isConfirmedFixed && !absent.has(keyOf(one)));
  const kept = new Map<string, Sighting>();
  const moved = new Map<string, string>();
  const rank = (one: Sighting): number => (isWholePage(one) ? 2 : isKnown(one) ? 0 : 1);
  for (const sighting of scan.sightings.toSorted((one, other) => rank(one) - rank(other))) {
    const others = [...open, ...kept.values()].filter(({ check }) => check === sighting.check);
    const location = sighting.template === null ? placeOf(sighting, others, ofFindings) : null;
    const key = keyOf({ ...sighting, location: location ?? sighting.location });
    const main = kept.get(key);
    if (location === null) {
      kept.set(key, sighting);
      continue;
    }
    moved.set(keyOf(sighting), location);
    const { path } = parseLocation(sighting.location);
    const name = isWholePage(sighting) ? '' : ` ${path} is the same page, and shows it too.`;
    // The state of one address says nothing of another one.
    const landed = main ?? { ...sighting, location, baseline: null };
    kept.set(key, { ...landed, detail: `${landed.detail}${name}` });
  }
  if (moved.size === 0) return scan;
  const coverage = scan.coverage.map((row) => ({ ...row, location: moved.get(keyOf(row)) ?? row.location }));
  return { ...scan, sightings: [...kept.values()], coverage: oneRowEach(coverage) };
}

/** Where it is the same weakness, or null. */
function placeOf(
  sighting: Sighting,
  others: readonly (Pick<Sighting, 'location' | 'baseline'> & Seen)[],
  findings: readonly (KnownPlace & Seen)[],
): string | null {
  const own = findings.filter((one) => keyOf(one) === keyOf(sighting));
  if (!isWholePage(sighting))
    return own.length > 0 ? null : (others.find((one) => isOfOnePage(sighting, one))?.location ?? null);
  const check = checkById(sighting.check);
  const isFinding = (location: string): boolean =>
    findings.some((one) => keyOf(one) === keyOf({ ...sighting, location }));
  const locations = others.map(({ location }) => location).filter((one) => own.length === 0 || !isFinding(one));
  // A finding moves there as well, if its own evidence says so.
  const isTaken = [sighting, ...own].every(
    (one) => check !== null && locationAdoptedBy(check, one, locations) !== null,
  );
  return isTaken && check !== null ? locationAdoptedBy(check, sighting, locations) : null;
}
