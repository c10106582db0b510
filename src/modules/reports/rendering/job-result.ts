import { capitalized } from '../../../kernel/capitalized';
import { RESULT_EFFECTS } from '../../../kernel/result-effects';
import type { ReportSnapshot, SnapshotJob } from '../domain/report-snapshot';
import { joinWithAnd, pluralize } from './text-format';

type Outcome = SnapshotJob['tests'][number]['outcome'];

/** Whether the pipeline of a job may continue. */
export interface JobResult {
  /** The mark of the result, like that of retests. */
  readonly kind: Outcome;
  readonly label: string;
  readonly text: string;
}

/** A test of a job. */
export interface TestRow {
  readonly title: string;
  readonly check: string;
  readonly location: string;
  readonly outcome: Outcome;
  readonly label: string;
  readonly reason: string | null;
}

/** The tests of a job. Both formats show them. */
export interface JobTests {
  readonly lead: string;
  readonly rows: readonly TestRow[];
  /** Tests that did not apply, and those for which the table has no room. */
  readonly notes: readonly string[];
}

const OUTCOMES: readonly Outcome[] = ['vulnerable', 'blocked', 'inconclusive', 'not_vulnerable'];

const LABELS: Readonly<Record<Outcome, string>> = {
  vulnerable: 'Vulnerable',
  blocked: 'Refused, not shown absent',
  inconclusive: 'Not completed',
  not_vulnerable: 'Not vulnerable',
  not_applicable: 'Not applicable',
};

/** A refusal that does not count as completed is an incomplete test, as for the gate. */
const shownOutcome = ({ outcome, incomplete }: SnapshotJob['tests'][number]): Outcome =>
  outcome === 'blocked' && incomplete === true ? 'inconclusive' : outcome;

/** For systems that have no status for it: the text about a test that decided nothing; null for other tests. */
export function undecidedTest(test: SnapshotJob['tests'][number]) {
  const { check, location, reason } = test;
  const outcome = shownOutcome(test);
  if (outcome !== 'inconclusive' && outcome !== 'blocked') return null;
  const what = outcome === 'blocked' ? 'was refused, and is not shown absent' : 'was not completed';
  return {
    effects: RESULT_EFFECTS[outcome],
    text: `${check} at ${location} ${what}: ${reason}`,
  };
}

/** The table is for reading. The JSON format has every test. */
const MAX_ROWS = 200;
const MAX_REASONS = 10;

/** Null for other subjects. */
export function jobResultOf({ job }: ReportSnapshot): JobResult | null {
  if (job === null) return null;
  const { success, description: text } = job.gate;
  if (success === null) return { kind: 'inconclusive', label: 'No result for the pipeline', text };
  return success
    ? { kind: 'not_vulnerable', label: 'Passed: the pipeline may continue', text }
    : { kind: 'vulnerable', label: 'Failed: the pipeline stops', text };
}

/** Null for other subjects. Vulnerable tests come first. */
export function jobTestsOf({ job, check_descriptions, checks }: ReportSnapshot): JobTests | null {
  if (job === null) return null;
  const titles = new Map([...checks, ...check_descriptions].map(({ id, title }) => [id, title ?? id]));
  const rows = OUTCOMES.flatMap((outcome) =>
    job.tests
      .filter((test) => shownOutcome(test) === outcome)
      .map(({ check, location, reason }): TestRow => ({
        title: titles.get(check) ?? check,
        check,
        location,
        outcome,
        label: LABELS[outcome],
        reason: outcome === 'not_vulnerable' || reason === '' ? null : capitalized(reason),
      })),
  );
  const count = (outcome: Outcome): number => rows.filter((row) => row.outcome === outcome).length;
  const counts = OUTCOMES.filter((outcome) => count(outcome) > 0).map(
    (outcome) => `${count(outcome)} ${LABELS[outcome].toLowerCase()}`,
  );
  const rest = rows.length - MAX_ROWS;
  return {
    lead: rows.length === 0 ? 'No test ran.' : `${pluralize(rows.length, 'test')}: ${joinWithAnd(counts)}.`,
    rows: rows.slice(0, MAX_ROWS),
    notes: [
      ...(rest > 0 ? [`${pluralize(rest, 'more test')}. The JSON format has all of them.`] : []),
      ...notApplicableNotes(job),
    ],
  };
}

/** By reason, because many tests have the same one. */
function notApplicableNotes({ tests }: SnapshotJob): readonly string[] {
  const checks = new Map<string, Set<string>>();
  for (const { outcome, reason, check } of tests) {
    if (outcome === 'not_applicable') checks.set(reason, (checks.get(reason) ?? new Set()).add(check));
  }
  const notes = [...checks].map(([reason, ids]) => `Not applicable (${reason}): ${[...ids].join(', ')}.`);
  const rest = notes.length - MAX_REASONS;
  return rest > 0 ? [...notes.slice(0, MAX_REASONS), `Not applicable for ${rest} other reasons.`] : notes;
}
