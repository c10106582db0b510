import { randomUUID } from 'node:crypto';
import { system } from '../../src/platform/api/caller';
import { WorkNotifier } from '../../src/platform/work/work-notifier';
import type { Completion } from '../../src/platform/work/work-handler';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import type { RunningWorker } from './api';
import { query } from './database';

/** A kind of work for tests that records the order in which a worker starts it, and ends when the test says so. */
export class OrderedTestWork {
  readonly kind = `test.${randomUUID()}`;
  /** The names of the pieces of work in the order in which they were started. */
  readonly started: string[] = [];
  /** Whether each piece ends as soon as it is started. */
  finishesAtOnce = false;
  isOnePerOrganization = false;
  private readonly finishers = new Map<string, () => void>();

  /** Adds work that has been due for `dueSeconds`, without a work notification. */
  async add(name: string, organizationId: number, pieces = 1, dueSeconds = 0): Promise<void> {
    await query(
      `INSERT INTO work (kind, reference, organization_id, run_at)
       SELECT $1, $2 || ' ' || gen_random_uuid(), $3, now() - make_interval(secs => $5) FROM generate_series(1, $4)`,
      [this.kind, name, organizationId, pieces, dueSeconds],
    );
  }

  /** Work of the service itself, without an organization. */
  async addWithoutOrganization(name: string, pieces: number): Promise<void> {
    await query(
      `INSERT INTO work (kind, reference) SELECT $1, $2 || ' ' || gen_random_uuid() FROM generate_series(1, $3)`,
      [this.kind, name, pieces],
    );
  }

  /** Running work whose worker was lost. */
  async addWithExpiredLease(name: string, organizationId: number, pieces: number): Promise<void> {
    await query(
      `INSERT INTO work (kind, reference, organization_id, state, attempt, lease_until)
       SELECT $1, $2 || ' ' || gen_random_uuid(), $3, 'running', 1, now() - interval '1 second' FROM generate_series(1, $4)`,
      [this.kind, name, organizationId, pieces],
    );
  }

  /** Registers this kind of work with a worker and notifies it. */
  registerWith({ context }: RunningWorker): void {
    context.get(WorkRegistry).register(this.kind, {
      isOnePerOrganization: this.isOnePerOrganization,
      perform: ({ reference }, signal) => this.perform(reference, signal),
      abandon: ({ reference }) => completion(reference),
    });
    context.get(WorkNotifier).notify();
  }

  /** Ends the piece with this name that has been running longest. */
  finish(name: string): void {
    const [reference, finish] = [...this.finishers].find(([key]) => nameOf(key) === name) ?? [];
    if (reference === undefined || finish === undefined) throw new Error(`no ${name} is running`);
    this.finishers.delete(reference);
    finish();
  }

  async countFinished(): Promise<number> {
    return (await query(`SELECT FROM work WHERE kind = $1 AND state = 'done'`, [this.kind])).length;
  }

  get running(): string[] {
    return [...this.finishers.keys()].map(nameOf);
  }

  private async perform(reference: string, signal: AbortSignal): Promise<Completion> {
    this.started.push(nameOf(reference));
    if (!this.finishesAtOnce) {
      await new Promise<void>((resolve) => {
        this.finishers.set(reference, resolve);
        signal.addEventListener('abort', () => resolve());
      });
      signal.throwIfAborted();
    }
    return completion(reference);
  }
}

const nameOf = (reference: string): string => reference.split(' ', 1)[0] ?? '';

const completion = (reference: string): Completion => ({
  audit: {
    actor: system,
    operation: 'test.end',
    resourceType: 'finding',
    resourceId: reference,
    organizationId: null,
  },
  apply: async () => undefined,
});
