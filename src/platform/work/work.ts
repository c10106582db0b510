import { Injectable } from '@nestjs/common';
import { everything } from '../api/scope';
import { UnitOfWork } from '../audit/unit-of-work';
import { Transactions } from '../database/transactions';
import { CanceledWorkRepository } from './canceled-work.repository';
import type { Claim, NewWork } from './claim';
import { WorkNotifier } from './work-notifier';
import {
  UnfinishedWorkRepository,
  type UnfinishedWork,
  type WaitingWork,
  WORKERS_SEEN,
} from './unfinished-work.repository';
import { WorkRepository } from './work.repository';
import { TenantTurns } from './tenant-turns';
import { Scheduled } from './work-handler';

/** Finished work is kept for support questions. */
const RETENTION_DAYS = 30;
const REMOVAL_BATCH = 10_000;

const scope = everything('the finished work of all organizations is removed');

/** The interface for domain modules: adds work in the current unit of work, cancels it, and returns its state. */
@Injectable()
export class Work {
  constructor(
    private readonly rows: WorkRepository,
    private readonly canceled: CanceledWorkRepository,
    private readonly unfinished: UnfinishedWorkRepository,
    private readonly notifier: WorkNotifier,
    private readonly transactions: Transactions,
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: TenantTurns,
  ) {}

  /** Part of the current transaction; workers are notified after its commit. Returns false if it is already waiting or running. */
  async enqueue(work: NewWork): Promise<boolean> {
    const added = await this.rows.add({ trace: this.unitOfWork.trace, ...work });
    this.notifyAfterCommit();
    return added;
  }

  /** The result no longer counts. A worker that runs it stops at its next renewal. */
  async cancel(kind: string, reference: string): Promise<boolean> {
    const canceled = await this.canceled.cancel(kind, reference);
    this.notifyAfterCommit();
    return canceled > 0;
  }

  /** The position in the queue of its kind and organization, from 1; null if it is not waiting for a worker. */
  async positionOf(kind: string, reference: string): Promise<number | null> {
    return (await this.findWaiting(kind, reference))?.position ?? null;
  }

  /** Undefined if it does not wait for a worker. */
  findWaiting(kind: string, reference: string): Promise<WaitingWork | undefined> {
    return this.unfinished.findWaiting(kind, reference);
  }

  /** Its state, and what its worker shows of it; undefined when it has ended. */
  findUnfinished(kind: string, reference: string): Promise<UnfinishedWork | undefined> {
    return this.unfinished.findUnfinished(kind, reference);
  }

  /** For what running work stores before its end: false if it was canceled, or another worker has it. */
  lockCurrent(claim: Claim): Promise<boolean> {
    return this.unfinished.lockCurrent(claim);
  }

  async cancelAllOf(organizationId: number): Promise<void> {
    await this.canceled.cancelAllOf(organizationId);
    this.notifyAfterCommit();
  }

  /** Ends the work of these kinds that an event has started, on one asset or on all. Its workers stop at their next renewal. */
  async cancelOfEvent(eventId: number, kinds: readonly string[], assetId: number | null = null): Promise<void> {
    await this.canceled.cancelOfEvent(eventId, kinds, assetId);
  }

  /** Whether work on this asset is running, in one event or in any, except of these kinds. */
  isRunningOn(assetId: number, eventId?: number, except?: readonly string[]): Promise<boolean> {
    return this.rows.isRunningOn(assetId, eventId, except);
  }

  /** The row of the task says that a worker runs. */
  @Scheduled(WORKERS_SEEN)
  async workersSeen(): Promise<void> {}

  @Scheduled({ name: 'work.forget', everySeconds: 3_600 })
  async removeFinished(): Promise<void> {
    await this.turns.sweep('work.forget', scope, (part) =>
      this.rows.removeFinished(part, RETENTION_DAYS, REMOVAL_BATCH),
    );
  }

  private notifyAfterCommit(): void {
    const transaction = this.transactions.current();
    if (transaction === undefined) this.notifier.notify();
    else transaction.afterCommit(() => this.notifier.notify());
  }
}
