import { randomUUID } from 'node:crypto';
import { system } from '../../src/platform/api/caller';
import { WorkNotifier } from '../../src/platform/work/work-notifier';
import type { Completion } from '../../src/platform/work/work-handler';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import type { RunningWorker } from './api';
import { query } from './database';

/** A kind of work of no domain, in several organizations: what is begun in which order, and ended one by one. */
export class QueuedWork {
  readonly kind = `test.${randomUUID()}`;
  /** The names under which they were added, in the order in which they were begun. */
  readonly begun: string[] = [];
  /** Whether each piece ends as soon as it is begun. */
  isInstant = false;
  private readonly ends = new Map<string, () => void>();

  /** Due since so many seconds: what was added first is due first. Without a notification. */
  async add(name: string, organizationId: number, pieces = 1, dueSeconds = 0): Promise<void> {
    await query(
      `INSERT INTO work (kind, reference, organization_id, run_at)
       SELECT $1, $2 || ' ' || gen_random_uuid(), $3, now() - make_interval(secs => $5) FROM generate_series(1, $4)`,
      [this.kind, name, organizationId, pieces, dueSeconds],
    );
  }

  /** The service's own, and no organization's. */
  async addOwn(name: string, pieces: number): Promise<void> {
    await query(
      `INSERT INTO work (kind, reference) SELECT $1, $2 || ' ' || gen_random_uuid() FROM generate_series(1, $3)`,
      [this.kind, name, pieces],
    );
  }

  /** Running under a lease that has run out: its worker was lost. */
  async addLost(name: string, organizationId: number, pieces: number): Promise<void> {
    await query(
      `INSERT INTO work (kind, reference, organization_id, state, attempt, lease_until)
       SELECT $1, $2 || ' ' || gen_random_uuid(), $3, 'running', 1, now() - interval '1 second' FROM generate_series(1, $4)`,
      [this.kind, name, organizationId, pieces],
    );
  }

  /** Lets a worker do it, and has it look for work. */
  teach({ context }: RunningWorker): void {
    context.get(WorkRegistry).register({
      kind: this.kind,
      perform: ({ reference }, signal) => this.perform(reference, signal),
      abandon: ({ reference }) => completion(reference),
    });
    context.get(WorkNotifier).notify();
  }

  /** Ends the oldest that runs under this name. */
  end(name: string): void {
    const [reference, end] = [...this.ends].find(([key]) => nameOf(key) === name) ?? [];
    if (reference === undefined || end === undefined) throw new Error(`no ${name} is running`);
    this.ends.delete(reference);
    end();
  }

  get running(): string[] {
    return [...this.ends.keys()].map(nameOf);
  }

  private async perform(reference: string, signal: AbortSignal): Promise<Completion> {
    this.begun.push(nameOf(reference));
    if (!this.isInstant) {
      await new Promise<void>((resolve) => {
        this.ends.set(reference, resolve);
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
