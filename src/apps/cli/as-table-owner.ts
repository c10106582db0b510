import { Client } from 'pg';
import { invalid } from '../../kernel/domain-error';
import type { Config } from '../../platform/config/load-config';
import { primaryUrl } from '../../platform/database/find-primary';

/** Runs work on a connection of the role that owns the tables, for what the service itself may not do. */
export async function asTableOwner<T>(
  { MIGRATION_DATABASE_URL, DATABASE_URL }: Config,
  work: (owner: Client) => Promise<T>,
): Promise<T> {
  const owner = new Client({ connectionString: await primaryUrl(MIGRATION_DATABASE_URL ?? DATABASE_URL) });
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    await requireOwner(owner);
    return await work(owner);
  } finally {
    await owner.end().catch(() => undefined);
  }
}

async function requireOwner(client: Client): Promise<void> {
  const { rows } = await client.query<{ owner: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_tables WHERE tablename = 'audit_logs' AND tableowner = current_user) AS owner`,
  );
  if (rows[0]?.owner !== true) throw invalid('Set MIGRATION_DATABASE_URL to the role that owns the tables.');
}
