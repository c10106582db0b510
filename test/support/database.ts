import { Client } from 'pg';

/** The PostgreSQL server of this test run, with a URL for each role. */
export interface DatabaseServer {
  readonly admin: string;
  readonly owner: string;
  readonly app: string;
  readonly run: string;
}

export const serverKey = 'ASSAY_TEST_SERVER';

export const template = ({ run }: DatabaseServer): string => `assay_${run}_template`;

export const server = (): DatabaseServer => JSON.parse(process.env[serverKey] ?? '{}') as DatabaseServer;

export const roleOf = (url: string): string => decodeURIComponent(new URL(url.replace('@/', '@localhost/')).username);

export function urlOf(from: DatabaseServer, database: string, role: 'admin' | 'owner' | 'app'): string {
  return from[role].replace(/\/[^/?]*(\?|$)/, `/${database}$1`);
}

/** A database of this Jest worker, copied from the migrated template on first use. */
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
    if (rowCount === 0)
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template(from)} OWNER ${roleOf(from.owner)}`);
  } finally {
    await client.end();
  }
  return { name, appUrl: urlOf(from, name, 'app'), ownerUrl: urlOf(from, name, 'owner') };
}

/** A database without a schema. */
export async function emptyDatabase(): Promise<string> {
  const from = server();
  const name = `assay_${from.run}_${process.env['JEST_WORKER_ID'] ?? '0'}_empty`;
  await administer(`DROP DATABASE IF EXISTS ${name}`);
  await administer(`CREATE DATABASE ${name} OWNER ${roleOf(from.owner)}`);
  return urlOf(from, name, 'owner');
}

/** Queries the test database as the owner of the tables, for data that the API does not show. */
export const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  queryAt((await testDatabase()).ownerUrl, text, values);

/** Runs a statement as the administrator of the server. */
export const administer = (text: string): Promise<object[]> => queryAt(server().admin, text, []);

async function queryAt<T extends object>(connectionString: string, text: string, values: unknown[]): Promise<T[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}
