import { type Allowance, completionOf, type JobCompletion, withIncompleteChecks } from './incomplete-checks';
import type { JobSuccess } from './job-success';

const PASSED: JobSuccess = {
  success: true,
  description: 'No open finding of at least medium severity.',
  accepted: [],
  failing: [],
  incomplete: [],
  allowed: [],
};
const FAILED: JobSuccess = { ...PASSED, success: false, description: 'Findings of at least medium severity: …' };
const checks = (count: number): JobCompletion['incomplete'] =>
  Array.from({ length: count }, (_none, at) => ({ check: `check-${at}`, location: 'https://a.test/', reason: 'slow' }));
const ASKED: Allowance = { isRequested: true, openChecks: new Set(), acceptedAt: () => null };
const SILENT: Allowance = { ...ASKED, isRequested: false };

it('a job has completed the checks that found something or nothing', () => {
  const outcomes = ['vulnerable', 'not_vulnerable', 'inconclusive', 'not_applicable'] as const;
  const coverage = outcomes.map((outcome) => ({ check: outcome, location: 'x', outcome, reason: 'why' }));
  expect(completionOf(coverage)).toEqual({
    completed: 2,
    incomplete: [{ check: 'inconclusive', location: 'x', reason: 'why' }],
  });
});

it('a complete job is what its findings say', () => {
  for (const outcome of [PASSED, FAILED])
    expect(withIncompleteChecks(outcome, { completed: 1, incomplete: [] }, ASKED)).toBe(outcome);
});

it('an incomplete check fails a job, and is named', () => {
  const result = withIncompleteChecks(PASSED, { completed: 60, incomplete: checks(1) }, SILENT);
  expect(result).toMatchObject({ success: false, incomplete: checks(1), allowed: [] });
  expect(result.description).toContain('check-0 at https://a.test/: slow');
});

it('a caller may allow that checks are incomplete', () => {
  const result = withIncompleteChecks(PASSED, { completed: 60, incomplete: checks(5) }, ASKED);
  expect(result).toMatchObject({ success: true, incomplete: checks(5), allowed: checks(5) });
  expect(result.description).toContain('Incomplete checks are allowed by this request');
  expect(result.description).toContain('2 more');
});

it('an allowance covers no findings', () => {
  expect(withIncompleteChecks(FAILED, { completed: 60, incomplete: checks(1) }, ASKED).success).toBe(false);
});

it.each([
  [1, 1, true],
  [2, 1, true],
  [1, 2, false],
  [0, 1, false],
])('an allowance with %i complete and %i incomplete checks: %s', (completed, count, success) => {
  expect(withIncompleteChecks(PASSED, { completed, incomplete: checks(count) }, ASKED).success).toBe(success);
});

it('an allowance does not cover a check with an open finding, and covers the others', () => {
  const allowance = { ...ASKED, openChecks: new Set(['check-1']) };
  const result = withIncompleteChecks(PASSED, { completed: 60, incomplete: checks(2) }, allowance);
  expect(result).toMatchObject({ success: false, allowed: [{ check: 'check-0' }] });
  expect(result.description).toContain('the check has an open finding here): check-1');
  expect(withIncompleteChecks(PASSED, { completed: 60, incomplete: checks(1) }, allowance).success).toBe(true);
});
