import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Metrics } from '../metrics/metrics';
import type { Claim } from './claim';
import { SetAsideRepository } from './set-aside.repository';
import { WorkRegistry } from './work-registry';
import { WorkRepository } from './work.repository';

/**
 * How an attempt ended. `done` includes work whose result is a failure, such as that of a job. `lost`: the work was canceled,
 * claimed by another worker, or handed back by a worker that stops.
 */
export type AttemptOutcome = 'done' | 'failed' | 'retried' | 'lost';

const OUTCOMES: readonly AttemptOutcome[] = ['done', 'failed', 'retried', 'lost'];

/** More are counted as this many, because counting them would take long. */
const MAX_COUNTED = 10_000;

/** Of a kind, for the oldest: more than wait in a healthy installation. */
const MAX_OWNERS = 2_000;

/** Measures the queue for each scrape, and what the worker of this process does. */
@Injectable()
export class WorkMetrics implements OnApplicationBootstrap {
  private attempts: ((labels: { kind: string; outcome: AttemptOutcome }) => void) | undefined;
  private durations: ((labels: { kind: string }, seconds: number) => void) | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly registry: WorkRegistry,
    private readonly rows: WorkRepository,
    private readonly setAside: SetAsideRepository,
  ) {}

  /** When all kinds of work are known. */
  onApplicationBootstrap(): void {
    const { kinds } = this.registry;
    this.attempts = this.metrics.counter({
      name: 'assay_work_attempts_total',
      help: 'Attempts of the worker of this process that ended. lost: canceled, claimed by another worker, or handed back',
      labels: { kind: kinds, outcome: OUTCOMES },
    });
    this.durations = this.metrics.histogram({
      name: 'assay_work_duration_seconds',
      help: 'Duration of the attempts of the worker of this process',
      labels: { kind: kinds },
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    });
    const unfinished = this.metrics.gauge({
      name: 'assay_work_unfinished',
      help: `Work of the whole installation that waits (counted up to ${MAX_COUNTED}) or runs`,
      labels: { kind: kinds, state: ['waiting', 'running'] },
    });
    const oldest = this.metrics.gauge({
      name: 'assay_work_oldest_waiting_seconds',
      help: 'How long the oldest work of the whole installation has been waiting for a worker; 0 if none waits',
      labels: { kind: kinds },
    });
    const setAside = this.metrics.gauge({
      name: 'assay_tasks_set_aside',
      help: 'Organizations of the whole installation that a scheduled task leaves out for a while, because it failed with each of them',
      labels: { task: this.registry.scheduledTasks.map(({ name }) => name) },
    });
    this.metrics.onScrape('work', [unfinished, oldest, setAside], async () => {
      const states = await this.rows.countUnfinished(kinds, MAX_COUNTED, MAX_OWNERS);
      const failing = await this.setAside.countByTask();
      return () => {
        for (const { name } of this.registry.scheduledTasks) setAside.set({ task: name }, failing.get(name) ?? 0);
        for (const { kind, waiting, running, oldestSeconds } of states) {
          unfinished.set({ kind, state: 'waiting' }, waiting);
          unfinished.set({ kind, state: 'running' }, running);
          oldest.set({ kind }, oldestSeconds);
        }
      };
    });
  }

  /** Called by the worker when it starts. Other processes have no slots. */
  observeSlots(slotsOf: (kind: string) => number, usedOf: (kind: string) => number): void {
    const { kinds } = this.registry;
    const slots = this.metrics.gauge({
      name: 'assay_worker_slots',
      help: 'Concurrency slots of the worker of this process',
      labels: { kind: kinds, state: ['used', 'free'] },
    });
    this.metrics.onScrape('slots', [], async () => () => {
      for (const kind of kinds) {
        const used = usedOf(kind);
        slots.set({ kind, state: 'used' }, used);
        slots.set({ kind, state: 'free' }, Math.max(0, slotsOf(kind) - used));
      }
    });
  }

  ended({ kind }: Claim, outcome: AttemptOutcome, ms?: number): void {
    this.attempts?.({ kind, outcome });
    if (ms !== undefined) this.durations?.({ kind }, ms / 1_000);
  }
}
