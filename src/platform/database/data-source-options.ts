import type { DataSourceOptions } from 'typeorm';
import type { ClientBase } from 'pg';
import type { Config } from '../config/load-config';
import { endWhenSilent } from './silence';

/**
 * Time limits on every step, so that a database that hangs costs a request five seconds and not its life: a third of the
 * budget to get a connection, the rest for a statement, on the server and, should that be gone, on our side too.
 */
export function dataSourceOptions(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE' | 'DATABASE_TIMEOUT_MS'>,
): DataSourceOptions {
  const budget = config.DATABASE_TIMEOUT_MS;
  const mostOfStatementMs = Math.round((budget * 2) / 3);
  return {
    type: 'postgres',
    url: config.DATABASE_URL,
    applicationName: 'assay',
    poolSize: config.DATABASE_POOL_SIZE,
    connectTimeoutMS: Math.round(budget / 3),
    synchronize: false,
    migrationsRun: false,
    logging: false,
    // A pooled connection that breaks while idle is replaced at the next use; the statement that meets it says so itself.
    poolErrorHandler: () => undefined,
    extra: {
      keepAlive: true,
      // Statements need not wait for the answer to the one before.
      pipeline: true,
      statement_timeout: mostOfStatementMs,
      onConnect: (client: ClientBase) => endWhenSilent(client, mostOfStatementMs + 250),
      // Whoever is paused in a transaction, or gone without a word, holds its locks no longer: nobody could take over from it.
      idle_in_transaction_session_timeout: budget * 4,
    },
  };
}
