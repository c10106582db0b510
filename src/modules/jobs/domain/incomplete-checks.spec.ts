import { countedReads } from '../../../kernel/testing/counted-reads';
import {
  type Allowance,
  completionOf,
  type JobCompletion,
  untestedPointsOf,
  withIncompleteChecks,
} from './incomplete-checks';
import type { JobSuccess } from './job-success';

const PASSED: JobSuccess = {
  success: true,
  description: 'No open finding of at least medium severity.',
  accepted: [],
  failing: [],
  further: 0,
  untested: 0,
  incomplete: [],
  refused: [],
  allowed: [],
  undecided: [],
};
const FAILED: JobSuccess = { ...PASSED, success: false, description: 'Findings of at least medium severity: …' };
const checks = (count: number): JobCompletion['incomplete'] =>
  Array.from({ length: count }, (_none, at) => ({
    check: `check-${at}`,
    location: 'https://a.test/',
    reason: 'slow',
    result: 'inconclusive',
    refusal: null,
  }));
const completion = (completed: number, incomplete: JobCompletion['incomplete']): JobCompletion => ({
  completed,
  incomplete,
  refused: [],
});
const ASKED: Allowance = { isRequested: true, openChecks: new Set(), acceptedAt: () => null };
const SILENT: Allowance = { ...ASKED, isRequested: false };

it('a job has completed the checks that found something or nothing', () => {
  const outcomes = ['vulnerable', 'not_vulnerable', 'inconclusive', 'not_applicable'] as const;
  const coverage = outcomes.map((outcome) => ({ check: outcome, location: 'x', outcome, reason: 'why' }));
  expect(completionOf(coverage, new Set())).toEqual({
    completed: 2,
    incomplete: [{ check: 'inconclusive', location: 'x', reason: 'why', result: 'inconclusive', refusal: null }],
    refused: [],
  });
});

it('the findings alone decide a complete job', () => {
  for (const outcome of [PASSED, FAILED]) expect(withIncompleteChecks(outcome, completion(1, []), ASKED)).toBe(outcome);
});

it('an incomplete check fails a job, and is named', () => {
  const result = withIncompleteChecks(PASSED, completion(60, checks(1)), SILENT);
  expect(result).toMatchObject({ success: false, incomplete: checks(1), allowed: [] });
  expect(result.description).toContain('check-0 at https://a.test/: slow');
});

it('a caller may allow that checks are incomplete', () => {
  const result = withIncompleteChecks(PASSED, completion(60, checks(5)), ASKED);
  expect(result).toMatchObject({ success: true, incomplete: checks(5), allowed: checks(5) });
  expect(result.description).toContain('Incomplete checks are allowed by this request');
  expect(result.description).toContain('2 more');
});

it('a request allows nothing where a second approval is required, unless an admin accepts it', () => {
  const allowance = { ...ASKED, needsApproval: true };
  const result = withIncompleteChecks(PASSED, completion(60, checks(1)), allowance);
  expect(result).toMatchObject({ success: false, allowed: [] });
  expect(result.description).toContain('(not allowed without a second approval)');
  expect(withIncompleteChecks(PASSED, completion(60, []), allowance).success).toBe(true);
});

it('an allowance covers no findings', () => {
  expect(withIncompleteChecks(FAILED, completion(60, checks(1)), ASKED).success).toBe(false);
});

it.each([
  [1, 1, true],
  [2, 1, true],
  [1, 2, false],
  [0, 1, false],
])('an allowance with %i complete and %i incomplete checks: %s', (completed, count, success) => {
  expect(withIncompleteChecks(PASSED, completion(completed, checks(count)), ASKED).success).toBe(success);
});

it('an allowance does not cover a check with an open finding, and covers the others', () => {
  const allowance = { ...ASKED, openChecks: new Set(['check-1']) };
  const result = withIncompleteChecks(PASSED, completion(60, checks(2)), allowance);
  expect(result).toMatchObject({ success: false, allowed: [{ check: 'check-0' }] });
  expect(result.description).toContain('the check has an open finding here): check-1');
  expect(withIncompleteChecks(PASSED, completion(60, checks(1)), allowance).success).toBe(true);
});

