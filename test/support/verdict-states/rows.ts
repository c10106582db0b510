import { binaryOf } from '../../../src/engine/testing/real-server';
import { SeededRandom } from '../../../src/engine/testing/seeded-random';
import type { FindingTests, Outcome } from './finding-tests';
import type { KnownLimit } from './known-limits';
import { SERVICE_WEAKNESSES } from './service-states';
import type { StateTarget, StateTargets } from './targets';
import { TLS_WEAKNESSES } from './tls-states';
import { type Judgement, judge, type Truth } from './truth';
import { WEAKNESSES } from './web-weaknesses';
import { WEB_STATES } from './web-states';
import { SERVER_STATES, ZONE_WEAKNESSES } from './zone-states';

export type RowKind = 'retest' | 'verification' | 'job';

/** One state of one weakness, tested in one way. */
export interface Row {
  readonly kind: RowKind;
  readonly check: string;
  readonly state: string;
  readonly truth: Truth;
  readonly limit?: KnownLimit;
  readonly isFix: boolean;
  readonly needsSeconds: boolean;
  readonly build: (targets: StateTargets) => Promise<StateTarget>;
}

export interface JudgedRow extends Row, Outcome {
  readonly judgement: Judgement;
}

type Stated = Pick<Row, 'check' | 'state' | 'truth' | 'limit' | 'build'> & Partial<Pick<Row, 'isFix' | 'needsSeconds'>>;

const retested = ({ isFix = false, needsSeconds = false, ...row }: Stated): Row => ({
  kind: 'retest',
  isFix,
  needsSeconds,
  ...row,
});

const webRows: readonly Row[] = WEB_STATES.flatMap((state) =>
  WEAKNESSES.filter((weakness) => state.on?.(weakness) ?? true).map((weakness) =>
    retested({
      check: weakness.check,
      state: state.name,
      truth: typeof state.truth === 'function' ? state.truth(weakness) : state.truth,
      limit: state.limit,
      isFix: state.isFix,
      needsSeconds: state.needsSeconds,
      build: (targets) => targets.web(weakness, state),
    }),
  ),
);

const zoneRows: readonly Row[] = ZONE_WEAKNESSES.flatMap((weakness) =>
  [...SERVER_STATES, ...weakness.states].map((state) =>
    retested({
      ...state,
      check: weakness.check,
      state: state.name,
      build: async (targets) => targets.zone(weakness, state),
    }),
  ),
);

const tlsRows: readonly Row[] = TLS_WEAKNESSES.flatMap((weakness) =>
  weakness.states.map((state) =>
    retested({
      ...state,
      check: weakness.check,
      state: state.name,
      build: (targets) => targets.secured(weakness, state),
    }),
  ),
);

/** The programs that are missing here, with the number of rows that need each. */
export const MISSING_PROGRAMS: readonly string[] = SERVICE_WEAKNESSES.flatMap(({ program, states }) =>
  program === null || binaryOf(program) !== null ? [] : [`${program} is not installed: ${states.length} rows left out`],
);

const serviceRows: readonly Row[] = SERVICE_WEAKNESSES.filter(
  ({ program }) => program === null || binaryOf(program) !== null,
).flatMap((weakness) =>
  weakness.states.map((state) =>
    retested({
      ...state,
      check: weakness.check,
      state: state.name,
      build: (targets) => targets.service(weakness, state),
    }),
  ),
);

const retestRows: readonly Row[] = [...webRows, ...zoneRows, ...tlsRows, ...serviceRows];

/** The checks whose rows are verified and gated, too. */
const VERIFIED: ReadonlySet<string> = new Set([
  'exposed-git',
  'exposed-env',
  'directory-listing',
  'missing-nosniff',
  'login-over-http',
]);
const GATED: ReadonlySet<string> = new Set(['exposed-env', 'missing-nosniff']);

/** Without a baseline a repaired site is like any other, and the state of a target that was another before says nothing. */
const isVerified = ({ check, isFix }: Row): boolean => VERIFIED.has(check) && !isFix;

export const ROWS: readonly Row[] = [
  ...retestRows,
  ...webRows.filter(isVerified).map((row): Row => ({ ...row, kind: 'verification' })),
  ...webRows.filter(({ check }) => GATED.has(check)).map((row): Row => ({ ...row, kind: 'job' })),
];

/** Some checks of each state; all checks of repairs, whose share is counted. */
export function fewOfEachState(rows: readonly Row[], most: number, seed: number): readonly Row[] {
  const counts = new Map<string, number>();
  return new SeededRandom(seed).shuffled(rows).filter(({ kind, state, isFix }) => {
    const key = `${kind} ${state}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= most || (isFix && kind === 'retest');
  });
}

/** The same rows for the same seed. */
export const sampleOf = (rows: readonly Row[], count: number, seed: number): readonly Row[] =>
  new SeededRandom(seed).shuffled(rows).slice(0, count);

async function outcomeOf({ kind, check, isFix }: Row, target: StateTarget, tests: FindingTests): Promise<Outcome> {
  if (kind === 'verification') {
    target.become();
    return tests.verify(target);
  }
  const finding = await tests.recordWeak(target);
  target.become();
  return kind === 'job' ? tests.gate(target, [check]) : tests.retestWithConfirmation(finding, isFix);
}

async function judged(row: Row, targets: StateTargets, tests: FindingTests): Promise<JudgedRow> {
  const target = await row.build(targets);
  try {
    const outcome = await outcomeOf(row, target, tests);
    // Verifications and gates have no such result of their own.
    const truth = row.truth === 'refused' && row.kind !== 'retest' ? 'unknowable' : row.truth;
    return { ...row, ...outcome, judgement: judge(truth, outcome.result) };
  } catch (error) {
    throw new Error(`${row.kind} of ${row.check}, ${row.state}: ${String(error)}`, { cause: error });
  } finally {
    target.close();
  }
}

/** Judges rows, as many at once as given. A row that cannot be judged does not stop the others. */
export async function judgeAll(
  rows: readonly Row[],
  targets: StateTargets,
  tests: FindingTests,
  atOnce: number,
): Promise<readonly JudgedRow[]> {
  const waiting = rows.values();
  const done: JudgedRow[] = [];
  const failures: unknown[] = [];
  const takeRows = async (): Promise<void> => {
    for (const row of waiting)
      await judged(row, targets, tests).then(
        (one) => done.push(one),
        (error: unknown) => failures.push(error),
      );
  };
  await Promise.all(Array.from({ length: atOnce }, takeRows));
  if (failures.length > 0) throw new Error(`${failures.length} rows failed:\n${failures.map(String).join('\n')}`);
  return done;
}
