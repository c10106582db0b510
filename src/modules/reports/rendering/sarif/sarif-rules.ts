import type { ReportingDescriptor } from 'sarif';
import { type Severity, severityNumber } from '../../../../kernel/severity';
import type { SnapshotFinding } from '../../domain/snapshot-finding';

/** What stands for a severity where nobody gave a score; consumers make their own bands of it. */
const TYPICAL_SCORES: Readonly<Record<Severity, number | null>> = {
  cosmic: 10,
  critical: 9.5,
  high: 8,
  medium: 5.5,
  low: 2.5,
  info: null,
  none: null,
};

export const scoreOf = ({ score, severity }: SnapshotFinding): number | null => score ?? TYPICAL_SCORES[severity];

/** A check is a rule. What a person recorded is known by its title, and so is its rule: the same on every asset. */
export const ruleIdOf = ({ check, fingerprint }: SnapshotFinding): string =>
  check ?? `finding-${fingerprint.slice(0, 16)}`;

const isWorse = (one: SnapshotFinding, other: SnapshotFinding): boolean =>
  severityNumber(one.severity) > severityNumber(other.severity) ||
  (one.severity === other.severity && (scoreOf(one) ?? 0) > (scoreOf(other) ?? 0));

/** One for all findings of its kind, as severe as the worst of them. */
export function rulesOf(findings: readonly SnapshotFinding[]): ReportingDescriptor[] {
  const worst = new Map<string, SnapshotFinding>();
  for (const finding of findings) {
    const id = ruleIdOf(finding);
    const known = worst.get(id);
    if (known === undefined || isWorse(finding, known)) worst.set(id, finding);
  }
  return [...worst].map(([id, finding]) => ruleOf(id, finding));
}

function ruleOf(id: string, finding: SnapshotFinding): ReportingDescriptor {
  const score = scoreOf(finding);
  return {
    id,
    shortDescription: { text: finding.title },
    properties: {
      tags: ['security'],
      ...(score !== null && { 'security-severity': score.toFixed(1) }),
    },
  };
}
