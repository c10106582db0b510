import type { AuditDescription } from '../audit/audit-entry';
import type { Claim } from './claim';

/** The result of work. It is applied in the unit of work that finishes the claim. */
export interface Completion {
  readonly audit: AuditDescription;
  /** May be called again after a rollback if the database was unavailable. */
  readonly apply: () => Promise<void>;
}

/** One kind of work. A domain module provides it and registers it with the `WorkRegistry`. */
export interface WorkHandler {
  readonly kind: string;
  /** The maximum number of slots of a worker, unless `WORKER_SLOTS` sets it. */
  readonly maxConcurrent?: number;
  /** All workers together run one piece of an organization at a time. */
  readonly isOnePerOrganization?: boolean;
  /**
   * Runs outside of a transaction. It may run twice, for example after a worker was killed, so its own effects must be
   * idempotent. All others belong into the completion.
   */
  perform(claim: Claim, signal: AbortSignal): Promise<Completion>;
  /**
   * The completion after the last attempt has failed. `limit` says so to people if the organization may store no more: then
   * there is one attempt only.
   */
  abandon(claim: Claim, reason: string, limit?: string): Completion;
}

/**
 * A task that one worker starts in each period. If it takes longer than the period, another worker starts it meanwhile, so
 * it must tolerate concurrent runs.
 */
export interface ScheduledTask {
  readonly name: string;
  readonly everySeconds: number;
  run(): Promise<void>;
}
