import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import {
  DataSource,
  type EntitySubscriberInterface,
  EventSubscriber,
  MigrationExecutor,
  type TransactionStartEvent,
} from 'typeorm';
import { migrations } from '../../../migrations';
import { hostUrls } from '../config/postgres-hosts';
import { primaryUrl } from './find-primary';
import { requireSessions } from './require-sessions';

export interface MigrationUrls {
  /** The role that owns the tables. */
  readonly migrationUrl: string;
  /** The role of the service. It gets only the rights that it needs. */
  readonly appUrl: string;
  /** The role of the listener of callbacks. */
  readonly callbackUrl?: string | undefined;
}

/** An arbitrary unique number. Processes that start together migrate one after the other. */
const ADVISORY_LOCK = 715_830_421;

/** An unavailable database is reported soon. The migrations themselves have no limit. */
const CONNECTION_TIMEOUT_MS = 4_000;

/** How long a migration, and everyone behind it, waits for a table that others use. */
const LOCK_TIMEOUT = '2s';
/** A lock that was not available in time, and a deadlock. */
const IN_USE: ReadonlySet<unknown> = new Set(['55P03', '40P01']);
const PAUSE_MS = 1_000;
const MOST_ATTEMPTS = 200;

/** Migrations without a transaction set their own. */
@EventSubscriber()
class ShortLocks implements EntitySubscriberInterface {
  async afterTransactionStart({ queryRunner }: TransactionStartEvent): Promise<void> {
    await queryRunner.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  }
}

/** The names of the migrations that ran; none if there is no schema. */
export async function ranMigrations(url: string): Promise<string[]> {
  const client = new Client({
    connectionString: await primaryUrl(url),
    application_name: 'assay migrate',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ exists: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
    if (rows[0]?.exists !== true) return [];
    const ran = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    return ran.rows.map(({ name }) => name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs pending migrations and grants rights to the role of the service. Returns the names of the migrations. */
export async function migrate({ migrationUrl, appUrl, callbackUrl }: MigrationUrls): Promise<string[]> {
  const url = await primaryUrl(migrationUrl);
  const config = {
    connectionString: url,
    application_name: 'assay migrate',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  };
  // The lock belongs to a session.
  await requireSessions('The database for migrations', config);
  const client = new Client(config);
  await client.connect();
  try {
    await requireVersion(client);
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    const ran = await runMigrations(url);
    await grant(client, roleOf(appUrl));
    if (callbackUrl !== undefined) await grantCallbacks(client, roleOf(appUrl), roleOf(callbackUrl));
    return ran;
  } finally {
    await client.end();
  }
}

async function requireVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version");
  if (Number(rows[0]?.version) < 150_000) throw new Error('Assay needs PostgreSQL 15 or later.');
}

async function runMigrations(url: string): Promise<string[]> {
  const source = new DataSource({
    type: 'postgres',
    url,
    migrations,
    migrationsTableName: 'migrations',
    subscribers: [ShortLocks],
    poolSize: 1,
  });
  await source.initialize();
  try {
    return await runWhenFree(source);
  } finally {
    await source.destroy();
  }
}

/** A migration whose tables are in use begins again. Those before it stay. */
async function runWhenFree(source: DataSource): Promise<string[]> {
  const pending = await new MigrationExecutor(source).getPendingMigrations();
  for (let attempt = 1; ; attempt++) {
    try {
      await source.runMigrations({ transaction: 'each' });
      return pending.map(({ name }) => name);
    } catch (error) {
      if (!IN_USE.has((error as { code?: unknown }).code) || attempt === MOST_ATTEMPTS) throw error;
      await wait(PAUSE_MS);
    }
  }
}

const roleOf = (url: string): string =>
  decodeURIComponent(new URL((hostUrls(url)[0] ?? url).replace('@/', '@localhost/')).username);

/**
 * The role of the service owns no tables, can only read and insert audit entries, and cannot set limits. The same role for both is possible (a
 * trigger still prevents changes of the log), but the service warns about it at startup.
 */
async function grant(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ same: boolean; name: string }>(
    'SELECT current_user = $1 AS same, quote_ident($1) AS name',
    [role],
  );
  const { same, name } = rows[0] ?? {};
  if (same !== false) return;
  await client.query('BEGIN');
  await client.query(`GRANT USAGE ON SCHEMA public TO ${name}`);
  await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`);
  await client.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${name}`);
  await client.query(`REVOKE ALL ON migrations FROM ${name}`);
  await client.query(`GRANT SELECT ON migrations TO ${name}`);
  await client.query(`REVOKE ALL ON ${await auditTables(client)} FROM ${name}`);
  await client.query(`GRANT SELECT, INSERT ON audit_logs TO ${name}`);
  await client.query(`REVOKE UPDATE, DELETE ON audit_leaves, audit_heads FROM ${name}`);
  await client.query(`REVOKE INSERT, UPDATE ON organization_limits FROM ${name}`);
  await client.query(`REVOKE INSERT, UPDATE, DELETE ON history_retentions FROM ${name}`);
  await client.query(`REVOKE INSERT, UPDATE, DELETE ON stored_limits FROM ${name}`);
  await client.query('COMMIT');
}

/**
 * The listener may execute one function and see no table. What everyone may use by default is given to the role of the service
 * instead: the schema of the tables with its functions, and temporary tables.
 */
async function grantCallbacks(client: Client, app: string, listener: string): Promise<void> {
  const { rows } = await client.query<{ database: string; appName: string; name: string }>(
    'SELECT quote_ident(current_database()) AS database, quote_ident($1) AS "appName", quote_ident($2) AS name',
    [app, listener],
  );
  const { database, appName, name } = rows[0] ?? {};
  await client.query('BEGIN');
  await client.query(`GRANT USAGE ON SCHEMA public TO ${appName}`);
  await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
  await client.query(`GRANT TEMPORARY ON DATABASE ${database} TO ${appName}`);
  await client.query(`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
  await client.query('REVOKE ALL ON FUNCTION listener.record_callback(text, text, inet) FROM PUBLIC');
  await client.query(`GRANT USAGE ON SCHEMA listener TO ${name}`);
  await client.query(`GRANT EXECUTE ON FUNCTION listener.record_callback(text, text, inet) TO ${name}`);
  await client.query('COMMIT');
}

/** The audit log and its partitions, also those that were detached. The service needs only the rights of the whole log. */
async function auditTables(client: Client): Promise<string> {
  const { rows } = await client.query<{ tables: string }>(
    `SELECT string_agg(quote_ident(tablename), ', ') AS tables FROM pg_tables
     WHERE schemaname = 'public' AND (tablename = 'audit_logs' OR tablename LIKE 'audit\\_logs\\_%')`,
  );
  return rows[0]?.tables ?? 'audit_logs';
}
