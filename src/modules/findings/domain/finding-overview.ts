/** The weeks that an overview covers. The last of them ends now. */
export const OVERVIEW_WEEKS = 12;

/** Upper limits, in days, of the age groups of open findings. The last group has no limit. */
export const AGE_LIMITS = [7, 30, 90] as const;

/** The number of open findings of one severity in each age. */
export interface OpenBySeverity {
  readonly severity: number;
  readonly ages: readonly number[];
}

export interface Week {
  readonly found: number;
  readonly fixed: number;
  /** Open findings at the end of the week, by the number of the severity. */
  readonly open: Readonly<Record<number, number>>;
}

export interface FindingsOfDay {
  /** Of UTC, as in 2026-03-02. */
  readonly day: string;
  readonly found: number;
  readonly fixed: number;
}

export interface RiskyAsset {
  readonly id: number;
  readonly riskScore: string;
  readonly open: number;
}

export interface Fixes {
  readonly count: number;
  /** Proved by a test, not only stated by a person. */
  readonly verified: number;
  /** How many of them had a due date, and how many of these were fixed in time. */
  readonly due: number;
  readonly kept: number;
  /** The worst first. */
  readonly medians: readonly { readonly severity: number; readonly seconds: number }[];
}

/** The statistics of an organization. Stored as JSON, so it contains no Date objects. */
export interface FindingOverview {
  readonly open: readonly OpenBySeverity[];
  /** The oldest first. */
  readonly weeks: readonly Week[];
  /** The fixes in these weeks. */
  readonly fixes: Fixes;
  /** The riskiest first. */
  readonly riskiest: readonly RiskyAsset[];
}

/** Used instead of a week number for what is open now. */
export const NOW = -1;

/** The changes of one severity in a week. `change` is how many more findings were open after it. */
export interface WeekOfSeverity {
  readonly week: number;
  readonly severity: number;
  readonly found: number;
  readonly fixed: number;
  readonly change: number;
}

export interface AgeOfSeverity {
  readonly severity: number;
  readonly age: number;
  readonly count: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Severities with open findings, the worst first. */
export function openBySeverity(rows: readonly AgeOfSeverity[]): OpenBySeverity[] {
  const severities = [...new Set(rows.map(({ severity }) => severity))].sort((one, other) => other - one);
  const countOf = (severity: number, age: number): number =>
    sum(rows.filter((row) => row.severity === severity && row.age === age).map(({ count }) => count));
  return severities.map((severity) => ({
    severity,
    ages: [...AGE_LIMITS, Infinity].map((_limit, age) => countOf(severity, age)),
  }));
}

/** Computes the open findings of earlier weeks from those that are open now. */
export function weeksBefore(now: readonly OpenBySeverity[], rows: readonly WeekOfSeverity[]): Week[] {
  const open = new Map(now.map(({ severity, ages }) => [severity, sum(ages)]));
  const weeks: Week[] = [];
  for (let week = OVERVIEW_WEEKS - 1; week >= 0; week--) {
    const changed = rows.filter((row) => row.week === week);
    weeks.unshift({
      found: sum(changed.map(({ found }) => found)),
      fixed: sum(changed.map(({ fixed }) => fixed)),
      open: Object.fromEntries([...open].filter(([, count]) => count > 0)),
    });
    for (const { severity, change } of changed) open.set(severity, (open.get(severity) ?? 0) - change);
  }
  return weeks;
}

/** The rows must include those of NOW. */
export const weeksWithNow = (rows: readonly WeekOfSeverity[]): Week[] =>
  weeksBefore(
    rows.filter(({ week }) => week === NOW).map(({ severity, change }) => ({ severity, ages: [change] })),
    rows,
  );
