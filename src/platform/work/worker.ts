import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../audit/unit-of-work';
import { everything } from '../api/scope';
import { Config } from '../config/load-config';
import { isUnavailable } from '../database/database-errors';
import type { Claim } from './claim';
import { WorkNotifier } from './work-notifier';
import { FairShare, withClaimed } from './fair-share';
import { Leases } from './leases';
import { PeriodicTask } from './periodic-task';
import type { ScheduledTask, Completion } from './work-handler';
import { WorkRegistry } from './work-registry';
import { type ClaimTerms, WorkRepository } from './work.repository';
import { WorkerSlots } from './worker-slots';

/** Thrown inside the completing unit of work when the claim is no longer the current one: nothing of it is kept. */
class LeaseLostError extends Error {}

const MAX_PAUSE_SECONDS = 30;
const EXHAUSTED_BATCH = 100;

/** How long a result is kept for a database that is away: what took minutes need not be done again. */
const COMPLETION_RETRY_MS = 60_000;
const COMPLETION_PAUSE_MS = 250;

/**
 * Takes work, does it, and writes down what came of it. Nothing here is trusted to stay alive: the lease runs out by
 * itself, the fence refuses late results, and the sweep finds work whose notification was lost.
 */
@Injectable()
export class Worker {
  private readonly logger = new Logger('worker');
  private readonly leases: Leases;
  private readonly slots: WorkerSlots;
  private readonly fairShare: FairShare;
  private readonly periodicTasks: PeriodicTask[] = [];
  private readonly tasks = new Map<ScheduledTask, Promise<void>>();
  private heartbeat: PeriodicTask | undefined;
  private wake: NodeJS.Timeout | undefined;
  private claiming: Promise<void> | undefined;
  private claimAgain = false;
  private stopping = false;

  constructor(
    private readonly config: Config,
    private readonly rows: WorkRepository,
    private readonly registry: WorkRegistry,
    private readonly notifier: WorkNotifier,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.leases = new Leases(rows, config.WORK_LEASE_SECONDS);
    this.slots = new WorkerSlots(config, registry);
    this.fairShare = new FairShare((kind) => this.slots.of(kind));
  }

  async start(): Promise<void> {
    this.slots.requireKnownKinds();
    const sweepMs = this.config.WORK_SWEEP_SECONDS * 1_000;
    this.heartbeat = this.every(this.leases.renewalIntervalMs, () => this.leases.renewAll());
    // Apart from each other: what the clock asks of the database keeps nothing from being found.
    this.periodicTasks.push(
      this.every(sweepMs, () => this.sweep()),
      this.every(sweepMs, () => this.startDueTasks()),
    );
    await this.notifier.listen(() => this.startClaiming());
  }

  /** Takes nothing new, lets what runs come to an end for a while, and gives back the rest. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    clearTimeout(this.wake);
    const stopped = Promise.all([this.claiming, ...this.periodicTasks.map((one) => one.stop())]);
    await within(
      graceMs,
      stopped.then(() => Promise.all([this.leases.settled(), ...this.tasks.values()])),
    );
    void this.heartbeat?.stop();
    if (this.leases.size === 0) return;
    await this.rows.release(this.leases.claims).catch((error: unknown) => this.warn('releasing claims', error));
    this.leases.abortAll('the worker is stopping');
    this.notifier.notify();
  }

  private every(milliseconds: number, task: () => Promise<void>): PeriodicTask {
    return new PeriodicTask(milliseconds, task, (error) => this.logger.warn(String(error)));
  }

  /** Claims until there is nothing to claim or no slot free. A notification meanwhile starts another round. */
  private startClaiming(): void {
    this.claimAgain = true;
    this.claiming ??= this.claimUntilQuiet().finally(() => (this.claiming = undefined));
  }

  private async claimUntilQuiet(): Promise<void> {
    while (this.claimAgain && !this.stopping) {
      this.claimAgain = false;
      await this.claimWhileFree().catch((error: unknown) => this.warn('claiming', error));
    }
  }

  private async claimWhileFree(): Promise<void> {
    // First our own leases: after a pause they may have run out, and would be taken for somebody else's.
    await this.leases.renewAll();
    const kinds = this.registry.kinds.filter((kind) => this.leases.countOf(kind) < this.slots.of(kind));
    if (kinds.length === 0) return;
    let queues = await this.rows.queues(kinds, this.terms);
    while (!this.stopping) {
      const picks = this.fairShare.pick(queues, this.leases.claims);
      if (picks.length === 0) return;
      const claims = await this.rows.claim(picks, this.terms);
      if (this.stopping) return this.rows.release(claims);
      for (const claim of claims) this.begin(claim);
      queues = queues.map((queue) => withClaimed(queue, picks, claims));
    }
  }

