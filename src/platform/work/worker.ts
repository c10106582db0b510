import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../audit/unit-of-work';
import { everything } from '../api/scope';
import { tenantOf } from '../api/tenant';
import { Config } from '../config/load-config';
import { DatabaseContext } from '../database/database-context';
import { isRepeatable, isUnavailable, storedLimitOf } from '../database/database-errors';
import type { Claim } from './claim';
import { WorkNotifier } from './work-notifier';
import { type AttemptOutcome, WorkMetrics } from './work-metrics';
import { FairClaims } from './fair-claims';
import { Leases } from './leases';
import { PeriodicTask } from './periodic-task';
import type { ScheduledTask, Completion } from './work-handler';
import { WorkRegistry } from './work-registry';
import { WorkTraces } from './work-traces';
import { type ClaimTerms, WorkRepository } from './work.repository';
import { WorkerSlots } from './worker-slots';

/** Thrown inside the unit of work of a completion if the claim is lost, so that it is rolled back. */
class LeaseLostError extends Error {}

const MAX_PAUSE_SECONDS = 30;
const EXHAUSTED_BATCH = 100;

/** How long a result is kept while the database is unavailable, so that the work need not run again. */
const COMPLETION_RETRY_MS = 60_000;
const COMPLETION_PAUSE_MS = 250;

/**
 * Claims work, runs it and stores the result. Any worker may fail at any time: its leases expire, the fencing token rejects
 * late results, and the sweep finds work whose notification was lost.
 */
