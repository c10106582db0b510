import type { ActiveScan, Check, Coverage, CheckResult, Scan } from '../../../engine';
import { needsCallbacks } from '../../../engine/needs-callbacks';
import { ANY_PARAMETER } from '../../../engine/spots';
import { parseLocation } from '../../../engine/target';
import { groupBy } from '../../../kernel/group-by';
import type { Tested } from './lanes';

/** What one check has seen at a point. */
export type PointOutcome = Pick<Coverage, 'check' | 'location' | 'outcome'>;

/** How often a check ended in one way. */
export interface OutcomeCount extends Pick<PointOutcome, 'check' | 'outcome'> {
  readonly points: number;
}

/** What the active part of a job showed, with what earlier attempts have stored of it. */
export interface ActiveOutcome {
  readonly scan: ActiveScan;
  readonly checks: readonly Check[];
  /** What the job names as its checks. */
  readonly selected: readonly string[];
  /** Where the checks tested all points together. */
  readonly location: string;
  /** Where it is said that they have not reached all of them. */
  readonly rest: string;
  /** Those that say more than that a check found nothing. */
  readonly results: readonly CheckResult[];
  readonly counts: readonly OutcomeCount[];
}

const OUTCOMES: readonly Coverage['outcome'][] = [
  'vulnerable',
  'inconclusive',
  'blocked',
  'not_vulnerable',
  'not_applicable',
];

/** Of several results of a check at one place, the one that readers need; that of a verification stands for itself. */
const rankOf = ({ outcome, verdict }: Coverage): number =>
  verdict !== null && outcome !== 'vulnerable' ? 0.5 : OUTCOMES.indexOf(outcome);

/** Without the account as which it was seen, if any: another account, or nobody, is at another place. */
export const placeKeyOf = ({ check, location }: Tested): string => `${check} ${location}`;

export const keyOf = (one: Tested): string =>
  one.account == null ? placeKeyOf(one) : `${placeKeyOf(one)} as ${one.account}`;

/** By the key of their places. The first row of a place counts. */
export const rowsByPlace = <Row extends Tested>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.toReversed().map((row) => [keyOf(row), row]));

/**
 * The results of the standard and of the active part of a job. Each place of a known or new finding has a row of coverage, and
 * each active check one for all points together, because there are thousands of points. What it has not reached is a place of
 * its own, so that no other row hides it.
 */
export function joinedScan(standard: Scan, active: ActiveOutcome): Scan {
  const sightings = [...standard.sightings, ...active.results.flatMap(({ sighting }) => sighting ?? [])];
  const summaries = active.checks.map((check) => summaryOf(check, active));
  const ofStandard = standard.coverage.filter(
    (row) => !isRest(row) || !active.checks.some(({ id }) => id === row.check),
  );
  const rows = [...summaries.flatMap((row) => row ?? []), ...ofStandard, ...active.results.flatMap(rowOf)];
  const coverage = [...oneRowEach(rows), ...restOf(active)];
  const isOpen = coverage.some(({ outcome }) => outcome === 'inconclusive' || outcome === 'blocked');
  const { end, reason } = active.scan;
  return {
    ...standard,
    ...(end === 'interrupted' || end === 'unproved'
      ? { end, reason }
      : isOpen && standard.end === 'complete' && { end: 'partial' as const }),
    finished: new Date().toISOString(),
    // The proof of the experiment replaces what the standard part saw at the same place.
    sightings: [...new Map(sightings.map((sighting) => [keyOf(sighting), sighting])).values()],
    coverage,
  };
}

/** Where nothing was found and nothing was known, the summary of the check says it. */
const rowOf = ({ coverage }: CheckResult): Coverage[] =>
  coverage.outcome === 'vulnerable' || coverage.verdict !== null ? [coverage] : [];

const decisive = (rows: readonly Coverage[]): Coverage[] =>
  rows.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, 1);

/** Of several rows of a check at one place, the one that readers need. */
export const oneRowEach = (rows: readonly Coverage[]): Coverage[] =>
  [...groupBy(rows, keyOf).values()].flatMap(decisive);

/** What the standard part has left out: the active one tests all of it. */
const isRest = ({ location, outcome, verdict }: Coverage): boolean =>
  outcome === 'inconclusive' && verdict === null && parseLocation(location).parameter === ANY_PARAMETER;

const wasCut = ({ end }: ActiveScan): boolean => end === 'interrupted' || end === 'stopped';

/** Of a scan that says why it has not tested all points. */
function restOf({ scan, checks, rest, counts }: ActiveOutcome): Coverage[] {
  const { reason, points, tested } = scan;
  if (!wasCut(scan) && reason === null) return [];
  const left = points - tested;
  const ofRest = left > 0 ? `${left.toLocaleString('en')} of ${pointsOf(points)} were not reached: ${reason}` : reason;
  const said = (wasCut(scan) ? reason : ofRest) ?? 'it was stopped';
  const row = { location: rest, outcome: 'inconclusive', reason: said, controlFailure: null, verdict: null } as const;
  const reached = checks.filter(({ id }) => wasCut(scan) || counts.some(({ check }) => check === id));
  return reached.map(({ id }) => ({ check: id, ...row }));
}

const NOT_CALLED =
  'not testable from here: nothing of the target has called the listener of callbacks, or it has none that it could call';

/** Null if what it found says it all. */
function summaryOf(tested: Check, { scan, selected, location, results, counts }: ActiveOutcome): Coverage | null {
  const { id: check } = tested;
  const row = { check, location, controlFailure: null, verdict: null };
  const of = (outcome: Coverage['outcome']): number =>
    counts.find((one) => one.check === check && one.outcome === outcome)?.points ?? 0;
  if (wasCut(scan)) return null;
  const outcome = of('inconclusive') > 0 ? 'inconclusive' : 'blocked';
  const disturbed = of('inconclusive') + of('blocked');
  const sound = of('not_vulnerable');
  const isAsked = of('not_applicable') > 0;
  const points = pointsOf(disturbed + sound + of('vulnerable'));
  if (disturbed > 0) {
    const first = results.find(({ coverage }) => coverage.check === check && coverage.outcome === outcome);
    const where = first === undefined ? '' : `, such as ${first.coverage.location}: ${first.coverage.reason}`;
    return { ...row, outcome, reason: `${disturbed} of ${points} could not be tested${where}` };
  }
  if (sound > 0)
    return { ...row, outcome: 'not_vulnerable', reason: `${pointsOf(sound)} tested, without the weakness` };
  if (points !== pointsOf(0)) return null;
  if (scan.reason !== null && !isAsked)
    return { ...row, outcome: 'inconclusive', reason: `no point was tested: ${scan.reason}` };
  if (!needsCallbacks(tested) || !isAsked)
    return { ...row, outcome: 'not_applicable', reason: 'no point was found that it tests' };
  // Who names a check asks for its result.
  return { ...row, outcome: selected.includes(check) ? 'inconclusive' : 'not_applicable', reason: NOT_CALLED };
}

const pointsOf = (count: number): string => (count === 1 ? '1 point' : `${count.toLocaleString('en')} points`);
