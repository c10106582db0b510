import { type Severity, severityNumber } from '../../../kernel/severity';
import { type FindingStatus, stands } from './finding-status';

/** What a finding's share in the totals of its asset depends on. */
export interface Weighed {
  readonly status: FindingStatus;
  readonly severity: number;
}

/** How many findings there are, and how many of them stand in each severity that weighs. */
export type Totals = Readonly<Record<'findings' | Exclude<Severity, 'none' | 'info'>, number>>;

const standsIn = (severity: Severity, finding: Weighed | null): number =>
  finding !== null && stands(finding.status) && finding.severity === severityNumber(severity) ? 1 : 0;

/** What changes in the totals of an asset when a finding on it becomes another; null is one that was not there before. */
export function changeOfTotals(before: Weighed | null, after: Weighed): Totals {
  const change = (severity: Severity): number => standsIn(severity, after) - standsIn(severity, before);
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
