import { SEVERITIES, type Severity } from '../../../kernel/severity';

export type Priority = 1 | 2 | 3 | 4 | 5;

const BY_SEVERITY: Readonly<Record<Severity, Priority>> = {
  cosmic: 1,
  critical: 1,
  high: 2,
  medium: 3,
  low: 4,
  info: 5,
  none: 5,
};

const MORE_URGENT: Readonly<Record<Priority, Priority>> = { 1: 1, 2: 1, 3: 2, 4: 3, 5: 4 };

/** The urgency of a finding; 1 is the most urgent. On an asset of tier 1 it is one step more urgent. */
export function priorityOf(severity: Severity, tier: number | null): Priority {
  const priority = BY_SEVERITY[severity];
  return tier === 1 ? MORE_URGENT[priority] : priority;
}

export const priorityVocabulary = ([1, 2, 3, 4, 5] as const).map((number) => ({
  number,
  severities: SEVERITIES.filter((severity) => BY_SEVERITY[severity] === number),
}));
