import { Client } from 'pg';

/** One server for the whole run, with a role for each thing that a test may want to be. */
export interface DatabaseServer {
  readonly admin: string;
  readonly owner: string;
  readonly app: string;
  readonly run: string;
}

export const serverKey = 'ASSAY_TEST_SERVER';

export const template = ({ run }: DatabaseServer): string => `assay_${run}_template`;

export const server = (): DatabaseServer => JSON.parse(process.env[serverKey] ?? '{}') as DatabaseServer;

export function urlOf(from: DatabaseServer, database: string, role: 'admin' | 'owner' | 'app'): string {
  return from[role].replace(/\/[^/?]*(\?|$)/, `/${database}$1`);
}

/** The databases of this Jest worker: a copy of the migrated template, made when first asked for. */
export interface TestDatabase {
  readonly name: string;
  readonly appUrl: string;
  readonly ownerUrl: string;
}

export async function testDatabase(suffix = ''): Promise<TestDatabase> {
  const from = server();
  const name = `assay_${from.run}_${process.env['JEST_WORKER_ID'] ?? '0'}${suffix}`;
  const client = new Client({ connectionString: from.admin });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${name} TEMPLATE ${template(from)}`);
  } finally {
    await client.end();
  }
  return { name, appUrl: urlOf(from, name, 'app'), ownerUrl: urlOf(from, name, 'owner') };
}

/** A look at the rows themselves, as the role that owns them: for what no caller is shown. */
export async function query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: (await testDatabase()).ownerUrl });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}
