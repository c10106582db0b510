import { DiscoveryService } from '@nestjs/core';
import type { ClassDecoratorOf, MethodDecoratorOf } from '../api/decorated-providers';
import type { AuditDescription } from '../audit/audit-entry';
import type { Claim } from './claim';

/** The result of work. It is applied in the unit of work that finishes the claim. */
export interface Completion {
  readonly audit: AuditDescription;
  /** Leaves no entry in the audit log, because what it does has a log of its own. */
  readonly isSilent?: boolean;
  /** May be called again after a rollback if the database was unavailable. */
  readonly apply: () => Promise<void>;
}

/** Runs one kind of work. Its class has the decorator `WorkKind`, and is a provider of its module. */
export interface WorkHandler {
  /** The maximum number of slots of a worker, unless `WORKER_SLOTS` sets it. */
  readonly maxConcurrent?: number;
  /** All workers together run one piece of an organization at a time. */
  readonly isOnePerOrganization?: boolean;
  /** After its failure no record says that it has ended, so the operator may run it again. */
  readonly isRepeatable?: boolean;
  /**
   * Runs outside of a transaction. It may run twice, for example after a worker was killed, so its own effects must be
   * idempotent. All other effects belong in the completion.
   */
  perform(claim: Claim, signal: AbortSignal): Promise<Completion>;
  /**
   * The completion after the last attempt has failed. `limit` is the message for users if the organization may store no more:
   * then there is only one attempt.
   */
  abandon(claim: Claim, reason: string, limit?: string): Completion;
}

export interface TaskTerms {
  readonly name: string;
  readonly everySeconds: number;
}

/**
 * A task that one worker starts in each period. If it takes longer than the period, another worker starts it meanwhile, so
 * it must tolerate concurrent runs.
 */
export interface ScheduledTask extends TaskTerms {
  run(): Promise<void>;
}

export const workKind = DiscoveryService.createDecorator<string>();
export const scheduled = DiscoveryService.createDecorator<TaskTerms>();

/** The class is the handler of this kind of work. */
export const WorkKind = (kind: string): ClassDecoratorOf<WorkHandler> => workKind(kind);

/** The method is a scheduled task. */
export const Scheduled = (terms: TaskTerms): MethodDecoratorOf<ScheduledTask['run']> => scheduled(terms);
