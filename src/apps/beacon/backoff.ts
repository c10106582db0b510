/** Pauses double from the first to the longest. Each is at least half as long as that, and the rest is random. */
const PAUSES = {
  /** The network or the service is down: it must not take long until the beacon is back. */
  lost: { first: 1_000, longest: 10_000 },
  /** A setting must be changed first. */
  refused: { first: 4_000, longest: 60_000 },
} as const;

/** How long the agent waits before it connects again, so that many agents do not return at the same moment. */
export class Backoff {
  private attempts = 0;

  constructor(private readonly random: () => number = Math.random) {}

  reset(): void {
    this.attempts = 0;
  }

  /** In milliseconds. `retryAfter` is what the service asks for, in seconds, up to the longest pause. */
  next(isRefusal: boolean, retryAfter = 0): number {
    const { first, longest } = isRefusal ? PAUSES.refused : PAUSES.lost;
    const pause = Math.min(longest, first * 2 ** Math.min(this.attempts, 10));
    this.attempts += 1;
    const jittered = pause / 2 + (pause / 2) * this.random();
    return Math.round(Math.max(jittered, Math.min(1_000 * retryAfter, longest)));
  }
}