@Injectable()
export class Worker {
  private readonly logger = new Logger('worker');
  private readonly leases: Leases;
  private readonly slots: WorkerSlots;
  private readonly claims: FairClaims;
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
    private readonly metrics: WorkMetrics,
    private readonly traces: WorkTraces,
    private readonly context: DatabaseContext,
  ) {
    this.slots = new WorkerSlots(config, registry);
    this.leases = new Leases(rows, config.WORK_LEASE_SECONDS, this.slots, () => this.startClaiming());
    this.claims = new FairClaims(rows, this.leases, this.slots, registry, {
      begin: (claim) => this.begin(claim),
      isStopping: () => this.stopping,
    });
  }

  async start(): Promise<void> {
    this.slots.requireKnownKinds();
    this.metrics.observeSlots(
      (kind) => this.slots.of(kind),
      (kind) => this.leases.countOf(kind),
    );
    const sweepMs = this.config.WORK_SWEEP_SECONDS * 1_000;
    this.heartbeat = this.every(this.leases.renewalIntervalMs, () => this.leases.renewAll());
    // Separate, so that slow scheduled tasks do not delay the sweep.
    this.periodicTasks.push(
      this.every(sweepMs, () => this.sweep()),
      this.every(sweepMs, () => this.startDueTasks()),
    );
    await this.notifier.listen(() => this.startClaiming());
  }

  /** Stops claiming, waits up to `graceMs` for running work, and releases the rest. */
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

  /** Claims until there is no waiting work or no free slot. A notification meanwhile starts another round. */
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
    // Renew own leases first: after a pause they may have expired, and this worker would reclaim them.
    await this.leases.renewAll();
    if (!(await this.claims.claimAll(this.terms))) this.claimAgain = true;
  }

  private get terms(): ClaimTerms {
    const { WORK_LEASE_SECONDS: leaseSeconds, WORK_ATTEMPTS: maxAttempts } = this.config;
    const { onePerOrganization } = this.registry;
    return { leaseSeconds, maxAttempts, reclaimExpired: this.leases.reclaimExpired, onePerOrganization };
  }

  private begin(claim: Claim): void {
    const run = (own: Claim, signal: AbortSignal) =>
      this.context.runFor(tenantOf(own), () => this.measure(own, signal));
    void this.leases.run(claim, run).finally(() => this.startClaiming());
  }

  private async measure(claim: Claim, signal: AbortSignal): Promise<void> {
    const started = performance.now();
    const { traced, end } = this.traces.begin(claim);
    const outcome = await this.perform(traced, signal);
    end(outcome);
    this.metrics.ended(claim, outcome, performance.now() - started);
  }

  private async perform(claim: Claim, signal: AbortSignal): Promise<AttemptOutcome> {
    try {
      const completion = await this.registry.handlerOf(claim.kind).perform(claim, signal);
      await this.completeWithRetry(claim, completion, signal);
      return 'done';
    } catch (error) {
      if (error instanceof LeaseLostError || signal.aborted) return 'lost';
      const reason = error instanceof Error ? error.message : String(error);
      return this.retryOrAbandon(claim, reason, storedLimitOf(error)?.message);
    }
  }

  private async completeWithRetry(claim: Claim, completion: Completion, signal: AbortSignal): Promise<void> {
    const end = performance.now() + COMPLETION_RETRY_MS;
    for (;;) {
      signal.throwIfAborted();
      try {
        return await this.complete(claim, completion, 'done');
      } catch (error) {
        if (!(isUnavailable(error) || isRepeatable(error)) || performance.now() > end) throw error;
        await delay(COMPLETION_PAUSE_MS);
      }
    }
  }

  private async complete(
    claim: Claim,
    { audit, apply, isSilent = false }: Completion,
    state: 'done' | 'failed',
    error?: string,
  ): Promise<void> {
    const described = state === 'failed' ? ({ ...audit, outcome: 'failure' } as const) : audit;
    await this.unitOfWork.runIfDue(described, everything('work carries its own organization'), async () => {
      if (!(await this.rows.finish(claim, state, error))) throw new LeaseLostError();
      return apply().then(() => (isSilent ? undefined : state));
    });
  }

  private async retryOrAbandon(claim: Claim, reason: string, limit?: string): Promise<AttemptOutcome> {
    const message = `${claim.kind} ${claim.reference}, attempt ${claim.attempt}: ${reason}`;
    this.logger.warn(claim.trace === undefined ? message : { message, trace_id: claim.trace.traceId });
    try {
      if (limit === undefined && claim.failures + 1 < this.config.WORK_ATTEMPTS) {
        await this.rows.reschedule(claim, Math.min(2 ** claim.failures, MAX_PAUSE_SECONDS));
        return 'retried';
      }
      return await this.abandon(claim, reason, limit);
    } catch (error) {
      // The database is unavailable: the lease expires, and a worker claims or abandons the work later.
      this.warn(`${claim.kind} ${claim.reference}`, error);
      return 'lost';
    }
  }

  /** A worker that lost the lease has nothing to abandon. */
  private async abandon(claim: Claim, reason: string, limit?: string): Promise<AttemptOutcome> {
    const completion = this.registry.handlerOf(claim.kind).abandon(claim, reason, limit);
    try {
      await this.complete(claim, completion, 'failed', reason);
      return 'failed';
    } catch (error) {
      if (error instanceof LeaseLostError) return 'lost';
      throw error;
    }
  }

  private async sweep(): Promise<void> {
    this.startClaiming();
    await this.wakeAtNextExpiry();
    if (this.leases.reclaimExpired) await this.abandonExhausted();
  }

  /** Reclaims work of a lost worker when its lease expires, without waiting for the next sweep. */
  private async wakeAtNextExpiry(): Promise<void> {
    const seconds = await this.rows.secondsToNextExpiry();
    if (seconds === null || seconds > this.config.WORK_SWEEP_SECONDS || this.stopping) return;
    clearTimeout(this.wake);
    this.wake = setTimeout(() => this.startClaiming(), Math.ceil(seconds * 1_000) + 10);
  }

  /** Abandons work whose worker was lost in the last attempt. A failure does not stop the others. */
  private async abandonExhausted(): Promise<void> {
    const { WORK_ATTEMPTS } = this.config;
    for (const claim of await this.rows.listExhausted(this.registry.kinds, WORK_ATTEMPTS, EXHAUSTED_BATCH)) {
      const reason = `The worker was lost in attempt ${claim.attempt}, which was the last.`;
      await this.abandon(claim, reason).then(
        (outcome) => this.metrics.ended(claim, outcome),
        (error: unknown) => this.warn(`${claim.kind} ${claim.reference}`, error),
      );
    }
  }

  /** Starts due tasks without waiting for them, so that a slow task does not delay the others. */
  private async startDueTasks(): Promise<void> {
    const ended = this.registry.scheduledTasks.filter((task) => !this.tasks.has(task));
    const due = await this.rows.claimTasks(ended);
    for (const task of ended) if (due.has(task.name)) this.tasks.set(task, this.run(task));
  }

  private run(task: ScheduledTask): Promise<void> {
    return task
      .run()
      .catch((error: unknown) => this.warn(task.name, error))
      .finally(() => this.tasks.delete(task));
  }

  private warn(action: string, error: unknown): void {
    this.logger.warn(`${action}: ${String(error)}`);
  }
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