  private get terms(): ClaimTerms {
    const { WORK_LEASE_SECONDS: leaseSeconds, WORK_ATTEMPTS: maxAttempts } = this.config;
    return { leaseSeconds, maxAttempts, reclaimExpired: this.leases.reclaimExpired };
  }

  private begin(claim: Claim): void {
    this.fairShare.serve(claim);
    void this.leases.run(claim, (signal) => this.perform(claim, signal)).finally(() => this.startClaiming());
  }

  private async perform(claim: Claim, signal: AbortSignal): Promise<void> {
    try {
      const completion = await this.registry.handlerOf(claim.kind).perform(claim, signal);
      await this.completeWithRetry(claim, completion, signal);
    } catch (error) {
      if (error instanceof LeaseLostError || signal.aborted) return;
      await this.retryOrAbandon(claim, error instanceof Error ? error.message : String(error));
    }
  }

  private async completeWithRetry(claim: Claim, completion: Completion, signal: AbortSignal): Promise<void> {
    const end = performance.now() + COMPLETION_RETRY_MS;
    for (;;) {
      signal.throwIfAborted();
      try {
        return await this.complete(claim, completion, 'done');
      } catch (error) {
        if (!isUnavailable(error) || performance.now() > end) throw error;
        await delay(COMPLETION_PAUSE_MS);
      }
    }
  }

  private async complete(
    claim: Claim,
    { audit, apply }: Completion,
    state: 'done' | 'failed',
    error?: string,
  ): Promise<void> {
    const described = state === 'failed' ? ({ ...audit, outcome: 'failure' } as const) : audit;
    await this.unitOfWork.run(described, everything('work carries its own organization'), async () => {
      if (!(await this.rows.finish(claim, state, error))) throw new LeaseLostError();
      await apply();
    });
  }

  private async retryOrAbandon(claim: Claim, reason: string): Promise<void> {
    this.logger.warn(`${claim.kind} ${claim.reference}, attempt ${claim.attempt}: ${reason}`);
    try {
      if (claim.failures + 1 < this.config.WORK_ATTEMPTS) {
        await this.rows.reschedule(claim, Math.min(2 ** claim.failures, MAX_PAUSE_SECONDS));
      } else {
        await this.abandon(claim, reason);
      }
    } catch (error) {
      // The database is away: the lease runs out, and another attempt or the sweep takes it from there.
      this.warn(`${claim.kind} ${claim.reference}`, error);
    }
  }

  /** A worker that lost the lease has nothing to abandon. */
  private async abandon(claim: Claim, reason: string): Promise<void> {
    const completion = this.registry.handlerOf(claim.kind).abandon(claim, reason);
    await this.complete(claim, completion, 'failed', reason).catch((error: unknown) => {
      if (!(error instanceof LeaseLostError)) throw error;
    });
  }

  private async sweep(): Promise<void> {
    this.startClaiming();
    await this.wakeAtNextExpiry();
    if (this.leases.reclaimExpired) await this.abandonExhausted();
  }

  /** Work of a lost worker goes on when its lease runs out, and not only at the sweep after that. */
  private async wakeAtNextExpiry(): Promise<void> {
    const seconds = await this.rows.secondsToNextExpiry();
    if (seconds === null || seconds > this.config.WORK_SWEEP_SECONDS || this.stopping) return;
    clearTimeout(this.wake);
    this.wake = setTimeout(() => this.startClaiming(), Math.ceil(seconds * 1_000) + 10);
  }

  /** Work whose worker was lost in its last attempt: nobody else will end it. A failure does not stop the others. */
  private async abandonExhausted(): Promise<void> {
    const { WORK_ATTEMPTS } = this.config;
    for (const claim of await this.rows.listExhausted(this.registry.kinds, WORK_ATTEMPTS, EXHAUSTED_BATCH)) {
      const reason = `The worker was lost in attempt ${claim.attempt}, which was the last.`;
      await this.abandon(claim, reason).catch((error: unknown) => this.warn(`${claim.kind} ${claim.reference}`, error));
    }
  }

  /** Starts due tasks without waiting: a slow task delays no other. */
  private async startDueTasks(): Promise<void> {
    for (const task of this.registry.scheduledTasks) {
      if (this.stopping) return;
      if (this.tasks.has(task) || !(await this.rows.claimTask(task.name, task.everySeconds))) continue;
      this.tasks.set(task, this.run(task));
    }
  }

  private run(task: ScheduledTask): Promise<void> {
    return task
      .run()
      .catch((error: unknown) => this.warn(task.name, error))
      .finally(() => this.tasks.delete(task));
  }

  private warn(what: string, error: unknown): void {
    this.logger.warn(`${what}: ${String(error)}`);
  }
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
