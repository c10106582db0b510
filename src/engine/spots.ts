import type { Baseline } from './baseline';
import { type Check, isWebCheck, type Spot } from './check';
import { locationOf, parseLocation, type WebTarget } from './target';

/** Replaces the parameter in the location of a finding that lists several. */
export const ANY_PARAMETER = '*';

/** Per page template. Further places are one finding, because they most likely have the same cause. */
const MOST_FINDINGS = 20;

const VARYING = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{16,}|\d+/gi;

/** `/product/17` and `/product/18` are pages of one template. */
export const pageTemplateOf = (path: string): string => path.replace(VARYING, '*');

/** Takes the pages of each template in turn, so that many pages of one template do not push out others. */
export function inTurns(paths: readonly string[], namesIn: (path: string) => readonly string[]): string[] {
  const turns = new Map<string, number>();
  const turnOf = (path: string): number => {
    const key = `${pageTemplateOf(path.split('?', 1)[0] ?? '')} ${namesIn(path).join(' ')}`;
    const turn = (turns.get(key) ?? 0) + 1;
    turns.set(key, turn);
    return turn;
  };
  return paths
    .map((path) => ({ path, turn: turnOf(path) }))
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ path }) => path);
}

/** A spot for each place, and one for all others of a template that has too many. */
export function groupedSpots(found: readonly Spot[], isKnown: (place: WebTarget) => boolean): Spot[] {
  const templates = new Map<string, Spot[]>();
  for (const spot of found) {
    const template = pageTemplateOf(spot.place.path);
    templates.set(template, [...(templates.get(template) ?? []), spot]);
  }
  return [...templates].flatMap(([path, spots]) => {
    const [first] = spots;
    if (first === undefined) return [];
    const place = { ...first.place, path, parameter: ANY_PARAMETER };
    if (spots.length <= MOST_FINDINGS && !isKnown(place)) return spots;
    const own = spots.filter((spot) => isKnown(spot.place));
    const paths = spots.filter((spot) => !own.includes(spot)).flatMap((spot) => spot.paths);
    return paths.length === 0 ? own : [...own, { place, paths }];
  });
}

/** A finding with the state of its target when the weakness was seen. */
export interface SeenFinding {
  readonly location: string;
  readonly baseline: Baseline | null;
}

/**
 * Earlier versions recorded one finding for a page and everything that it links to. Returns which of these locations the finding
 * is about, by the request that showed the weakness, or null.
 */
export function locationAdoptedBy(
  check: Check,
  known: SeenFinding,
  locations: Pick<ReadonlySet<string>, 'has'>,
): string | null {
  const { location, baseline } = known;
  if (!isWebCheck(check) || check.parametersIn === undefined || baseline?.on !== 'web') return null;
  if (parseLocation(location).parameter !== undefined || baseline.decisive.kind !== 'http') return null;
  const path = /^GET (\S+)/.exec(baseline.decisive.key)?.[1] ?? '';
  const places = check
    .parametersIn(path)
    .map((parameter) => locationOf({ ...parseLocation(location), path: path.split('?', 1)[0] ?? '', parameter }));
  return places.find((place) => locations.has(place)) ?? null;
}
