import type { Clock } from '../../kernel/clock';
import { growingCache } from '../../kernel/growing-cache';
import { type Budget, WINDOW_SECONDS, counterName } from './budget';
import { type Counted, RequestCounters } from './request-counters';

interface Window {
  used: number;
  readonly end: number;
}

const WINDOW_MS = WINDOW_SECONDS * 1_000;
const MAX_WINDOWS = 50_000;

/** Counts in this process only, which allows its share of each limit. */
export class LocalCounters extends RequestCounters {
  private readonly windows = growingCache<string, Window>(MAX_WINDOWS);

  constructor(
    private readonly processes: number,
    private readonly clock: Clock,
  ) {
    super();
  }

  override count(budgets: readonly Budget[], cost = 1): Counted {
    const now = this.clock.now().getTime();
    const windows = budgets.map((budget) => this.windowOf(counterName(budget), now));
    const isRefused = budgets.some(({ limit }, index) => {
      const share = this.shareOf(limit);
      return (windows[index]?.used ?? 0) + Math.min(cost, share) > share;
    });
    if (!isRefused) for (const window of windows) window.used += cost;
    return {
      isRefused,
      counts: windows.map(({ used, end }, index) => ({
        remaining: this.remaining(budgets[index]?.limit ?? 0, used),
        resetMs: end - now,
      })),
    };
  }

  private windowOf(name: string, now: number): Window {
    const known = this.windows.get(name);
    // A clock that was set back must not prolong a window.
    if (known !== undefined && known.end > now && known.end - now <= WINDOW_MS) return known;
    const window = { used: 0, end: now + WINDOW_MS };
    this.windows.set(name, window);
    return window;
  }

  private shareOf(limit: number): number {
    return Math.ceil(limit / this.processes);
  }

  /** Of the whole limit, if the other processes have received as many requests. */
  private remaining(limit: number, used: number): number {
    return Math.max(0, limit - used * this.processes);
  }
}
