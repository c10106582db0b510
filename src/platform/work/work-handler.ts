import type { AuditDescription } from '../audit/audit-entry';
import type { Claim } from './claim';

/** What came of a piece of work: how to write it down, in one unit of work with the end of the claim. */
export interface Completion {
  readonly audit: AuditDescription;
  /** Applied again, after a rollback, where the database was away. */
  readonly apply: () => Promise<void>;
}

/** One kind of work. A domain module provides it and registers it with the `WorkRegistry`. */
export interface WorkHandler {
  readonly kind: string;
  /** How many slots of its own a worker has for it at the most, unless `WORKER_SLOTS` says otherwise. */
  readonly maxConcurrent?: number;
  /**
   * Does it, outside of any transaction. It may be done twice (a worker killed, or paused and overtaken), so it must
   * change nothing by itself that it may not change twice; what counts once belongs into the completion.
   */
  perform(claim: Claim, signal: AbortSignal): Promise<Completion>;
  /** What is written down when the last attempt has failed. */
  abandon(claim: Claim, reason: string): Completion;
}

/**
 * A task of the clock: begun by one worker at a time, again and again. Where it takes longer than its period another begins
 * it meanwhile, so two who are at it at once must do no harm.
 */
export interface ScheduledTask {
  readonly name: string;
  readonly everySeconds: number;
  run(): Promise<void>;
}
