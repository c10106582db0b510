import { renderToString } from 'preact-render-to-string';
import { RESULT_EFFECTS, type Result, type ResultEffects } from '../../src/kernel/result-effects';
import { FINDING_STATUS, type FindingStatus, statusAfterTest } from '../../src/modules/findings';
import { type Allowance, completionOf, withIncompleteChecks } from '../../src/modules/jobs/domain/incomplete-checks';
import { compareJobs, type ShownByJob } from '../../src/modules/jobs/domain/job-comparison';
import { type EarlierFinding, gateOf, jobSuccess, type SeenFinding } from '../../src/modules/jobs/domain/job-success';
import { gitlabReport } from '../../src/modules/reports/rendering/gitlab/gitlab-renderer';
import { junitDocument } from '../../src/modules/reports/rendering/junit/junit-renderer';
import { VERDICT_MARKS } from '../../src/modules/reports/rendering/palette';
import { RESULT_MEANINGS } from '../../src/modules/reports/rendering/report-words';
import { sarifLog } from '../../src/modules/reports/rendering/sarif/sarif-renderer';
import { finding, move, retest, snapshotOf } from '../../src/modules/reports/rendering/testing/snapshot-of';
import { jobSnapshot } from '../../src/modules/reports/rendering/testing/snapshots';
import { resultLabelOf } from '../../src/modules/reports/rendering/text-format';
import { vexDocument } from '../../src/modules/reports/rendering/vex/vex-renderer';
import { RESULTS_BY_HAND } from '../../src/modules/retests';
import { verificationOf } from '../../src/modules/retests/work/retest-run';
import { statusAfter } from '../../src/modules/schedules/domain/vocabulary';
import { newsOf } from '../../src/modules/notifications/domain/entry-news';
import { VerdictBadge } from '../../src/portal/frame/badges';

/** What each consumer does with each result, and the one table that says so. Every cell is asked for. */
const RESULTS = Object.keys(RESULT_EFFECTS) as Result[];
const STATUSES = Object.values(FINDING_STATUS) as FindingStatus[];

const OUTCOMES = {
  fixed: 'not_vulnerable',
  still_vulnerable: 'vulnerable',
  inconclusive: 'inconclusive',
  blocked: 'blocked',
} as const;
const PLACE = { check: 'exposed-env', location: 'https://shop.example.com/.env' };

interface Case {
  readonly check?: string;
  readonly isOpen?: boolean;
  /** Of a hundred. */
  readonly many?: number;
  readonly isRequested?: boolean;
}

/** What a job says of which so many checks end with the result. */
function gateWith(result: Result, { check = PLACE.check, isOpen = false, many = 1, isRequested = false }: Case) {
  const coverage = Array.from({ length: 100 }, (_none, at) => ({
    check: at < many ? check : 'exposed-git',
    location: `https://shop.example.com/${at}`,
    outcome: at < many ? OUTCOMES[result] : ('not_vulnerable' as const),
    reason: 'so it is',
  }));
  const about = { id: 1, title: 'It', severity: 'high', place: PLACE.location, check, accepted: null } as const;
  const seen: SeenFinding[] = result === 'still_vulnerable' ? [{ ...about, setAside: false }] : [];
  const earlier: EarlierFinding[] =
    isOpen && seen.length === 0
      ? [
          {
            ...about,
            isProved: true,
            unconfirmed: true,
            confirmedFixed: result === 'fixed',
            reason: '',
            undecided: null,
          },
        ]
      : [];
  const openChecks = new Set(isOpen && result !== 'fixed' ? [check] : []);
  const allowance: Allowance = { isRequested, openChecks, acceptedAt: () => null };
  const success = jobSuccess('FINISHED', seen, earlier);
  const gate = gateOf(withIncompleteChecks(success, completionOf(coverage, openChecks), allowance));
  return { passed: 'passes', failed: 'fails', incomplete: 'incomplete' }[gate] as 'passes' | 'fails' | 'incomplete';
}

/** A report of a job whose only test has the result. */
function reportOf(result: Result) {
  const isSeen = result === 'still_vulnerable';
  const job = { outcome: 'seen', severity: 'high', fails_gate: true } as const;
  const findings = isSeen ? [finding(1, { title: 'It', check: PLACE.check, location: PLACE.location, job })] : [];
  const tests = [{ ...PLACE, outcome: OUTCOMES[result], reason: 'so it is' }];
  return { ...jobSnapshot({ tests }), findings };
}

const junitOf = (result: Result): ResultEffects['junit'] => {
  const text = junitDocument(reportOf(result)).toString();
  return (['failure', 'error', 'skipped'] as const).find((one) => text.includes(`<${one} `)) ?? 'passed';
};

