import { setTimeout as delay } from 'node:timers/promises';
import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { JobOptions, Queue } from 'bull';
import type { Redis } from 'ioredis';
import { Config } from '../config/load-config';
import { Doorbell } from './doorbell';
import { DoorbellConnections } from './doorbell-connections';

export const doorbellQueue = 'work';

const coalesceMs = 5;
const pulseMs = 1_000;
const mostClosingMs = 500;

/** A job carries nothing, and of its kind there is never more than one: who takes it looks at the rows. */
const ringing: JobOptions = { jobId: 'ring', attempts: 1, removeOnComplete: true, removeOnFail: true };

/** What Bull tells all its connections of a job: that there is one, and that there was one already. */
const announcements = ['waiting', 'duplicated'];

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
  private takesJobs = false;
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
    const subscriber = this.connections.get('subscriber');
    subscriber.on('pmessage', onRing);
    subscriber.on('ready', () => void this.subscribe(subscriber, onRing));
    onRing();
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

  /** On every new connection, and then looks: rings may have been missed. What breaks or refuses connections is told by `lost`. */
  private async subscribe(subscriber: Redis, onRing: () => void): Promise<void> {
    try {
      await subscriber.psubscribe(...announcements.map((event) => `${this.queue.toKey(event)}@*`));
      onRing();
    } catch (error) {
      const reason = String(error);
      if (reason.includes('NOPERM'))
        this.logger.warn(`Redis lets its user hear no bells, grant it all channels: ${reason}`);
    }
  }

  /**
   * Has Bull take jobs, once Redis has answered on every connection: before that Bull waits in promises of its own, and a
   * rejection that nobody handles would end the process.
   */
  private async takeJobs(onRing: () => void): Promise<void> {
    if (this.takesJobs) return;
    this.takesJobs = true;
    try {
      await this.connections.allAnswer();
    } catch {
      this.takesJobs = false;
      return;
    }
    if (!this.closed) await this.queue.process(async () => onRing()).catch((error: unknown) => this.lost(error));
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
    this.connections.answered();
    if (this.onRing !== undefined) void this.takeJobs(this.onRing);
    if (!this.isAway) return;
    this.isAway = false;
    this.logger.log('Redis answers again');
    this.onRing?.();
  }
}
