import { SEVERITIES } from '../../../../kernel/severity';
import type { ReportSnapshot, SnapshotScopeAsset } from '../../domain/report-snapshot';
import { counted } from '../html/words';
import { enumerated } from './phrases';
import { standingOf } from './standing';

const were = (count: number): string => (count === 1 ? 'was' : 'were');
const are = (count: number): string => (count === 1 ? 'is' : 'are');

/** How it stands, for who reads one sentence. */
export function verdictOf(snapshot: ReportSnapshot): string {
  const { findings, standing, resolved } = snapshot.totals;
  if (findings === 0) return 'No finding was seen in the period of this report.';
  if (standing === findings) return `${counted(findings, 'finding')}, and nothing is resolved yet.${worstOf(snapshot)}`;
  const aside = findings - standing - resolved;
  const parts = [
    ...(standing > 0 ? [counted(standing, 'stands', 'stand')] : []),
    ...(resolved > 0 ? [`${resolved} ${are(resolved)} resolved`] : []),
    ...(aside > 0 ? [`${aside} ${are(aside)} set aside by a decision`] : []),
  ];
  return `Of ${counted(findings, 'finding')}, ${enumerated(parts)}.${worstOf(snapshot)}`;
}

function worstOf({ findings }: ReportSnapshot): string {
  const standing = findings.filter(({ status }) => standingOf(status) === 'stands');
  const worst = SEVERITIES.toReversed()
    .map((severity) => ({ severity, count: standing.filter((one) => one.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .slice(0, 3)
    .map(({ severity, count }) => `${count} ${severity}`);
  return worst.length === 0 ? ' Nothing of it still stands.' : ` The most severe that stand: ${enumerated(worst)}.`;
}

/** What a reader has to know so as not to take the report for more than it is. */
export function caveatsOf({ totals, scope }: ReportSnapshot): readonly string[] {
  const { tested, untested, incomplete } = reachOf(scope.in_scope);
  const { left_out } = totals;
  return [
    left_out > 0 &&
      `${counted(left_out, 'finding')} of this event ${are(left_out)} not in this report: its period or its options leave ${left_out === 1 ? 'it' : 'them'} out.`,
    scope.in_scope.length === 0 && 'No asset is named in the scope of this event.',
    untested > 0 &&
      `Of ${counted(scope.in_scope.length, 'asset')} in scope, ${tested} ${were(tested)} tested by the service and ${untested} ${were(untested)} not. Where nothing was tested, the lack of findings says nothing.`,
    incomplete > 0 && `${counted(incomplete, 'check')} could not be completed. The scope names each, with the reason.`,
  ].filter((sentence) => sentence !== false);
}

export function scopeSentence({ scope }: ReportSnapshot): string {
  const { tested, untested } = reachOf(scope.in_scope);
  const [inside, outside] = [scope.in_scope.length, scope.out_of_scope.length];
  if (inside === 0) return 'No asset is named in the scope of this event.';
  const counts = `${counted(inside, 'asset')} in scope, ${outside} out of scope.`;
  if (untested === 0) return `${counts} All in scope ${were(inside)} tested by the service.`;
  if (tested === 0) return `${counts} None in scope was tested by the service.`;
  return `${counts} Of those in scope, ${tested} ${were(tested)} tested by the service and ${untested} ${were(untested)} not.`;
}

/** How far the testing of the service went. */
export function reachOf(assets: readonly SnapshotScopeAsset[]) {
  const tested = assets.filter(({ last_tested }) => last_tested !== null).length;
  return {
    tested,
    untested: assets.length - tested,
    completed: assets.reduce((sum, { checks_completed }) => sum + checks_completed, 0),
    incomplete: assets.reduce((sum, { not_tested }) => sum + not_tested.length, 0),
  };
}
