import { Injectable } from '@nestjs/common';
import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { Config } from '../config/load-config';
import { Metrics } from '../metrics/metrics';
import { DatabaseClient, type DatabaseClientConfig } from './database-client';
import { PoolMetrics } from './pool-metrics';

/** All connections of this process. TypeORM uses the same pool and closes it when the application closes. */
@Injectable()
export class DatabasePool extends Pool {
  private readonly observe: PoolMetrics;

  /** TypeORM and the pool itself pass a callback. */
  override readonly connect = ((callback?: ConnectCallback): Promise<PoolClient> | void => {
    const started = performance.now();
    const ended = (error: unknown): void => this.observe.waited(performance.now() - started, error);
    if (callback !== undefined)
      return super.connect((error, client, release) => {
        ended(error);
        callback(error, client, release);
      });
    return super.connect().then(
      (client) => {
        ended(undefined);
        return client;
      },
      (error: unknown) => {
        ended(error);
        throw error;
      },
    );
  }) as Pool['connect'];

  constructor(config: Config, metrics: Metrics) {
    super(poolConfig(config));
    this.observe = new PoolMetrics(metrics, this, config.DATABASE_POOL_SIZE);
    const limits = sessionLimits(config);
    // Sent together with the first statement. PgBouncer refuses connections with these parameters in the startup packet.
    this.on('connect', (client) => {
      client.query(limits).catch((error: Error) => {
        if (client instanceof DatabaseClient) client.disconnect(error);
      });
    });
    // The pool replaces idle connections that break.
    this.on('error', () => this.observe.lost());
  }
}

type ConnectCallback = Parameters<typeof Pool.prototype.connect>[0];

type GetTypeParser = typeof types.getTypeParser;

/** A day stays a text such as 2026-01-31. By default it becomes an instant in the time zone of the process. */
const getTypeParser = ((id: Parameters<GetTypeParser>[0], format: 'text') =>
  id === types.builtins.DATE ? (day: string) => day : types.getTypeParser(id, format)) as GetTypeParser;

/**
 * Limits every step, so that a request fails soon if the database hangs: a third of the time for getting a connection, the
 * rest for a statement. The server enforces it, and the client does if the server hangs.
 */
const statementTimeoutMs = ({ DATABASE_TIMEOUT_MS }: Config): number => Math.round((DATABASE_TIMEOUT_MS * 2) / 3);

/** The limits that the server enforces. The second releases the locks of a process that is paused or lost in a transaction. */
const sessionLimits = (config: Config): string =>
  `SET statement_timeout = ${statementTimeoutMs(config)}; ` +
  `SET idle_in_transaction_session_timeout = ${config.DATABASE_TIMEOUT_MS * 4}`;

function poolConfig(config: Config): PoolConfig & DatabaseClientConfig {
  return {
    Client: DatabaseClient,
    connectionString: config.DATABASE_URL,
    application_name: 'assay',
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: Math.round(config.DATABASE_TIMEOUT_MS / 3),
    keepAlive: true,
    types: { ...types, getTypeParser },
    // Sends a statement without waiting for the answer to the previous one.
    pipeline: true,
    answerTimeoutMillis: statementTimeoutMs(config) + 250,
  };
}
