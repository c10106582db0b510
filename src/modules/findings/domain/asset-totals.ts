import { type Severity, severityNumber } from '../../../kernel/severity';
import { type FindingStatus, isOpen } from './finding-status';

/** The fields that decide how a finding counts in the totals of its asset. */
export interface CountedFinding {
  readonly status: FindingStatus;
  readonly severity: number;
}

/** The number of findings, and of the open ones in each severity that counts for the risk score. */
export type Totals = Readonly<Record<'findings' | Exclude<Severity, 'none' | 'info'>, number>>;

const openIn = (severity: Severity, finding: CountedFinding | null): number =>
  finding !== null && isOpen(finding.status) && finding.severity === severityNumber(severity) ? 1 : 0;

/** The change of the totals when a finding changes. `before` is null if the finding was not on the asset. */
export function changeOfTotals(before: CountedFinding | null, after: CountedFinding): Totals {
  const change = (severity: Severity): number => openIn(severity, after) - openIn(severity, before);
  return {
    findings: before === null ? 1 : 0,
    low: change('low'),
    medium: change('medium'),
    high: change('high'),
    critical: change('critical'),
    cosmic: change('cosmic'),
  };
}

export const isNoChange = (change: Totals): boolean => Object.values(change).every((count) => count === 0);
