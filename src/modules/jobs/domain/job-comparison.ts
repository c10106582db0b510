import { checkById } from '../../../engine/checks';
import type { Coverage } from '../../../engine';
import { groupBy } from '../../../kernel/group-by';
import { isStandard } from './point-checks';

type Covered = Pick<Coverage, 'check' | 'location' | 'outcome' | 'reason' | 'verdict'>;

/** Where a job saw a finding: of a merged one the main finding, with the place of the merged one. */
export interface SeenPlace {
  readonly id: number;
  /** Of the finding itself, which may be merged into the other. */
  readonly ownId: number;
  readonly title: string;
  readonly severity: number;
  readonly checkId: string | null;
  readonly location: string | null;
}

/** What a job has shown. */
export interface ShownByJob {
  readonly coverage: readonly Covered[];
  readonly seen: readonly SeenPlace[];
  /** The findings whose fix it confirmed. */
  readonly fixedIds: ReadonlySet<number>;
}

/**
 * `new`: the earlier job tested there, and did not see it. `found`: it had not tested there. `not_seen`: the later job tested
 * there, did not see it, and did not confirm a fix. `unknown`: it could not test there.
 */
export type FindingChange = 'new' | 'found' | 'fixed' | 'not_seen' | 'unknown' | 'still_there';

export interface ComparedFinding extends Pick<SeenPlace, 'id' | 'title' | 'severity'> {
  readonly change: FindingChange;
  /** What the test of the other job ended with. */
  readonly reason: string | null;
}

/** A check that at least one of the jobs could not decide at a place. Null: the job has no result for it. */
export interface UndecidedCheck extends Pick<Coverage, 'check' | 'location'> {
  readonly earlier: Covered | null;
  readonly later: Covered | null;
}

export interface JobComparison {
  /** The most severe first. */
  readonly findings: readonly ComparedFinding[];
  readonly undecided: readonly UndecidedCheck[];
}

interface TestedPlace {
  readonly state: 'passed' | 'not_applicable' | 'undecided';
  readonly reason: string | null;
}

const NOT_RUN: TestedPlace = { state: 'undecided', reason: 'its check did not run' };
const PASSED: TestedPlace = { state: 'passed', reason: null };

function resultOf({ outcome, verdict, reason }: Covered): TestedPlace {
  if (outcome === 'not_applicable') return { state: outcome, reason };
  const isPassed = outcome === 'not_vulnerable' && (verdict === null || verdict.result === 'fixed');
  return { state: isPassed ? 'passed' : 'undecided', reason: verdict?.reason ?? reason };
}

/** What a job that did not see a finding says about its place, or otherwise about the check at other places. */
function testedAt(byCheck: ReadonlyMap<string, readonly Covered[]>, { checkId, location }: SeenPlace): TestedPlace {
  const ofCheck = byCheck.get(checkId ?? '') ?? [];
  const there = ofCheck.filter((one) => one.location === location);
  if (there.length > 0) return worstOf(there.map(resultOf));
  // For an active check, other points say nothing about this one.
  const check = checkById(checkId ?? '');
  if (check !== null && !isStandard(check)) return NOT_RUN;
  // Where the check found something else, it reached a decision.
  return worstOf(ofCheck.map((one) => (one.outcome === 'vulnerable' ? PASSED : resultOf(one))));
}

const ORDER = ['undecided', 'not_applicable', 'passed'] as const;

const worstOf = (results: readonly TestedPlace[]): TestedPlace =>
  ORDER.flatMap((state) => results.find((one) => one.state === state) ?? [])[0] ?? NOT_RUN;

/** What changed between two jobs on one target. A finding that is no longer seen is not fixed: only a confirmed fix counts. */
export function compareJobs(earlier: ShownByJob, later: ShownByJob): JobComparison {
  const [before, after] = [groupBy(earlier.seen, idOf), groupBy(later.seen, idOf)];
  const [coverageBefore, coverageAfter] = [groupBy(earlier.coverage, checkOf), groupBy(later.coverage, checkOf)];
  const findings = [...new Map([...before, ...after])].map(([id, places]): ComparedFinding => {
    const severity = Math.max(...places.map((place) => place.severity));
    const title = places[0]?.title ?? '';
    const [wasSeen, isSeen] = [before.has(id), after.has(id)];
    if (wasSeen && isSeen) return { id, title, severity, change: 'still_there', reason: null };
    const { state, reason } = worstOf(places.map((place) => testedAt(isSeen ? coverageBefore : coverageAfter, place)));
    if (isSeen) return { id, title, severity, change: state === 'undecided' ? 'found' : 'new', reason };
    if (places.every(({ ownId }) => later.fixedIds.has(ownId))) return { id, title, severity, change: 'fixed', reason };
    return { id, title, severity, change: state === 'passed' ? 'not_seen' : 'unknown', reason };
  });
  return {
    findings: findings.toSorted((one, other) => other.severity - one.severity || one.id - other.id),
    undecided: undecidedIn(earlier.coverage, later.coverage),
  };
}

const idOf = ({ id }: SeenPlace): number => id;
const checkOf = ({ check }: Covered): string => check;
const placeKeyOf = ({ check, location }: Covered): string => `${check} ${location}`;

function undecidedIn(earlier: readonly Covered[], later: readonly Covered[]): UndecidedCheck[] {
  const [before, after] = [earlier, later].map((all) => new Map(all.map((one) => [placeKeyOf(one), one])));
  const open = [...earlier, ...later].filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'blocked');
  return [...new Map(open.map((one) => [placeKeyOf(one), one]))].map(([key, { check, location }]) => ({
    check,
    location,
    earlier: before?.get(key) ?? null,
    later: after?.get(key) ?? null,
  }));
}
