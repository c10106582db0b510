import { Client, type ClientConfig } from 'pg';
import { invalid } from '../../kernel/domain-error';
import type { Config } from '../../platform/config/load-config';
import { primaryUrl } from '../../platform/database/find-primary';

type Urls = Pick<Config, 'MIGRATION_DATABASE_URL' | 'DATABASE_URL'>;

/** Runs work on a connection of the role of the service. */
export async function asService<T>(
  { DATABASE_URL }: Urls,
  work: (client: Client) => Promise<T>,
  timeouts: Pick<ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> = {},
): Promise<T> {
  return onConnection({ connectionString: await primaryUrl(DATABASE_URL), ...timeouts }, work);
}

/** Runs work on a connection of the role that owns the tables, for what the service itself may not do. */
export async function asTableOwner<T>(
  { MIGRATION_DATABASE_URL, DATABASE_URL }: Urls,
  work: (owner: Client) => Promise<T>,
): Promise<T> {
  const connectionString = await primaryUrl(MIGRATION_DATABASE_URL ?? DATABASE_URL);
  return onConnection({ connectionString }, async (owner) => {
    await requireOwner(owner);
    return work(owner);
  });
}

async function onConnection<T>(settings: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...settings, application_name: 'assay admin' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function requireOwner(client: Client): Promise<void> {
  const { rows } = await client.query<{ owner: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_tables WHERE tablename = 'audit_logs' AND tableowner = current_user) AS owner`,
  );
  if (rows[0]?.owner !== true) throw invalid('Set MIGRATION_DATABASE_URL to the role that owns the tables.');
}
