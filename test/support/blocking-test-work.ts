import { randomUUID } from 'node:crypto';
import { system } from '../../src/platform/api/caller';
import type { Completion } from '../../src/platform/work/work-handler';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import type { RunningWorker } from './api';
import { query } from './database';

export interface WorkRow {
  readonly state: string;
  readonly attempt: number;
  readonly failures: number;
}

interface RowValues {
  readonly state?: 'waiting' | 'running';
  readonly failures?: number;
  /** How long the lease lasts from now, as a PostgreSQL interval. */
  readonly lease?: string;
}

/** A kind of work for tests that runs until the test releases it. */
export class BlockingTestWork {
  readonly kind = `test.${randomUUID()}`;
  maxConcurrent: number | undefined;
  startedCount = 0;
  finishedCount = 0;
  /** The next attempt throws this error. */
  failure: Error | undefined;
  /** References whose `abandon` always fails. */
  readonly failingAbandonReferences = new Set<string>();
  private resolveGate = (): void => undefined;
  private readonly released = new Promise<void>((resolve) => (this.resolveGate = resolve));

  release(): void {
    this.resolveGate();
  }

  /** Adds a row without a work notification. */
  async add({ state = 'waiting', failures = 0, lease }: RowValues = {}): Promise<string> {
    const reference = randomUUID();
    await query(
      `INSERT INTO work (kind, reference, state, attempt, failures, lease_until)
       VALUES ($1, $2, $3, $4, $5, now() + $6::interval)`,
      [this.kind, reference, state, state === 'running' ? failures + 1 : failures, failures, lease ?? null],
    );
    return reference;
  }

  async row(reference: string): Promise<WorkRow> {
    const [row] = await query<WorkRow>('SELECT state, attempt, failures FROM work WHERE reference = $1', [reference]);
    if (row === undefined) throw new Error(`there is no work ${reference}`);
    return row;
  }

  /** Seconds until the lease expires; negative when it has expired. */
  async leaseSeconds(reference: string): Promise<number> {
    const [row] = await query<{ seconds: number }>(
      `SELECT extract(epoch FROM lease_until - now())::float8 AS seconds FROM work WHERE reference = $1`,
      [reference],
    );
    return row?.seconds ?? Number.NaN;
  }

  /** The statuses of the audit entries for its end. */
  async auditedEnds(reference: string): Promise<string[]> {
    const entries = await query<{ status: string }>(
      `SELECT status FROM audit_logs WHERE operation = 'test.end' AND resource_id = $1`,
      [reference],
    );
    return entries.map(({ status }) => status);
  }

  /** Registers this kind of work with a worker. */
  registerWith({ context }: RunningWorker): void {
    context.get(WorkRegistry).register(this.kind, {
      maxConcurrent: this.maxConcurrent,
      perform: ({ reference }, signal) => this.perform(reference, signal),
      abandon: ({ reference }) =>
        completion(reference, async () => {
          if (this.failingAbandonReferences.has(reference)) throw new Error('abandon failed');
        }),
    });
  }

  private async perform(reference: string, signal: AbortSignal): Promise<Completion> {
    this.startedCount++;
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await Promise.race([this.released, stopped]);
    signal.throwIfAborted();
    this.finishedCount++;
    return completion(reference, async () => undefined);
  }
}

const completion = (reference: string, apply: () => Promise<void>): Completion => ({
  audit: {
    actor: system,
    operation: 'test.end',
    resourceType: 'finding',
    resourceId: reference,
    organizationId: null,
  },
  apply,
});
