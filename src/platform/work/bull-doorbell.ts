import { setTimeout as delay } from 'node:timers/promises';
import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { JobOptions, Queue } from 'bull';
import { Config } from '../config/load-config';
import { Doorbell } from './doorbell';
import { DoorbellConnections } from './doorbell-connections';

export const doorbellQueue = 'work';

const coalesceMs = 5;
const pulseMs = 1_000;
const mostClosingMs = 500;

/** A job carries nothing, and of its kind there is never more than one: who takes it looks at the rows. */
const ringing: JobOptions = { jobId: 'ring', attempts: 1, removeOnComplete: true, removeOnFail: true };

/**
 * A ring is a job on a queue of Bull. One worker takes the job, where it waits if nobody is there; and every worker hears
 * Bull's event that there is one, so that a worker with no hand free, or one that hangs, keeps no ring from the others.
 * Redis may be away, hang, or forget everything at any time: that is noticed by a pulse, said once, and made good for.
 */
@Injectable()
export class BullDoorbell extends Doorbell implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('doorbell');
  private pulse: NodeJS.Timeout | undefined;
  private pending: NodeJS.Timeout | undefined;
  private onRing: (() => void) | undefined;
  private isProcessing = false;
  private isAway = false;
  private isUnheard = false;
  private closed = false;

  constructor(
    @InjectQueue(doorbellQueue) private readonly queue: Queue,
    private readonly connections: DoorbellConnections,
    private readonly config: Config,
  ) {
    super();
  }

  onModuleInit(): void {
    const client = this.connections.get('client');
    client.on('ready', () => void this.feelPulse());
    client.on('error', (error: Error) => this.lost(error));
    this.pulse = setInterval(() => void this.feelPulse(), pulseMs);
  }

  override ring(): void {
    if (this.closed) return;
    this.pending ??= setTimeout(() => {
      this.pending = undefined;
      void this.attempt(() => this.send());
    }, coalesceMs);
  }

  override async listen(onRing: () => void): Promise<void> {
    this.onRing = onRing;
    for (const connection of this.connections.all()) connection.on('ready', () => this.hear());
    this.hear();
  }

  override get trouble(): string | undefined {
    return this.isAway ? `Redis does not answer: ${this.instead}.` : undefined;
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.pulse);
    const last = this.pending;
    this.closed = true;
    clearTimeout(last);
    if (last !== undefined) await this.send().catch(() => undefined);
    const enough = new AbortController();
    const closing = this.queue.close(true).finally(() => enough.abort());
    await Promise.race([closing, delay(mostClosingMs, undefined, enough)]).catch(() => undefined);
    this.connections.close();
  }

  private get instead(): string {
    return `work is found by the sweep instead, every ${this.config.WORK_SWEEP_SECONDS} seconds`;
  }

  /** Looks now, since rings may have been missed, and has Bull call back from now on. */
  private hear(): void {
    this.onRing?.();
    if (this.isProcessing || this.closed) return;
    // Not before all connections are there: Bull waits for them in promises whose rejection, should they close first,
    // nobody handles, and that ends a process.
    if (this.connections.all().some(({ status }) => status !== 'ready')) return;
    this.isProcessing = true;
    const onRing = (): void => this.onRing?.();
    // The job is there already: it is news all the same.
    for (const event of ['global:waiting', 'global:duplicated']) this.queue.on(event, onRing);
    this.queue.once('registered:global:duplicated', onRing);
    this.queue.process(async () => onRing()).catch((error: unknown) => this.lost(error));
  }

  /** What was not heard is rung again when Redis is back; else the pulse only asks whether it is there. */
  private feelPulse(): Promise<void> {
    return this.attempt(() => (this.isUnheard ? this.send() : this.connections.get('client').ping()));
  }

  private async send(): Promise<void> {
    this.isUnheard = true;
    await this.queue.add({}, ringing);
    this.isUnheard = false;
  }

  private async attempt(command: () => Promise<unknown>): Promise<void> {
    try {
      await command();
      this.found();
    } catch (error) {
      this.lost(error);
    }
  }

  private lost(error: unknown): void {
    if (this.isAway || this.closed) return;
    this.isAway = true;
    this.logger.warn(`Redis does not answer (${this.connections.reason(error)}): ${this.instead}`);
    this.connections.renew();
  }

  private found(): void {
    if (!this.isAway) return;
    this.isAway = false;
    this.logger.log('Redis answers again');
    this.onRing?.();
  }
}