describe('a blocked check', () => {
  const NONE: ReadonlySet<string> = new Set();
  const row = (outcome: 'not_vulnerable' | 'blocked', check = 'exposed-env', at = 0) => ({
    check,
    location: `https://a.test/${at}`,
    outcome,
    reason: '403',
  });
  /** So many blocked ones among others. */
  const coverage = (blocked: number, others: number, check?: string) => [
    ...Array.from({ length: blocked }, (_none, at) => row('blocked', check, at)),
    ...Array.from({ length: others }, (_none, at) => row('not_vulnerable', 'exposed-git', at)),
  ];
  const countsOf = (rows: ReturnType<typeof coverage>, open = NONE) => {
    const { completed, incomplete, refused } = completionOf(rows, open);
    return { completed, incomplete: incomplete.length, refused: refused.length };
  };

  it('counts as completed while at most a tenth of the checks are blocked', () => {
    expect(countsOf(coverage(1, 9))).toEqual({ completed: 10, incomplete: 0, refused: 1 });
    expect(countsOf(coverage(2, 17))).toEqual({ completed: 17, incomplete: 2, refused: 0 });
    expect(countsOf(coverage(1, 0))).toEqual({ completed: 0, incomplete: 1, refused: 0 });
  });

  it('is incomplete where a finding of the check is open, and at insertion points', () => {
    expect(countsOf(coverage(1, 99), new Set(['exposed-env']))).toMatchObject({ incomplete: 1, refused: 0 });
    for (const check of ['sql-injection', 'reflected-input'])
      expect(countsOf(coverage(1, 99, check))).toMatchObject({ incomplete: 1, refused: 0 });
  });

  it('passes a job and is listed as refused, not as shown absent', () => {
    const result = withIncompleteChecks(PASSED, completionOf(coverage(1, 9), NONE), SILENT);
    expect(result).toMatchObject({ success: true, incomplete: [], refused: [{ check: 'exposed-env' }] });
    expect(result.description).toContain('Refused, not shown absent: exposed-env at https://a.test/0: 403.');
  });

  it('leaves a site untested where a firewall refused more than a tenth of the checks', () => {
    const untested = (blocked: number) =>
      untestedPointsOf(completionOf(coverage(blocked, 9), NONE), SILENT, 'standard');
    expect(untested(1)).toBeNull();
    expect(untested(2)).toEqual({
      checks: ['exposed-env'],
      reason: expect.stringMatching(/^Checks were refused: exposed-env at https:\/\/a\.test\/0: 403; .*accept/s),
    });
  });

  it('with an open finding fails a job that allows incomplete checks', () => {
    const openChecks = new Set(['exposed-env']);
    const completed = completionOf(coverage(1, 99), openChecks);
    expect(withIncompleteChecks(PASSED, completed, { ...ASKED, openChecks })).toMatchObject({
      success: false,
      undecided: [{ result: 'blocked', findingId: null }],
    });
    expect(withIncompleteChecks(PASSED, completionOf(coverage(2, 9), NONE), ASKED).success).toBe(true);
  });
});

it('compares no incomplete check with all findings that fail the job', () => {
  const incomplete = Array.from({ length: 500 }, (_none, at) => ({
    ...checks(1)[0],
    location: `https://a.test/${at}`,
  }));
  const failing = countedReads(
    incomplete.slice(1).map(({ check, location }) => ({ check, place: location })),
    'place',
  );
  const outcome = { ...FAILED, failing: failing.items } as unknown as JobSuccess;
  const result = withIncompleteChecks(outcome, completion(0, incomplete as never), SILENT);
  expect(failing.reads()).toBeLessThan(20 * 500);
  expect(result.undecided).toEqual([expect.objectContaining({ location: 'https://a.test/0' })]);
});

it('has left points where checks at points are incomplete: a standard job where it tested none of them', () => {
  const [slow] = checks(1);
  if (slow === undefined) throw new Error('There is no check.');
  const leftAt = (depth: 'active' | 'standard', check: string, location: string) =>
    untestedPointsOf(completion(9, [{ ...slow, check, location }]), SILENT, depth)?.checks ?? [];
  const [rest, point] = ['https://a.test/?*', 'https://a.test/?q'];
  for (const depth of ['active', 'standard'] as const) {
    expect(leftAt(depth, 'sql-injection', rest)).toEqual(['sql-injection']);
    expect(leftAt(depth, 'exposed-env', rest)).toEqual([]);
  }
  expect(leftAt('active', 'sql-injection', point)).toEqual(['sql-injection']);
  expect(leftAt('standard', 'sql-injection', point)).toEqual([]);
});
