/** The reason for checks that did not run within the time limit of a job. */
export const NO_TIME = 'the job had no time left for it, because the target responds slowly';

/** When sending must stop, and why. What was tested until then counts. */
export interface Interruption {
  readonly inMs: number;
  readonly reason: string;
}

/** Thrown when nothing more may be sent. */
export class InterruptedError extends Error {}

/** The maximum time for the last look at the target. */
const LAST_LOOK_MS = 20_000;

/** Stops the checks before the interruption, so that the last look at the target is still in time. */
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
