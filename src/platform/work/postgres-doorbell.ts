import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { Config } from '../config/load-config';
import { Doorbell } from './doorbell';

const channel = 'assay_work';
const coalesceMs = 5;
const reconnectMs = 500;
const mostClosingMs = 500;

/**
 * `LISTEN/NOTIFY` on connections of its own. Not inside the transaction that made the work: a NOTIFY there makes commits
 * queue up behind each other. One notification for all rings of a few milliseconds.
 */
@Injectable()
export class PostgresDoorbell extends Doorbell implements OnApplicationShutdown {
  private readonly logger = new Logger('doorbell');
  private ringer: Promise<Client> | undefined;
  private listener: Client | undefined;
  private pending: NodeJS.Timeout | undefined;
  private notifying: Promise<void> | undefined;
  private isUnsent = false;
  private reconnecting: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly config: Config) {
    super();
  }

  override ring(): void {
    if (this.closed) return;
    this.isUnsent = true;
    this.schedule();
  }

  override async listen(onRing: () => void): Promise<void> {
    if (this.closed) return;
    const client = this.client();
    this.listener = client;
    const again = (): void => {
      if (this.listener !== client) return;
      this.listener = undefined;
      void client.end().catch(() => undefined);
      if (!this.closed) this.reconnecting = setTimeout(() => void this.listen(onRing), reconnectMs);
    };
    client.on('error', again);
    client.on('end', again);
    client.on('notification', onRing);
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      onRing();
    } catch (error) {
      this.logger.debug(`listening failed: ${String(error)}`);
      again();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.reconnecting);
    clearTimeout(this.pending);
    const enough = new AbortController();
    const ended = this.endAll().finally(() => enough.abort());
    // A server that hangs hears no last ring, and says no goodbye.
    await Promise.race([ended, delay(mostClosingMs, undefined, enough)]).catch(() => undefined);
  }

  private async endAll(): Promise<void> {
    await this.notifying;
    if (this.isUnsent) await this.notify();
    const ringer = await this.ringer?.catch(() => undefined);
    await Promise.all([this.listener, ringer].map(async (client) => client?.end().catch(() => undefined)));
  }

  /** One notification at a time: `pg` refuses a statement on a connection that is still executing another. */
  private schedule(): void {
    if (this.notifying !== undefined || this.closed) return;
    this.pending ??= setTimeout(() => {
      this.pending = undefined;
      this.notifying = this.notify().finally(() => {
        this.notifying = undefined;
        if (this.isUnsent) this.schedule();
      });
    }, coalesceMs);
  }

  private async notify(): Promise<void> {
    this.isUnsent = false;
    const ringer = (this.ringer ??= this.connect());
    try {
      await (await ringer).query(`NOTIFY ${channel}`);
    } catch (error) {
      this.drop(ringer);
      this.logger.debug(`ringing failed: ${String(error)}`);
    }
  }

  private connect(): Promise<Client> {
    const client = this.client();
    const ringer = client.connect().then(() => client);
    client.on('error', () => this.drop(ringer));
    return ringer;
  }

  /** The next ring has a connection of its own. One that only gave no answer in time is still open at both ends. */
  private drop(ringer: Promise<Client>): void {
    if (this.ringer === ringer) this.ringer = undefined;
    void ringer.then((client) => client.end()).catch(() => undefined);
  }

  private client(): Client {
    return new Client({
      connectionString: this.config.DATABASE_URL,
      application_name: 'assay doorbell',
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
      keepAlive: true,
    });
  }
}
