import { type Config, ConfigError } from '../config/load-config';
import type { WorkRegistry } from './work-registry';

/** The number of slots that one worker has for each kind of work. */
export class WorkerSlots {
  constructor(
    private readonly config: Pick<Config, 'WORKER_CONCURRENCY' | 'WORKER_SLOTS'>,
    private readonly registry: WorkRegistry,
  ) {}

  of(kind: string): number {
    const { WORKER_CONCURRENCY, WORKER_SLOTS } = this.config;
    const { maxConcurrent = Infinity } = this.registry.handlerOf(kind);
    return WORKER_SLOTS.get(kind) ?? Math.min(WORKER_CONCURRENCY, maxConcurrent);
  }

  /** Called when a worker starts: only workers know all kinds of work. */
  requireKnownKinds(): void {
    const { kinds } = this.registry;
    const unknown = [...this.config.WORKER_SLOTS.keys()].filter((kind) => !kinds.includes(kind));
    if (unknown.length === 0) return;
    throw new ConfigError([
      `WORKER_SLOTS names unknown kinds of work: ${unknown.join(', ')}. Known kinds: ${kinds.join(', ')}`,
    ]);
  }
}
