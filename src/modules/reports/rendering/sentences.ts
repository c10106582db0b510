import { severityNumber } from '../../../kernel/severity';
import type { ReportSnapshot, SnapshotScopeAsset } from '../domain/report-snapshot';
import type { SnapshotSummary } from '../domain/snapshot-summary';
import { grouped, joinWithAnd, pluralize, severityLabel } from './text-format';
import { subjectTexts } from './subject-texts';

const were = (count: number): string => (count === 1 ? 'was' : 'were');
const are = (count: number): string => (count === 1 ? 'is' : 'are');

/** The result of the report in one sentence. */
export function resultSentence({ totals, summary }: Pick<ReportSnapshot, 'totals' | 'summary'>): string {
  const { findings, open, resolved } = totals;
  if (findings === 0) return 'No finding was seen in the period of this report.';
  const setAside = findings - open - resolved;
  const parts = [
    ...(resolved > 0 ? [`${grouped(resolved)} ${are(resolved)} resolved`] : []),
    ...(setAside > 0 ? [`${grouped(setAside)} ${are(setAside)} set aside by a decision`] : []),
  ];
  if (open === 0) return `None of ${pluralize(findings, 'finding')} is open: ${joinWithAnd(parts)}.`;
  const worst = summary.severities
    .filter((row) => row.open > 0)
    .slice(0, 3)
    .map((row) => `${grouped(row.open)} ${severityLabel(row.severity).toLowerCase()}`);
  return `${grouped(open)} of ${pluralize(findings, 'finding')} ${are(open)} open: ${joinWithAnd(worst)}${criticalClause(summary)}.`;
}

function criticalClause({ severities }: SnapshotSummary): string {
  const critical = severities.filter(({ severity }) => severityNumber(severity) >= CRITICAL);
  const sum = (...of: ('proved' | 'claimed' | 'untestable')[]): number =>
    critical.reduce((total, row) => total + of.reduce((count, belief) => count + row[belief], 0), 0);
  const [proved, others] = [sum('proved'), sum('claimed', 'untestable')];
  if (proved + others === 0) return '';
  const notProved = proved === 0 || others === 0 ? '' : ` and ${grouped(others)} ${are(others)} not`;
  return `; of the critical ones, ${proved === 0 ? 'none is' : `${grouped(proved)} ${are(proved)}`} proved${notProved}`;
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
