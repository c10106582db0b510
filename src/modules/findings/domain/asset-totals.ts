import { type Severity, severityNumber } from '../../../kernel/severity';
import { type FindingStatus, isOpen } from './finding-status';

/** What a finding's share in the totals of its asset depends on. */
export interface CountedFinding {
  readonly status: FindingStatus;
  readonly severity: number;
}

/** How many findings there are, and how many of them stand in each severity that weighs. */
export type Totals = Readonly<Record<'findings' | Exclude<Severity, 'none' | 'info'>, number>>;

const openIn = (severity: Severity, finding: CountedFinding | null): number =>
  finding !== null && isOpen(finding.status) && finding.severity === severityNumber(severity) ? 1 : 0;

/** What changes in the totals of an asset when a finding on it becomes another; null is one that was not there before. */
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
