import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { Config } from '../config/load-config';
import { hostUrls } from '../config/postgres-hosts';
import { NotPrimaryError } from './database-client';
import { findPrimary, type Primary, timelineOf } from './find-primary';

/** A former primary that goes on after a promotion breaks no connection, so the servers are asked regularly. */
const EVERY_MS = 2_000;
/** The pause between two searches while there is no primary. */
const PAUSE_MS = 250;

/** Which server of DATABASE_URL is the primary. With one server there is nothing to choose, and it is never asked. */
@Injectable()
export class PrimaryHost implements OnModuleDestroy {
  private readonly logger = new Logger('database');
  private readonly switched: (() => void)[] = [];
  private problem: NotPrimaryError | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isSearching = false;
  private isClosed = false;
  private lastSearch = performance.now();

  /** Before anything connects. */
  static async find({ DATABASE_URL }: Config): Promise<PrimaryHost> {
    const urls = hostUrls(DATABASE_URL);
    return new PrimaryHost(urls, urls.length > 1 ? await findPrimary(urls) : undefined);
  }

  private constructor(
    private readonly urls: readonly string[],
    private primary: Primary | undefined,
  ) {
    if (this.isChosen) this.schedule(EVERY_MS);
  }

  get isChosen(): boolean {
    return this.primary !== undefined;
  }

  get url(): string {
    return this.primary?.url ?? this.urls[0] ?? '';
  }

  /** Undefined with one server. */
  get timeline(): number | undefined {
    return this.primary?.timeline;
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  onSwitch(listener: () => void): void {
    this.switched.push(listener);
  }

  /** A server may have become a standby since it was found, or be a former primary that has come back. */
  async require(client: ClientBase): Promise<void> {
    const timeline = await timelineOf(client);
    if (timeline === undefined || timeline < (this.primary?.timeline ?? 0)) {
      throw new NotPrimaryError('The connection leads to a server that is not the primary');
    }
  }

  /** After a connection failed: searches soon. Returns the reason, if the last search has shown one. */
  failed(error: Error): Error {
    if (!this.isChosen) return error;
    if (performance.now() - this.lastSearch > PAUSE_MS) this.schedule(0);
    return this.problem ?? error;
  }

  private schedule(ms: number): void {
    if (this.isClosed || this.isSearching) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.search(), ms).unref();
  }

  private async search(): Promise<void> {
    this.isSearching = true;
    try {
      const found = await findPrimary(this.urls, this.primary);
      if (!this.isClosed) this.use(found);
    } catch (error) {
      if (!(error instanceof NotPrimaryError)) throw error;
      if (this.problem === undefined && !this.isClosed) this.logger.error(`${error.message}. It is searched again.`);
      this.problem = error;
    } finally {
      this.isSearching = false;
      this.lastSearch = performance.now();
      this.schedule(this.problem === undefined ? EVERY_MS : PAUSE_MS);
    }
  }

  private use(found: Primary): void {
    const { url, timeline } = this;
    const hadProblem = this.problem !== undefined;
    this.problem = undefined;
    this.primary = found;
    const isOther = found.url !== url || found.timeline !== timeline;
    if (hadProblem || isOther) this.logger.warn(`The primary is ${found.host}, with timeline ${found.timeline}.`);
    if (isOther) for (const listener of this.switched) listener();
  }
}
