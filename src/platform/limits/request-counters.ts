import type { Budget } from './budget';

/** A budget after a request. */
export interface Count {
  readonly remaining: number;
  /** Until its window ends. */
  readonly resetMs: number;
}

export interface Counted {
  /** Whether a budget was used up. Then the request counts in none of them. */
  readonly isRefused: boolean;
  /** For each budget. */
  readonly counts: readonly Count[];
}

/** Counts requests in windows of a minute. The window of a budget begins with its first request. */
export abstract class RequestCounters {
  /** Counts a request as this many, or as all that a smaller budget has. */
  abstract count(budgets: readonly Budget[], cost?: number): Counted | Promise<Counted>;
}
