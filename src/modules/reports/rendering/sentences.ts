import { SEVERITIES, severityNumber } from '../../../kernel/severity';
import type { ReportSnapshot, SnapshotScopeAsset } from '../domain/report-snapshot';
import type { SnapshotFinding } from '../domain/snapshot-finding';
import { byUrgency } from '../domain/snapshot-totals';
import { joinWithAnd, pluralize, severityLabel } from './text-format';
import { dispositionOf } from './disposition';
import { subjectTexts } from './subject-texts';

const were = (count: number): string => (count === 1 ? 'was' : 'were');
const are = (count: number): string => (count === 1 ? 'is' : 'are');

/** The findings in one or two sentences. */
export function findingsSentence(snapshot: ReportSnapshot): string {
  const { findings, open, resolved } = snapshot.totals;
  if (findings === 0) return 'No finding was seen in the period of this report.';
  if (open === findings) return `${pluralize(findings, 'finding')}, none resolved yet.${worstOpenSentence(snapshot)}`;
  const setAside = findings - open - resolved;
  const parts = [
    ...(open > 0 ? [`${open} ${are(open)} open`] : []),
    ...(resolved > 0 ? [`${resolved} ${are(resolved)} resolved`] : []),
    ...(setAside > 0 ? [`${setAside} ${are(setAside)} set aside by a decision`] : []),
  ];
  return `Of ${pluralize(findings, 'finding')}, ${joinWithAnd(parts)}.${worstOpenSentence(snapshot)}`;
}

function worstOpenSentence({ findings }: ReportSnapshot): string {
  const open = findings.filter(({ status }) => dispositionOf(status) === 'open');
  const worst = SEVERITIES.toReversed()
    .map((severity) => ({ severity, count: open.filter((one) => one.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .slice(0, 3)
    .map(({ severity, count }) => `${count} ${severityLabel(severity).toLowerCase()}`);
  if (worst.length === 0) return ' None is open.';
  return ` The most severe open findings: ${joinWithAnd(worst)}.${criticalSentence(open)}`;
}

/** What is known of the critical ones. Reports of earlier versions do not say it. */
function criticalSentence(open: readonly SnapshotFinding[]): string {
  const critical = open.filter(({ severity, belief }) => severityNumber(severity) >= CRITICAL && belief !== undefined);
  const proved = critical.filter(({ belief }) => belief?.value === 'proved').length;
  const claims = critical.filter(({ belief }) => belief?.value === 'claimed' || belief?.value === 'untestable');
  if (claims.length === 0) return '';
  const claimed = `${claims.length} ${proved === 0 ? '' : 'more '}${are(claims.length)} claimed`;
  if (proved > 0) return ` Of the critical ones, ${proved} ${are(proved)} proved, and ${claimed}.`;
  const isTested = claims.some(({ verification }) => verification?.result !== 'untested');
  return isTested
    ? ` Of the critical ones, none is proved, and ${claimed}.`
    : ` No test of this service has examined the critical ones: ${claimed}, and none is proved.`;
}

const CRITICAL = severityNumber('critical');

const NO_SCOPE: Readonly<Record<ReportSnapshot['subject'], string>> = {
  event: 'No asset is named in the scope of this event.',
  job: 'The asset of this job does not exist any more, or the job tested nothing.',
  organization: 'The organization has no assets.',
};

/** Only an event has a scope. */
const assetsText = ({ subject }: ReportSnapshot, count: number): string =>
  `${pluralize(count, 'asset')}${subject === 'event' ? ' in scope' : ''}`;

/** What the report does not show. */
export function limitationsOf(snapshot: ReportSnapshot): readonly string[] {
  const { totals, scope } = snapshot;
  const { noun } = subjectTexts(snapshot);
  const { tested, untested, incomplete } = testCoverageOf(scope.in_scope);
  const { left_out } = totals;
  return [
    left_out > 0 &&
      `${pluralize(left_out, 'finding')} of this ${noun} ${are(left_out)} not in this report. "Not in this report" names ${left_out === 1 ? 'it' : 'them'} with the reason.`,
    scope.in_scope.length === 0 && NO_SCOPE[snapshot.subject],
    untested > 0 &&
      `Of ${assetsText(snapshot, scope.in_scope.length)}, ${tested} ${were(tested)} tested by the service and ${untested} ${were(untested)} not. The absence of findings says nothing about assets that were not tested.`,
    incomplete > 0 &&
      `${pluralize(incomplete, 'check')} could not be completed. The scope names each, with the reason.`,
  ].filter((sentence) => sentence !== false);
}

export function scopeSentence(snapshot: ReportSnapshot): string {
  const { scope } = snapshot;
  const { tested, untested } = testCoverageOf(scope.in_scope);
  const [inside, outside] = [scope.in_scope.length, scope.out_of_scope.length];
  if (inside === 0) return NO_SCOPE[snapshot.subject];
  if (snapshot.subject !== 'event') return testedAssetsSentence(inside, tested);
  const counts = `${pluralize(inside, 'asset')} in scope, ${outside} out of scope.`;
  if (untested === 0) return `${counts} All in scope ${were(inside)} tested by the service.`;
  if (tested === 0) return `${counts} None in scope was tested by the service.`;
  return `${counts} Of those in scope, ${tested} ${were(tested)} tested by the service and ${untested} ${were(untested)} not.`;
}

function testedAssetsSentence(all: number, tested: number): string {
  if (tested === 0) return `${pluralize(all, 'asset')}, not tested by the service.`;
  if (tested === all) return `${pluralize(all, 'asset')}, ${all === 1 ? '' : 'all '}tested by the service.`;
  return `Of ${pluralize(all, 'asset')}, ${tested} ${were(tested)} tested by the service and ${all - tested} ${were(all - tested)} not.`;
}

/** How much of the scope the service tested. */
export function testCoverageOf(assets: readonly SnapshotScopeAsset[]) {
  const tested = assets.filter(({ last_tested }) => last_tested !== null).length;
  return {
    tested,
    untested: assets.length - tested,
    completed: assets.reduce((sum, { checks_completed }) => sum + checks_completed, 0),
    incomplete: assets.reduce((sum, { not_tested }) => sum + not_tested.length, 0),
  };
}

/** A number of the summary. */
export interface Figure {
  readonly value: number;
  readonly label: string;
}

/** Without findings, how much was tested. */
export function figuresOf({ totals, scope, subject }: ReportSnapshot): readonly Figure[] {
  const { findings, open, resolved, retests } = totals;
  if (findings === 0) {
    const { tested, completed } = testCoverageOf(scope.in_scope);
    return [
      { value: findings, label: 'findings' },
      {
        value: scope.in_scope.length,
        label: subject === 'event' ? 'in scope' : scope.in_scope.length === 1 ? 'asset' : 'assets',
      },
      { value: tested, label: 'tested by the service' },
      { value: completed, label: 'checks completed' },
    ];
  }
  return [
    { value: findings, label: findings === 1 ? 'finding' : 'findings' },
    { value: open, label: 'open' },
    { value: resolved, label: 'resolved' },
    { value: retests, label: retests === 1 ? 'retest' : 'retests' },
  ];
}

const MAX_MOST_URGENT = 5;

/** The open findings at the beginning of the report. */
export const mostUrgentOf = ({ findings }: ReportSnapshot): readonly SnapshotFinding[] =>
  findings
    .filter(({ status }) => dispositionOf(status) === 'open')
    .toSorted(byUrgency)
    .slice(0, MAX_MOST_URGENT);
