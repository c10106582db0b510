import type { ActiveProgress, Coverage, Scan, Sighting } from '../../../engine';

/** An account that a job signs in with, with its name at the launch. */
export interface AccountOfJob {
  readonly id: number;
  readonly name: string;
}

/** One run of a job: without a session, or with an account. */
export interface Lane {
  /** Null for the run without a session. */
  readonly account: AccountOfJob | null;
  /** Whether its session was proved to be valid, so that its results count. Always true without a session. */
  readonly isProved: boolean;
  /** Why the session was not proved, or why the run was cut short; null otherwise. */
  readonly reason: string | null;
  readonly requests: number;
  /** Null for a standard job. */
  readonly found: ActiveProgress | null;
}

/** The account with which a place was tested; absent without a session. */
export interface InLane {
  readonly account?: number | null;
}

export interface Tested extends InLane {
  readonly check: string;
  readonly location: string;
}

export type LaneSighting = Sighting & InLane;
export type LaneCoverage = Coverage & InLane;

/** What a run with an account has shown. The reasons name the account. */
export const inLane = <T extends Pick<Scan, 'sightings' | 'coverage'>>(scan: T, { id, name }: AccountOfJob) => ({
  ...scan,
  sightings: scan.sightings.map((one): LaneSighting => ({ ...one, account: id })),
  coverage: scan.coverage.map((one): LaneCoverage => ({ ...one, account: id, reason: `as ${name}: ${one.reason}` })),
});

export interface LaneScan extends Omit<Scan, 'sightings' | 'coverage'> {
  readonly sightings: readonly LaneSighting[];
  readonly coverage: readonly LaneCoverage[];
}

const WORST: readonly Scan['end'][] = [
  'complete',
  'partial',
  'interrupted',
  'unproved',
  'incomplete',
  'timed_out',
  'aborted',
];

/** All runs of a job as one result: it is as complete as its worst run. */
export function joinedLanes(scans: readonly LaneScan[]): LaneScan {
  const [first, ...others] = scans;
  if (first === undefined) throw new Error('a job has at least one run');
  const worst = scans.toSorted((one, other) => WORST.indexOf(other.end) - WORST.indexOf(one.end))[0] ?? first;
  return {
    ...first,
    end: worst.end,
    reason: worst.reason,
    finished: others.at(-1)?.finished ?? first.finished,
    sightings: scans.flatMap(({ sightings }) => sightings),
    coverage: scans.flatMap(({ coverage }) => coverage),
  };
}

/** Why the job ends in ERROR; null if each account was proved. The results of its other runs stay. */
export function unprovedReason(lanes: readonly Lane[]): string | null {
  const unproved = lanes.filter(({ isProved }) => !isProved);
  if (unproved.length === 0) return null;
  const texts = unproved.map(({ account, reason }) =>
    `${account?.name ?? 'nobody'}: ${reason ?? 'it was not tested'}`.replace(/\.?$/, '.'),
  );
  return `Not proved to be signed in as ${texts.join(' ')} What it found otherwise is recorded.`;
}

/** One sighting for each place, preferably that of the run without a session. */
export function oncePerPlace<T extends Tested>(sightings: readonly T[], placeOf: (one: T) => string): T[] {
  const first = new Map<string, T>();
  for (const one of sightings) {
    const known = first.get(placeOf(one));
    if (known === undefined || (known.account != null && one.account == null)) first.set(placeOf(one), one);
  }
  return [...first.values()];
}
