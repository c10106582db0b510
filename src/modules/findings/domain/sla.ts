import type { Severity } from '../../../kernel/severity';
import { addDays } from '../../../kernel/day';

export const SLA_SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

/** The days in which findings of each severity are to be fixed; null for no limit. */
export type Sla = Readonly<Record<(typeof SLA_SEVERITIES)[number], number | null>>;

export const MAX_SLA_DAYS = 3_650;

/** For organizations that have not changed it. */
export const defaultSla: Sla = { critical: 7, high: 30, medium: 90, low: 180 };

/** Cosmic findings have the limit of critical ones; `info` and `none` have no limit. */
const daysFor = (sla: Sla, severity: Severity): number | null => {
  if (severity === 'none' || severity === 'info') return null;
  return sla[severity === 'cosmic' ? 'critical' : severity];
};

/** The last day to fix a finding whose SLA counts from `start`; null for no limit. */
export function dueDateOf(sla: Sla, severity: Severity, start: string): string | null {
  const days = daysFor(sla, severity);
  return days === null ? null : addDays(start, days);
}
