import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { Config } from '../config/load-config';
import { hostUrls } from '../config/postgres-hosts';
import { NotPrimaryError } from './database-client';
import { findPrimary, type Primary, timelineOf } from './find-primary';

/** How soon the servers are asked after a connection failed, and again while none is the primary. */
const TICK_MS = 250;
/** A former primary that goes on after a promotion breaks no connection, so every eighth time they are asked anyway. */
const TICKS = 8;

/** Which server of DATABASE_URL is the primary. A single server is never asked. */
@Injectable()
export class PrimaryHost implements OnModuleDestroy {
  private readonly logger = new Logger('database');
  private readonly listeners: (() => void)[] = [];
  private readonly timer: NodeJS.Timeout | undefined;
  private ticks = 0;
  private hasFailed = false;
  private isSearching = false;
  private problem: Error | undefined;

  private constructor(
    private readonly urls: readonly string[],
    private primary: Primary | undefined,
  ) {
    if (primary !== undefined) this.timer = setInterval(() => void this.tick(), TICK_MS).unref();
  }

  static async find({ DATABASE_URL }: Config): Promise<PrimaryHost> {
    const urls = hostUrls(DATABASE_URL);
    return new PrimaryHost(urls, urls.length > 1 ? await findPrimary(urls) : undefined);
  }

  get url(): string {
    return this.primary?.url ?? this.urls[0] ?? '';
  }

  /** Undefined with a single server. */
  get timeline(): number | undefined {
    return this.primary?.timeline;
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  onSwitch(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** A server that was the primary when it was found may be a standby now. */
  async require(client: ClientBase): Promise<void> {
    const timeline = await timelineOf(client);
    if (timeline === undefined || timeline < (this.timeline ?? 0))
      throw new NotPrimaryError('The connection leads to a server that is not the primary');
  }

  /** Searches soon. Returns the reason why no connection could be had, if it is known. */
  failed(error: Error): Error {
    this.hasFailed = true;
    return this.problem ?? error;
  }

  private async tick(): Promise<void> {
    this.ticks = (this.ticks + 1) % TICKS;
    if (this.isSearching || (!this.hasFailed && this.ticks !== 0)) return;
    this.isSearching = true;
    try {
      this.use(await findPrimary(this.urls, this.primary));
      this.hasFailed = false;
      this.problem = undefined;
    } catch (error) {
      if (this.problem === undefined) this.logger.error((error as Error).message);
      this.hasFailed = true;
      this.problem = error as Error;
    } finally {
      this.isSearching = false;
    }
  }

  private use(found: Primary): void {
    const isOther = found.url !== this.url || found.timeline !== this.timeline;
    if (isOther || this.problem !== undefined) this.logger.warn(`The primary was found: ${found.text}`);
    this.primary = found;
    if (isOther) for (const listener of this.listeners) listener();
  }
}
