import type { TargetState } from './target-state';

/** Targets in one state, of one kind. */
export interface TargetCount {
  readonly isAsset: boolean;
  readonly state: TargetState;
  readonly isDue: boolean;
  readonly count: number;
  /** Tested since the start of the day, and never. */
  readonly lately: number;
  readonly never: number;
  readonly nextDue: Date | null;
}

export interface TargetTotals {
  readonly done: number;
  readonly running: number;
  readonly waiting: number;
  readonly notTestable: number;
  readonly testedToday: number;
  readonly neverTested: number;
}

/** A target that is due again waits. */
export function totalsOf(counts: readonly TargetCount[]): TargetTotals {
  const sum = (of: (count: TargetCount) => number): number => counts.reduce((total, count) => total + of(count), 0);
  const numberOf = (isCounted: (count: TargetCount) => boolean): number =>
    sum((count) => (isCounted(count) ? count.count : 0));
  return {
    done: numberOf(({ state, isDue }) => state === 'done' && !isDue),
    running: numberOf(({ state }) => state === 'running'),
    waiting: numberOf(({ state, isDue }) => state === 'waiting' || (state === 'done' && isDue)),
    notTestable: numberOf(({ state }) => state === 'not_testable'),
    testedToday: sum(({ lately }) => lately),
    neverTested: sum(({ never }) => never),
  };
}
