import { Client, type ClientConfig } from 'pg';
import type { Config } from '../config/load-config';
import type { Log } from '../logging/log';
import { isUnavailable, reasonOf } from './database-errors';
import { primaryUrl } from './find-primary';
import { schemaState } from './schema-state';
import { requireSessions } from './require-sessions';

const MAX_WAIT_MS = 30_000;
const RETRY_PAUSE_MS = 500;

interface WaitOptions {
  /** The database in the error message. */
  readonly name?: string;
  /** How long to retry while the database is unavailable. */
  readonly waitMs?: number;
  /** The limit for the connection and for each answer. */
  readonly timeoutMs?: number;
}

/** Waits for a database that is starting, and throws if it is not migrated or reached through a pooler without sessions. */
export async function awaitDatabase(
  { DATABASE_URL }: Pick<Config, 'DATABASE_URL'>,
  log: Log,
  { name = 'The database in DATABASE_URL', waitMs = MAX_WAIT_MS, timeoutMs }: WaitOptions = {},
): Promise<void> {
  const start = performance.now();
  for (let first = true; ; first = false) {
    try {
      const config = {
        connectionString: await primaryUrl(DATABASE_URL),
        connectionTimeoutMillis: timeoutMs ?? 2_000,
        query_timeout: timeoutMs ?? 4_000,
      };
      await requireSessions(name, config);
      await requireMigrated(config, log);
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (performance.now() - start >= waitMs)
        throw new Error(`${name} cannot be reached: ${reasonOf(error)}`, { cause: error });
      if (first) log.warn('the database cannot be reached yet; retrying for 30 seconds');
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    }
  }
}

/** Additional migrations are accepted: during an update the newer version migrates first. */
async function requireMigrated(config: ClientConfig, log: Log): Promise<void> {
  const client = new Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ migrated: boolean; owner: boolean }>(
      `SELECT to_regclass('migrations') IS NOT NULL AS migrated,
         EXISTS (SELECT 1 FROM pg_tables WHERE tablename = 'audit_logs' AND tableowner = current_user) AS owner`,
    );
    const ran = rows[0]?.migrated ? await client.query<{ name: string }>('SELECT name FROM migrations') : undefined;
    const { missing } = schemaState(ran?.rows.map(({ name }) => name) ?? []);
    if (ran !== undefined && missing.length > 0) {
      throw new Error(
        `The schema is older than this version (${missing.join(', ')} is missing): run "npm run migration:run" first.`,
      );
    }
    if (rows[0]?.migrated !== true)
      throw new Error('The database has no schema yet: run "npm run migration:run -- --new" first.');
    if (rows[0].owner) {
      log.warn(
        'the role in DATABASE_URL owns the tables; a separate role for the service, with MIGRATION_DATABASE_URL for migrations, is safer',
      );
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}
