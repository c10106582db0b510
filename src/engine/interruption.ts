/** Of checks that a job could not run within its limit. */
export const NO_TIME = 'the job had no time left for it, because the target responds slowly';

/** When nothing more may be sent, and why. What was tested until then counts. */
export interface Interruption {
  readonly inMs: number;
  readonly reason: string;
}

/** Nothing more may be sent. */
export class InterruptedError extends Error {}

/** At most this is left for the last look at the target. */
const LAST_LOOK_MS = 20_000;

/** Ends the checks before the interruption, so that the last look at the target is not outside of it either. */
export class InterruptionTimer {
  private readonly early = new AbortController();
  private readonly late = new AbortController();
  private readonly timers: readonly NodeJS.Timeout[];

  constructor({ inMs, reason }: Interruption) {
    const abort = (controller: AbortController, ms: number): NodeJS.Timeout =>
      setTimeout(() => controller.abort(new InterruptedError(reason)), Math.max(0, ms));
    this.timers = [abort(this.early, inMs - Math.min(LAST_LOOK_MS, inMs / 2)), abort(this.late, inMs)];
  }

  get checks(): AbortSignal {
    return this.early.signal;
  }

  get everything(): AbortSignal {
    return this.late.signal;
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }
}
