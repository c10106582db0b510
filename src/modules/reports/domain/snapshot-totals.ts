import { SEVERITIES, type Severity, severityFromScore } from '../../../kernel/severity';
import { beliefRankOf } from '../../findings/domain/belief';
import { findingStatusVocabulary, isOpen, type FindingStatus } from '../../findings/domain/finding-status';
import { retestResultVocabulary } from '../../retests/domain/retest-status';
import type { ReportSnapshot } from './report-snapshot';
import type { SnapshotFinding } from './snapshot-finding';
import type { CountedFinding } from './snapshot-summary';

export { wordOfStatus } from '../../findings/domain/finding-status';

/**
 * The totals of all findings of a report, with the retests of those that it has in full; `ofSubject` counts those of its subject,
 * included or not.
 */
export function totalsOf(
  findings: readonly CountedFinding[],
  inFull: readonly Pick<SnapshotFinding, 'retests'>[],
  ofSubject: number,
): ReportSnapshot['totals'] {
  const bySeverity = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<Severity, number>;
  const byStatus = new Map<number, number>();
  for (const { severity, status } of findings) {
    bySeverity[severity]++;
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }
  return {
    findings: findings.length,
    left_out: Math.max(0, ofSubject - findings.length),
    open: findings.filter(({ status }) => isOpen(status as FindingStatus)).length,
    resolved: findings.filter(({ resolved }) => resolved !== null).length,
    retests: inFull.reduce((sum, { retests }) => sum + retests.length, 0),
    by_severity: bySeverity,
    by_status: findingStatusVocabulary.flatMap(({ number: status, name }) => {
      const count = byStatus.get(status);
      return count === undefined ? [] : [{ status, name, count }];
    }),
  };
}

/** By priority, and within it proved findings first and refuted ones last. The order among equals stays. */
export const byUrgency = (one: SnapshotFinding, other: SnapshotFinding): number =>
  one.priority - other.priority || rankOf(other) - rankOf(one);

const rankOf = ({ verification }: SnapshotFinding): number =>
  beliefRankOf({ verification: verification?.result ?? 'untested', isSupported: false });

const scores = Array.from({ length: 101 }, (_, index) => index / 10);

/** The lowest score of a severity; null for those that are stated and never scored. */
function lowestScoreOf(severity: Severity): string | null {
  const lowest = scores.find((score) => severityFromScore(score) === severity);
  return lowest === undefined ? null : lowest.toFixed(1);
}

/** The vocabulary of a report, so that it can be read without asking the service. */
export const snapshotVocabulary: ReportSnapshot['vocabulary'] = {
  severities: SEVERITIES.map((name) => ({ name, from: lowestScoreOf(name) })),
  statuses: findingStatusVocabulary.map(({ number, name }) => ({ number, name })),
  retest_results: retestResultVocabulary.map(({ name }) => name),
};
