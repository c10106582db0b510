import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { JobOptions, Queue } from 'bull';
import type { Redis } from 'ioredis';
import type { Config } from '../config/load-config';
import type { RedisConnections } from './redis-connections';
import { WorkNotifier } from './work-notifier';

export const NOTIFICATION_QUEUE = 'work';

const COALESCE_MS = 5;
const HEALTH_CHECK_MS = 1_000;
const CLOSE_TIMEOUT_MS = 500;

/** A job carries no data, and there is never more than one: the worker that takes it reads the rows. */
const jobOptions: JobOptions = { jobId: 'notification', attempts: 1, removeOnComplete: true, removeOnFail: true };

/**
 * A notification is a job on a Bull queue and a message on a Redis channel of our own. The job waits until a worker takes
 * it; the message reaches all workers at once, also if one of them is busy or hangs. Redis may be unavailable, hang or lose
 * its data at any time: a health check detects it, logs it once and sends missed notifications again.
 */
export class BullWorkNotifier extends WorkNotifier implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('work-notifier');
  private readonly channel: string;
  private healthTimer: NodeJS.Timeout | undefined;
  private pending: NodeJS.Timeout | undefined;
  private onNotification: (() => void) | undefined;
  private isProcessing = false;
  private isUnavailable = false;
  private hasPendingNotification = false;
  private closed = false;

  constructor(
    private readonly queue: Queue,
    private readonly connections: RedisConnections,
    private readonly config: Config,
  ) {
    super();
    this.channel = `${config.REDIS_PREFIX}:${NOTIFICATION_QUEUE}:notifications`;
  }

  onModuleInit(): void {
    const client = this.connections.get('client');
    client.on('ready', () => void this.healthCheck());
    client.on('error', (error: Error) => this.markUnavailable(error));
    this.healthTimer = setInterval(() => void this.healthCheck(), HEALTH_CHECK_MS);
  }

  override notify(): void {
    if (this.closed) return;
    this.pending ??= setTimeout(() => {
      this.pending = undefined;
      void this.attempt(() => this.send());
    }, COALESCE_MS);
  }

  override async listen(onNotification: () => void): Promise<void> {
    this.onNotification = onNotification;
    const subscriber = this.connections.get('subscriber');
    subscriber.on('message', (channel) => {
      // Bull uses this connection for its own channels, too.
      if (channel === this.channel) onNotification();
    });
    subscriber.on('ready', () => void this.subscribe(subscriber, onNotification));
    onNotification();
  }

  override get degradedReason(): string | undefined {
    return this.isUnavailable ? `Redis does not answer: ${this.fallback}.` : undefined;
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.healthTimer);
    const last = this.pending;
    this.closed = true;
    clearTimeout(last);
    if (last !== undefined) await this.send().catch(() => undefined);
    const closed = new AbortController();
    const closing = this.queue.close(true).finally(() => closed.abort());
    await Promise.race([closing, delay(CLOSE_TIMEOUT_MS, undefined, closed)]).catch(() => undefined);
    this.connections.close();
  }

  private get fallback(): string {
    return `workers find new work by polling instead, every ${this.config.WORK_SWEEP_SECONDS} seconds`;
  }

  /** Subscribes on every new connection, then calls back, since notifications may have been missed. */
  private async subscribe(subscriber: Redis, onNotification: () => void): Promise<void> {
    try {
      await subscriber.subscribe(this.channel);
      onNotification();
    } catch (error) {
      const reason = String(error);
      if (reason.includes('NOPERM'))
        this.logger.warn(
          `Redis does not let its user subscribe to ${this.channel}; grant it the channels &${this.config.REDIS_PREFIX}:${NOTIFICATION_QUEUE}:*. ${reason}`,
        );
    }
  }

  /**
   * Starts Bull's processor after Redis has answered on every connection. Earlier, a failure inside Bull would be an
   * unhandled rejection, which ends the process.
   */
  private async startProcessing(onNotification: () => void): Promise<void> {
    if (this.isProcessing) return;
    this.isProcessing = true;
    try {
      await this.connections.pingAll();
    } catch {
      this.isProcessing = false;
      return;
    }
    if (this.closed) return;
    await this.queue.process(async () => onNotification()).catch((error: unknown) => this.markUnavailable(error));
  }

  /** Sends a failed notification again, or pings Redis. */
  private healthCheck(): Promise<void> {
    return this.attempt(() => (this.hasPendingNotification ? this.send() : this.connections.get('client').ping()));
  }

  private async send(): Promise<void> {
    this.hasPendingNotification = true;
    const published = this.connections.get('client').publish(this.channel, '');
    await Promise.all([published, this.queue.add({}, jobOptions)]);
    this.hasPendingNotification = false;
  }

  private async attempt(command: () => Promise<unknown>): Promise<void> {
    try {
      await command();
      this.markAvailable();
    } catch (error) {
      this.markUnavailable(error);
    }
  }

  private markUnavailable(error: unknown): void {
    if (this.isUnavailable || this.closed) return;
    this.isUnavailable = true;
    this.logger.warn(`Redis does not answer (${this.connections.reason(error)}): ${this.fallback}`);
    this.connections.reconnect();
  }

  private markAvailable(): void {
    this.connections.clearLastError();
    if (this.onNotification !== undefined) void this.startProcessing(this.onNotification);
    if (!this.isUnavailable) return;
    this.isUnavailable = false;
    this.logger.log('Redis answers again');
    this.onNotification?.();
  }
}
