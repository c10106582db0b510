import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseClient } from '../database/database-client';
import { PrimaryHost } from '../database/primary-host';
import { WorkNotifier } from './work-notifier';

const CHANNEL = 'assay_work';
const COALESCE_MS = 5;
const RECONNECT_MS = 500;
const CLOSE_TIMEOUT_MS = 500;

/**
 * Uses `LISTEN` and `NOTIFY` on separate connections, since a NOTIFY inside the transactions that add work would make their
 * commits wait for each other. All calls within a few milliseconds share one notification.
 */
@Injectable()
export class PostgresWorkNotifier extends WorkNotifier implements OnApplicationShutdown {
  private readonly logger = new Logger('work-notifier');
  private sender: Promise<DatabaseClient> | undefined;
  private listener: DatabaseClient | undefined;
  private pending: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  private hasPendingNotification = false;
  private reconnecting: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly primary: PrimaryHost) {
    super();
    primary.onSwitch(() => this.disconnect());
  }

  override notify(): void {
    if (this.closed) return;
    this.hasPendingNotification = true;
    this.schedule();
  }

  override async listen(onNotification: () => void): Promise<void> {
    if (this.closed) return;
    const client = this.client();
    this.listener = client;
    const reconnect = (): void => {
      if (this.listener !== client) return;
      this.listener = undefined;
      void client.end().catch(() => undefined);
      if (!this.closed) this.reconnecting = setTimeout(() => void this.listen(onNotification), RECONNECT_MS);
    };
    client.on('error', reconnect);
    client.on('end', reconnect);
    client.on('notification', onNotification);
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      onNotification();
    } catch (error) {
      this.logger.debug(`listening failed: ${String(error)}`);
      reconnect();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.reconnecting);
    clearTimeout(this.pending);
    const closed = new AbortController();
    const ended = this.endAll().finally(() => closed.abort());
    // Does not wait for a server that hangs.
    await Promise.race([ended, delay(CLOSE_TIMEOUT_MS, undefined, closed)]).catch(() => undefined);
  }

  /** A former primary may go on, but sends no notifications of new work. Both connect again, to the new one. */
  private disconnect(): void {
    const cause = new Error('another server is the primary now');
    this.listener?.disconnect(cause);
    void this.sender?.then((client) => client.disconnect(cause)).catch(() => undefined);
  }

  private async endAll(): Promise<void> {
    await this.sending;
    if (this.hasPendingNotification) await this.send();
    const sender = await this.sender?.catch(() => undefined);
    await Promise.all([this.listener, sender].map(async (client) => client?.end().catch(() => undefined)));
  }

  /** One notification at a time: `pg` refuses a statement on a connection that is still executing another. */
  private schedule(): void {
    if (this.sending !== undefined || this.closed) return;
    this.pending ??= setTimeout(() => {
      this.pending = undefined;
      this.sending = this.send().finally(() => {
        this.sending = undefined;
        if (this.hasPendingNotification) this.schedule();
      });
    }, COALESCE_MS);
  }

  private async send(): Promise<void> {
    this.hasPendingNotification = false;
    const sender = (this.sender ??= this.connect());
    try {
      await (await sender).query(`NOTIFY ${CHANNEL}`);
    } catch (error) {
      this.drop(sender);
      this.logger.debug(`sending a notification failed: ${String(error)}`);
    }
  }

  private connect(): Promise<DatabaseClient> {
    const client = this.client();
    const sender = client.connect().then(() => client);
    client.on('error', () => this.drop(sender));
    return sender;
  }

  /** The next notification opens a new connection. The old one may only have been too slow, so it is closed. */
  private drop(sender: Promise<DatabaseClient>): void {
    if (this.sender === sender) this.sender = undefined;
    void sender.then((client) => client.end()).catch(() => undefined);
  }

  private client(): DatabaseClient {
    return new DatabaseClient({
      connectionString: this.primary.url,
      application_name: 'assay work notifications',
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
      keepAlive: true,
    });
  }
}
