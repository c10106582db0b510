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
  /** Until when it is somebody's, from now. */
  readonly lease?: string;
}

/** A kind of work of no domain, that lasts until the test lets it go. */
export class HeldWork {
  readonly kind = `test.${randomUUID()}`;
  mostAtOnce: number | undefined;
  begun = 0;
  performed = 0;
  /** What the next of them fails with, before it comes to anything. */
  failure: Error | undefined;
  /** Those whose giving up fails too, every time. */
  readonly hopeless = new Set<string>();
  private letGo = (): void => undefined;
  private readonly gate = new Promise<void>((resolve) => (this.letGo = resolve));

  release(): void {
    this.letGo();
  }

  /** Without a bell. */
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

  /** How long it is still somebody's; less than nothing when its lease has run out. */
  async leaseSeconds(reference: string): Promise<number> {
    const [row] = await query<{ seconds: number }>(
      `SELECT extract(epoch FROM lease_until - now())::float8 AS seconds FROM work WHERE reference = $1`,
      [reference],
    );
    return row?.seconds ?? Number.NaN;
  }

  /** What the log says of its end. */
  async ends(reference: string): Promise<string[]> {
    const entries = await query<{ status: string }>(
      `SELECT status FROM audit_logs WHERE operation = 'test.end' AND resource_id = $1`,
      [reference],
    );
    return entries.map(({ status }) => status);
  }

  /** Lets a worker do it. */
  teach({ context }: RunningWorker): void {
    context.get(WorkRegistry).register({
      kind: this.kind,
      maxConcurrent: this.mostAtOnce,
      perform: ({ reference }, signal) => this.perform(reference, signal),
      abandon: ({ reference }) =>
        completion(reference, async () => {
          if (this.hopeless.has(reference)) throw new Error('It cannot be given up.');
        }),
    });
  }

  private async perform(reference: string, signal: AbortSignal): Promise<Completion> {
    this.begun++;
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await Promise.race([this.gate, stopped]);
    signal.throwIfAborted();
    this.performed++;
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
