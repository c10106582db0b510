import { groupBy } from '../../../../kernel/group-by';
import type { ReportRenderer, ReportSnapshot, SnapshotJob } from '../../domain/report-snapshot';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { dispositionOf } from '../disposition';
import { ruleIdOf } from '../finding-identity';
import { FORMATS } from '../formats';
import { undecidedTest } from '../job-result';
import { type Markup, markup } from '../markup';
import { plainText } from '../plain-text';
import { subjectTexts } from '../subject-texts';
import { withSpaces } from '../text-format';

interface TestCase {
  /** The check. */
  readonly group: string;
  readonly name: string;
  readonly result: 'passed' | 'failure' | 'error' | 'skipped';
  /** Why it did not pass. */
  readonly message: string;
  readonly text: string;
}

const passed = (group: string, name: string): TestCase => ({ group, name, result: 'passed', message: '', text: '' });

const placeOf = ({ location, asset_value }: SnapshotFinding): string => location ?? asset_value;

/** A job fails where its gate fails. Elsewhere every open finding is a failure. */
function resultOf({ job, status }: SnapshotFinding): TestCase['result'] {
  const disposition = dispositionOf(status);
  if (job ? job.fails_gate : disposition === 'open') return 'failure';
  return disposition === 'resolved' || job?.outcome === 'fixed' ? 'passed' : 'skipped';
}

function reasonOf(finding: SnapshotFinding, gate: SnapshotJob['gate'] | undefined): string {
  const { id, title, severity, status, status_name, job } = finding;
  const text = `Finding ${id}, ${job?.severity ?? severity}: ${title}`;
  if (dispositionOf(status) === 'set_aside') return `${text} (${withSpaces(status_name)})`;
  if (gate !== undefined && job?.fails_gate === false) return `${text} (below ${gate.severity})`;
  return job?.outcome === 'not_seen' ? `${text} (found earlier, not confirmed as fixed)` : text;
}

function caseOfFinding(finding: SnapshotFinding, gate?: SnapshotJob['gate']): TestCase {
  const result = resultOf(finding);
  const group = ruleIdOf(finding);
  const name = `${finding.title} at ${placeOf(finding)}`;
  if (result === 'passed') return passed(group, name);
  const text = `${placeOf(finding)}\n${plainText(finding.md ?? '')}`.trim();
  return { group, name, result, message: reasonOf(finding, gate), text };
}

const testCaseKeyOf = (check: string | null, location: string | null): string => `${check} ${location}`;

/** The tests of a job, with the findings that they showed, and then the findings that no test of the job is about. */
function casesOfJob({ job, findings, check_descriptions }: ReportSnapshot & { job: SnapshotJob }): TestCase[] {
  const titles = new Map(check_descriptions.map(({ id, title }) => [id, title]));
  const byPlace = groupBy(findings, ({ check, location }) => testCaseKeyOf(check, location));
  const tests = job.tests.filter(({ outcome }) => outcome !== 'not_applicable');
  const places = new Set(tests.map(({ check, location }) => testCaseKeyOf(check, location)));
  const tested = tests.flatMap((test): TestCase[] => {
    const { check, location, outcome, reason } = test;
    const undecided = undecidedTest(test);
    const name = `${titles.get(check) ?? check} at ${location}`;
    const found = (byPlace.get(testCaseKeyOf(check, location)) ?? []).map((finding) =>
      caseOfFinding(finding, job.gate),
    );
    if (undecided !== null) {
      const result = undecided.effects.junit;
      const what = result === 'error' ? 'Not completed' : 'Refused, not shown absent';
      return [...found, { group: check, name, result, message: `${what}: ${reason}`, text: reason }];
    }
    if (found.length > 0) return found;
    if (outcome === 'not_vulnerable') return [passed(check, name)];
    const message = 'Found, but the options of this report exclude the finding.';
    return [{ group: check, name, result: 'skipped', message, text: reason }];
  });
  const others = findings.filter(({ check, location }) => !places.has(testCaseKeyOf(check, location)));
  const error: TestCase[] =
    job.error === null
      ? []
      : [{ group: 'job', name: 'The job is complete', result: 'error', message: job.error, text: job.error }];
  return [...error, ...tested, ...others.map((finding) => caseOfFinding(finding, job.gate))];
}

const casesOf = (snapshot: ReportSnapshot): TestCase[] => {
  const { job, findings } = snapshot;
  return job === null ? findings.map((finding) => caseOfFinding(finding)) : casesOfJob({ ...snapshot, job });
};

const ELEMENTS: Readonly<Record<TestCase['result'], (message: string, text: string) => Markup | null>> = {
  passed: () => null,
  failure: (message, text) => markup`<failure type="finding" message="${message}">${text}</failure>`,
  error: (message, text) => markup`<error type="not_completed" message="${message}">${text}</error>`,
  skipped: (message) => markup`<skipped message="${message}"/>`,
};

const caseElement = ({ group, name, result, message, text }: TestCase): Markup =>
  markup`    <testcase classname="assay.${group}" name="${name}">${ELEMENTS[result](message, text)}</testcase>\n`;

const secondsBetween = (start: string, end: string): string =>
  Math.max(0, (Date.parse(end) - Date.parse(start)) / 1_000).toFixed(3);

/** JUnit XML, as Jenkins and most other systems read it: a test case for each test of a job, or for each finding. */
export function junitDocument(snapshot: ReportSnapshot): Markup {
  const { job, taken, organization, report_id } = snapshot;
  const cases = casesOf(snapshot);
  const count = (result: TestCase['result']): number => cases.filter((test) => test.result === result).length;
  const { name, noun, reference } = subjectTexts(snapshot);
  const started = job?.started ?? taken;
  const time = job?.started && job.finished ? secondsBetween(job.started, job.finished) : '0.000';
  const totals = markup`tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
  const properties: readonly (readonly [string, string])[] = [
    ['organization', organization.name],
    [noun, reference],
    ...(report_id === null ? [] : [['report', String(report_id)] as const]),
    ...(job === null ? [] : [['gate', job.gate.description] as const]),
  ];
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Assay" ${totals} time="${time}">
  <testsuite name="${name}" ${totals} skipped="${count('skipped')}" timestamp="${started.slice(0, 19)}" time="${time}">
    <properties>
${properties.map(([property, value]) => markup`      <property name="${property}" value="${value}"/>\n`)}    </properties>
${cases.map(caseElement)}  </testsuite>
</testsuites>
`;
}

export class JunitRenderer implements ReportRenderer {
  readonly contentType = FORMATS.junit.contentType;
  readonly extension = FORMATS.junit.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    return Buffer.from(junitDocument(snapshot).toString());
  }
}
