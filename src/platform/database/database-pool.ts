import { Injectable } from '@nestjs/common';
import { Pool, type PoolConfig } from 'pg';
import { Config } from '../config/load-config';
import { DatabaseClient, type DatabaseClientConfig } from './database-client';

/** All connections of this process: TypeORM takes its own from here too, and ends the pool when the application closes. */
@Injectable()
export class DatabasePool extends Pool {
  constructor(config: Config) {
    super(poolConfig(config));
    // A connection that breaks while idle is replaced at the next use; the statement that meets a broken one fails itself.
    this.on('error', () => undefined);
  }
}

/**
 * A limit for every step, so that a database that hangs costs a request five seconds at most: a third of the budget to get a
 * connection, the rest for a statement, on the server and, in case that hangs, on our side too.
 */
function poolConfig(config: Config): PoolConfig & DatabaseClientConfig {
  const budget = config.DATABASE_TIMEOUT_MS;
  const statementTimeoutMs = Math.round((budget * 2) / 3);
  return {
    Client: DatabaseClient,
    connectionString: config.DATABASE_URL,
    application_name: 'assay',
    max: config.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: Math.round(budget / 3),
    keepAlive: true,
    // Statements need not wait for the answer to the one before.
    pipeline: true,
    statement_timeout: statementTimeoutMs,
    answerTimeoutMillis: statementTimeoutMs + 250,
    // A process that is paused in a transaction, or lost, does not hold its locks for longer than this.
    idle_in_transaction_session_timeout: budget * 4,
  };
}