function sarifOf(result: Result) {
  const [run] = sarifLog(reportOf(result)).runs;
  if ((run?.results ?? []).some(({ kind }) => kind === 'fail')) return 'result';
  return run?.invocations?.[0]?.toolExecutionNotifications?.[0]?.level ?? 'no_result';
}

function gitlabOf(result: Result) {
  const report = gitlabReport(reportOf(result)) as {
    scan: { messages: { level: string }[] };
    vulnerabilities: object[];
  };
  return report.vulnerabilities.length > 0 ? 'vulnerability' : (report.scan.messages[0]?.level ?? 'nothing');
}

function vexOf(result: Result) {
  const history = [move(1, null, 'open'), move(9, 'open', 'resolved')];
  const product = { purl: 'pkg:npm/shop@4.2.0', cpe: null };
  const known = { title: 'It', cve: 'CVE-2026-12345', status: 5, product, history, retests: [retest(5, { result })] };
  const document = vexDocument(snapshotOf({ findings: [finding(1, known)] })) as { statements: { status: string }[] };
  return document.statements[0]?.status;
}

function comparisonOf(result: Result) {
  const place = { id: 1, ownId: 1, title: 'It', severity: 4, checkId: PLACE.check, location: PLACE.location };
  const covered = { ...PLACE, outcome: OUTCOMES[result], reason: '', verdict: null };
  const later: ShownByJob = {
    coverage: [covered],
    seen: result === 'still_vulnerable' ? [place] : [],
    fixedIds: new Set(result === 'fixed' ? [1] : []),
  };
  return compareJobs({ coverage: [], seen: [place], fixedIds: new Set() }, later).findings[0]?.change;
}

const shapeOf = (verdict: string): string | undefined =>
  / d="([^"]+)"/.exec(renderToString(VerdictBadge({ verdict })))?.[1];

const observed: { readonly [Consumer in keyof ResultEffects]: (result: Result) => unknown } = {
  status: (result) => {
    const moves = STATUSES.flatMap((from) => statusAfterTest(result, from) ?? []);
    if (moves.includes(FINDING_STATUS.resolved)) return 'resolved';
    return moves.length > 0 ? 'reopened' : 'unchanged';
  },
  verification: (result) => verificationOf({ result, reason: '' }, { verification: 'untested' })?.result ?? 'unchanged',
  gate: (result) => {
    const [few, many] = [gateWith(result, { many: 10 }), gateWith(result, { many: 11 })];
    return few === many ? few : `${few}_while_few`;
  },
  gateAtPoint: (result) => gateWith(result, { check: 'sql-injection' }),
  gateOfOpenFinding: (result) => gateWith(result, { isOpen: true, isRequested: true }),
  incompleteAllow: (result) => {
    const [usual, allowed] = [gateWith(result, { many: 40 }), gateWith(result, { many: 40, isRequested: true })];
    return usual === allowed ? 'no_effect' : allowed;
  },
  sarif: sarifOf,
  junit: junitOf,
  gitlab: gitlabOf,
  vex: vexOf,
  // The entry has what is stored.
  feed: (result) => newsOf({ type: 'retest.changed', recordId: '1', data: { result } }).slice(8).replace(' ', '_'),
  sla: (result) => (statusAfterTest(result, FINDING_STATUS.open) === FINDING_STATUS.resolved ? 'ends' : 'runs'),
  // The workers read the table: test/e2e/second-looks.spec.ts shows what they do.
  secondLook: (result) => RESULT_EFFECTS[result].secondLook,
  afterSecondLook: (result) => RESULT_EFFECTS[result].afterSecondLook,
  run: (result) => statusAfter({ parts: 1, results: { [result]: 1 }, obstacles: [] }),
  comparison: comparisonOf,
  report: (result) =>
    RESULT_MEANINGS[result] !== undefined && VERDICT_MARKS[result] !== undefined
      ? resultLabelOf(retest(1, { result }))
      : null,
  portal: (result) => {
    const known = { inconclusive: 'undecided', not_vulnerable: 'fixed', vulnerable: 'still vulnerable' } as const;
    const alike = Object.entries(known).find(([verdict]) => shapeOf(verdict) === shapeOf(result));
    if (alike !== undefined) return alike[1];
    return shapeOf(result) === shapeOf('waiting') ? 'no result' : 'refused';
  },
  byHand: (result) => RESULTS_BY_HAND.includes(result),
};

const cells = RESULTS.flatMap((result) =>
  (Object.keys(observed) as (keyof ResultEffects)[]).map((consumer) => [result, consumer] as const),
);

it.each(cells)('of the result %s, %s is as the table says', (result, consumer) => {
  expect(observed[consumer](result)).toBe(RESULT_EFFECTS[result][consumer]);
});
