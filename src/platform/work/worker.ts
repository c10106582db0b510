import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../audit/unit-of-work';
import { everything } from '../auth/scope';
import { Config } from '../config/load-config';
import type { Claim } from './claim';
import { Doorbell } from './doorbell';
import type { Completion } from './work-handler';
import { WorkRegistry } from './work-registry';
import { WorkRepository } from './work.repository';

interface Running {
  readonly claim: Claim;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Thrown inside the completing unit of work when the claim is no longer the current one: nothing of it is kept. */
class Overtaken extends Error {}

const heartbeatMs = 1_000;
const mostPauseSeconds = 30;

/**
 * Takes work, does it, and writes down what came of it. Nothing here is trusted to stay alive: the lease runs out by
 * itself, the fence refuses whoever comes late, and the sweep finds what no bell announced.
 */
@Injectable()
export class Worker {
  private readonly logger = new Logger('worker');
  private readonly running = new Map<string, Running>();
  private readonly timers: NodeJS.Timeout[] = [];
  private pumping: Promise<void> | undefined;
  private rungAgain = false;
  private stopping = false;

  constructor(
    private readonly config: Config,
    private readonly rows: WorkRepository,
    private readonly registry: WorkRegistry,
    private readonly doorbell: Doorbell,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async start(): Promise<void> {
    this.every(heartbeatMs, () => this.heartbeat());
    this.every(this.config.WORK_SWEEP_SECONDS * 1_000, () => this.sweep());
    await this.doorbell.listen(() => this.pump());
  }

  /** Takes nothing new, lets what runs come to an end for a while, and gives back the rest. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.pumping;
    const all = [...this.running.values()];
    const finished = Promise.all(all.map(({ done }) => done));
    const heartbeat = setInterval(() => void this.heartbeat().catch(() => undefined), heartbeatMs);
    const grace = new AbortController();
    await Promise.race([finished, pause(graceMs, grace.signal)]);
    grace.abort();
    clearInterval(heartbeat);
    for (const { claim, abort } of this.running.values()) {
      await this.rows.handBack(claim, 0).catch(() => undefined);
      abort.abort(new Error('the worker is stopping'));
    }
    if (this.running.size > 0) this.doorbell.ring();
  }

  private every(milliseconds: number, task: () => Promise<void>): void {
    let busy = false;
    this.timers.push(
      setInterval(() => {
        if (busy) return;
        busy = true;
        task()
          .catch((error: unknown) => this.logger.warn(String(error)))
          .finally(() => (busy = false));
      }, milliseconds),
    );
  }

  /** Claims until there is nothing to claim or no hand free. A ring during that makes it look once more. */
  private pump(): void {
    this.rungAgain = true;
    this.pumping ??= this.pumpAll().finally(() => (this.pumping = undefined));
  }

  private async pumpAll(): Promise<void> {
    while (this.rungAgain && !this.stopping) {
      this.rungAgain = false;
      await this.heartbeat().catch(() => undefined);
      await this.claimWhileFree().catch((error: unknown) => this.logger.warn(`claiming failed: ${String(error)}`));
    }
  }

  private async claimWhileFree(): Promise<void> {
    const { WORK_LEASE_SECONDS, WORK_ATTEMPTS, WORKER_CONCURRENCY } = this.config;
    while (!this.stopping && this.running.size < WORKER_CONCURRENCY) {
      const claim = await this.rows.claim(this.registry.kinds, WORK_LEASE_SECONDS, WORK_ATTEMPTS);
      if (claim === undefined) return;
      this.begin(claim);
    }
  }

  private begin(claim: Claim): void {
    const abort = new AbortController();
    const done = this.perform(claim, abort.signal).finally(() => {
      this.running.delete(claim.id);
      if (!this.stopping) this.pump();
    });
    this.running.set(claim.id, { claim, abort, done });
  }

  private async perform(claim: Claim, signal: AbortSignal): Promise<void> {
    try {
      const completion = await this.registry.handlerOf(claim.kind).perform(claim, signal);
      await this.complete(claim, completion, 'done');
    } catch (error) {
      if (error instanceof Overtaken || signal.aborted) return;
      await this.retryOrAbandon(claim, error instanceof Error ? error.message : String(error));
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
      if (!(await this.rows.finish(claim, state, error))) throw new Overtaken();
      await apply();
    });
  }

  private async retryOrAbandon(claim: Claim, reason: string): Promise<void> {
    this.logger.warn(`${claim.kind} ${claim.reference}, attempt ${claim.attempt}: ${reason}`);
    try {
      if (claim.attempt < this.config.WORK_ATTEMPTS) {
        await this.rows.handBack(claim, Math.min(2 ** (claim.attempt - 1), mostPauseSeconds));
      } else {
        await this.abandon(claim, reason);
      }
    } catch (error) {
      // The database is away: the lease runs out, and another attempt or the sweep takes it from there.
      if (!(error instanceof Overtaken)) this.logger.warn(`${claim.kind} ${claim.reference}: ${String(error)}`);
    }
  }

  private abandon(claim: Claim, reason: string): Promise<void> {
    return this.complete(claim, this.registry.handlerOf(claim.kind).abandon(claim, reason), 'failed', reason);
  }

  /** Renews all leases; what is no longer ours is told to stop. */
  private async heartbeat(): Promise<void> {
    if (this.running.size === 0) return;
    const mine = [...this.running.values()];
    const held = await this.rows.renew(
      mine.map(({ claim }) => claim),
      this.config.WORK_LEASE_SECONDS,
    );
    for (const { claim, abort } of mine) {
      if (!held.has(claim.id) && this.running.has(claim.id)) abort.abort(new Error('canceled, or taken over'));
    }
  }

  private async sweep(): Promise<void> {
    await this.abandonExhausted();
    for (const task of this.registry.clockTasks) {
      if (this.stopping) return;
      if (!(await this.rows.takeTask(task.name, task.everySeconds))) continue;
      await task.run().catch((error: unknown) => this.logger.warn(`${task.name}: ${String(error)}`));
    }
    this.pump();
  }

  /** Work whose worker was lost in its last attempt: nobody else will end it. */
  private async abandonExhausted(): Promise<void> {
    for (;;) {
      const claim = await this.rows.findExhausted(this.config.WORK_ATTEMPTS);
      if (claim === undefined) return;
      await this.abandon(claim, `The worker was lost in attempt ${claim.attempt}, which was the last.`).catch(
        (error: unknown) => {
          if (!(error instanceof Overtaken)) throw error;
        },
      );
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
