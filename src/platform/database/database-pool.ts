import { Injectable } from '@nestjs/common';
import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { Config } from '../config/load-config';
import { Metrics } from '../metrics/metrics';
import { applicationName } from './application-name';
import { DatabaseClient, type DatabaseClientConfig, NotPrimaryError } from './database-client';
import { DatabaseContext } from './database-context';
import { FairSlots } from '../../kernel/fair-slots';
import { PoolMetrics } from './pool-metrics';
import { PrimaryHost } from './primary-host';
import { typeParser } from './type-parsers';

/** What a pool tells of its connections. */
export interface PoolObserver {
  waited(ms: number, error: unknown): void;
  lost(): void;
}

/**
 * Connections that tenants share. Waiting tenants get one in turn; in the queue of `pg` all would wait behind the requests of
 * one tenant.
 */
export class FairPool extends Pool {
  protected readonly slots: FairSlots;
  protected observer: PoolObserver | undefined;
  private readonly holders = new WeakMap<PoolClient, string>();
  private readonly maxWaitMs: number;

  /** TypeORM and the pool itself pass a callback. */
  override readonly connect = ((callback?: ConnectCallback): Promise<PoolClient> | void => {
    if (callback !== undefined) return this.checkOut(callback);
    return new Promise((resolve, reject) =>
      this.checkOut((error, client) => (client === undefined ? reject(error) : resolve(client))),
    );
  }) as Pool['connect'];

  constructor(
    config: Config,
    connectionString: string,
    private readonly context: DatabaseContext,
    more: PoolConfig = {},
  ) {
    super({ ...poolConfig(config, connectionString), ...more });
    this.slots = new FairSlots(config.DATABASE_POOL_SIZE);
    this.maxWaitMs = connectionTimeoutMs(config);
    const limits = sessionLimits(config);
    // Sent together with the first statement. PgBouncer refuses connections with these parameters in the startup packet.
    this.on('connect', (client) => {
      client.query(limits).catch((error: Error) => {
        if (client instanceof DatabaseClient) client.disconnect(error);
      });
    });
    // The pool replaces idle connections that break.
    this.on('error', () => this.observer?.lost());
    this.on('release', (_error, client) => {
      const tenant = this.holders.get(client);
      if (tenant !== undefined) this.slots.release(tenant);
      // The pool removes a client that ends.
      if (client instanceof DatabaseClient && client.isUsedUp) client.end().catch(() => undefined);
    });
  }

  /** What the caller gets when it gets no connection. */
  protected failed(error: Error | undefined): Error | undefined {
    return error;
  }

  /** The time limit is for the whole: the turn, and then the connection. */
  private checkOut(callback: ConnectCallback): void {
    const { tenant } = this.context;
    const started = performance.now();
    let timer: NodeJS.Timeout | undefined;
    let hasTimedOut = false;
    const finish: ConnectCallback = (error, client, release) => {
      this.observer?.waited(performance.now() - started, error);
      callback(error, client, release);
    };
    const leave = this.slots.take(tenant, () =>
      super.connect((error, client, release) => {
        clearTimeout(timer);
        if (client === undefined) this.slots.release(tenant);
        else this.holders.set(client, tenant);
        const failure = client === undefined ? this.failed(error) : undefined;
        if (hasTimedOut) client?.release();
        else finish(failure, client, release);
      }),
    );
    if (leave === undefined) return;
    timer = setTimeout(() => {
      hasTimedOut = true;
      leave();
      finish(new Error(CONNECTION_TIMEOUT), undefined, () => undefined);
    }, this.maxWaitMs);
  }
}

/** All connections of this process to the database. TypeORM uses the same pool and closes it when the application closes. */
@Injectable()
export class DatabasePool extends FairPool {
  private readonly clients = new Set<PoolClient>();

  constructor(
    config: Config,
    metrics: Metrics,
    context: DatabaseContext,
    private readonly primary: PrimaryHost,
  ) {
    super(config, primary.url, context, primary.timeline === undefined ? {} : toPrimary(primary));
    this.observer = new PoolMetrics(metrics, this, this.slots, config.DATABASE_POOL_SIZE);
    this.on('connect', (client) => this.clients.add(client));
    this.on('remove', (client) => this.clients.delete(client));
    primary.onSwitch(() => this.disconnectAll());
  }

  protected override failed(error: Error | undefined): Error | undefined {
    return error && this.primary.failed(error);
  }

  /** Also those in use: a change that a former primary confirmed would be lost. */
  private disconnectAll(): void {
    for (const client of this.clients) {
      if (client instanceof DatabaseClient) client.disconnect(new NotPrimaryError('another server is the primary now'));
    }
  }
}

/** Each new connection goes to the server that is the primary then, and is used only if it still is. */
const toPrimary = (primary: PrimaryHost): PoolConfig => ({
  Client: class extends DatabaseClient {
    constructor(config?: DatabaseClientConfig) {
      super({ ...config, connectionString: primary.url });
    }
  },
  verify: (client, done) => void primary.require(client).then(() => done(), done),
});

/** The error of `pg`. */
const CONNECTION_TIMEOUT = 'timeout exceeded when trying to connect';

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/**
 * Limits every step, so that a request fails soon if the database hangs: a third of the time for getting a connection, the
 * rest for a statement. The server enforces it, and the client does if the server hangs.
 */
const statementTimeoutMs = ({ DATABASE_TIMEOUT_MS }: Config): number => Math.round((DATABASE_TIMEOUT_MS * 2) / 3);

const connectionTimeoutMs = ({ DATABASE_TIMEOUT_MS }: Config): number => Math.round(DATABASE_TIMEOUT_MS / 3);

/** The limits that the server enforces. The second releases the locks of a process that is paused or lost in a transaction. */
const sessionLimits = (config: Config): string =>
  `SET statement_timeout = ${statementTimeoutMs(config)}; ` +
  `SET idle_in_transaction_session_timeout = ${config.DATABASE_TIMEOUT_MS * 4}`;

function poolConfig(config: Config, connectionString: string): PoolConfig & DatabaseClientConfig {
  return {
    Client: DatabaseClient,
    connectionString,
    application_name: applicationName(),
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: connectionTimeoutMs(config),
    keepAlive: true,
    types: { ...types, getTypeParser: typeParser },
    // Sends a statement without waiting for the answer to the previous one.
    pipeline: true,
    answerTimeoutMillis: statementTimeoutMs(config) + 250,
  };
}
