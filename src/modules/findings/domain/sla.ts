import { addDays, dayOf } from '../../../kernel/day';
import { SEVERITIES, type Severity } from '../../../kernel/severity';

export const SLA_SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

/** The days in which findings of each severity are to be fixed; null for no limit. */
export type Sla = Readonly<Record<(typeof SLA_SEVERITIES)[number], number | null>>;

export const MAX_SLA_DAYS = 3_650;

/** The limits of organizations that have not changed them. */
export const defaultSla: Sla = { critical: 7, high: 30, medium: 90, low: 180 };

/** The field of the SLA that applies to each severity; null for no limit. */
export const LIMIT_OF_SEVERITY: Readonly<Record<Severity, keyof Sla | null>> = {
  none: null,
  info: null,
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
  cosmic: 'critical',
};

/** The last day to fix a finding whose SLA counts from `start`; null for no limit. */
export function dueDateOf(sla: Sla, severity: Severity, start: string): string | null {
  const limit = LIMIT_OF_SEVERITY[severity];
  const days = limit === null ? null : sla[limit];
  return days === null ? null : addDays(start, days);
}

interface DatedFinding {
  readonly severity: number;
  readonly created: Date;
  readonly deadlineStart: string | null;
  readonly dueDate: string | null;
  readonly dueByHand: boolean;
}

/** The new SLA start and due date of a finding that is seen again after a proved fix. */
export function renewedTerm(sla: Sla, finding: DatedFinding, now: Date) {
  const renewed = { ...finding, deadlineStart: dayOf(now) };
  return { deadlineStart: renewed.deadlineStart, dueDate: dueDateOfFinding(sla, renewed) };
}

/** The due date by the SLA, unless a person has set it. */
export function dueDateOfFinding(sla: Sla, finding: DatedFinding): string | null {
  const { severity, created, deadlineStart, dueDate, dueByHand } = finding;
  return dueByHand ? dueDate : dueDateOf(sla, SEVERITIES[severity] ?? 'none', deadlineStart ?? dayOf(created));
}
