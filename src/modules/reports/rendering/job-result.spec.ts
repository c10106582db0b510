import { snapshotOf } from './testing/snapshot-of';
import { jobSnapshot } from './testing/snapshots';
import { HtmlRenderer } from './html/html-renderer';
import { jobResultOf, jobTestsOf } from './job-result';

const gate = (success: boolean | null) =>
  jobSnapshot({ gate: { severity: 'medium', success, description: 'As measured.' } });

it.each([
  [false, 'Failed: the pipeline stops', 'vulnerable'],
  [true, 'Passed: the pipeline may continue', 'not_vulnerable'],
  [null, 'No result for the pipeline', 'inconclusive'],
])('states the result for the pipeline: %s', (success, label, kind) => {
  expect(jobResultOf(gate(success))).toEqual({ kind, label, text: 'As measured.' });
});

it('lists the tests, the vulnerable ones first, and those that did not apply by reason', () => {
  const tests = jobTestsOf(jobSnapshot());
  expect(tests?.lead).toBe('4 tests: 2 vulnerable, 1 not completed and 1 not vulnerable.');
  expect(tests?.rows.map(({ title, check, label, reason }) => [title, check, label, reason])).toEqual([
    ['Public Git repository', 'exposed-git', 'Vulnerable', 'The answer shows it.'],
    ['No HSTS', 'no-hsts', 'Vulnerable', 'The answer shows it.'],
    ['tls-certificate', 'tls-certificate', 'Not completed', 'The connection was refused three times.'],
    ['exposed-env', 'exposed-env', 'Not vulnerable', null],
  ]);
  expect(tests?.notes).toEqual(['Not applicable (The answer shows it.): open-redirect.']);
});

it('calls a refusal not completed where it does not count as completed', () => {
  const test = { check: 'c', location: 'l', outcome: 'blocked', reason: 'refused' } as const;
  const tests = jobTestsOf(jobSnapshot({ tests: [test, { ...test, incomplete: true }] }));
  expect(tests?.rows.map(({ label, outcome }) => [label, outcome])).toEqual([
    ['Refused, not shown absent', 'blocked'],
    ['Not completed', 'inconclusive'],
  ]);
  expect(tests?.lead).toBe('2 tests: 1 refused, not shown absent and 1 not completed.');
});

it('counts the tests for which the table has no room', () => {
  const test = { check: 'c', location: 'l', outcome: 'not_vulnerable', reason: '' } as const;
  const tests = jobTestsOf(jobSnapshot({ tests: Array.from({ length: 203 }, () => test) }));
  expect(tests?.rows).toHaveLength(200);
  expect(tests?.notes).toEqual(['3 more tests. The JSON format has all of them.']);
});

it('has neither for an event', () => {
  expect([jobResultOf(snapshotOf()), jobTestsOf(snapshotOf())]).toEqual([null, null]);
});

it('is in the HTML of a job, which names no scope of an event', async () => {
  const html = (await new HtmlRenderer().render(jobSnapshot())).toString();
  expect(html).toContain('Failed: the pipeline stops');
  expect(html).toContain('<h3>Tests</h3>');
  expect(html).not.toMatch(/Out of scope<\/h3>|this event|Checks that ran/);
});
