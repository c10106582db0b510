import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Transactions } from '../database/transactions';
import type { NewWork } from './claim';
import { WorkNotifier } from './work-notifier';
import { WorkRegistry } from './work-registry';
import { WorkRepository } from './work.repository';

/** Finished work is of use only to whoever asks what became of it. */
const RETENTION_DAYS = 30;
const REMOVAL_BATCH = 10_000;

/** What a domain module asks of work: to add it in its own unit of work, to cancel it, to know whether it runs. */
@Injectable()
export class Work implements OnModuleInit {
  constructor(
    private readonly rows: WorkRepository,
    private readonly notifier: WorkNotifier,
    private readonly transactions: Transactions,
    private readonly registry: WorkRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.schedule({
      name: 'work.forget',
      everySeconds: 3_600,
      run: () => this.removeFinished(),
    });
  }

  /** Part of the current transaction; workers are notified after its commit. Returns false if it is already unfinished. */
  async enqueue(work: NewWork): Promise<boolean> {
    const added = await this.rows.add(work);
    this.notifyAfterCommit();
    return added;
  }

  /** Whoever works on it learns of it at the next heartbeat; its result no longer counts from now on. */
  async cancel(kind: string, reference: string): Promise<boolean> {
    const canceled = await this.rows.cancel(kind, reference);
    this.notifyAfterCommit();
    return canceled > 0;
  }

  /** Its place among what waits of its kind and organization, 1 for the next; null if it does not wait for a worker. */
  positionOf(kind: string, reference: string): Promise<number | null> {
    return this.rows.positionOf(kind, reference);
  }

  async cancelAllOf(organizationId: number): Promise<void> {
    await this.rows.cancelAllOf(organizationId);
    this.notifyAfterCommit();
  }

  /** Whether a worker is busy with this asset now, in one event or in any. */
  isRunningOn(assetId: number, eventId?: number): Promise<boolean> {
    return this.rows.isRunningOn(assetId, eventId);
  }

  private async removeFinished(): Promise<void> {
    while ((await this.rows.removeFinished(RETENTION_DAYS, REMOVAL_BATCH)) > 0);
  }

  private notifyAfterCommit(): void {
    const transaction = this.transactions.current();
    if (transaction === undefined) this.notifier.notify();
    else transaction.afterCommit(() => this.notifier.notify());
  }
}
