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

export const roleOf = (url: string): string => decodeURIComponent(new URL(url.replace('@/', '@localhost/')).username);

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

/** A look at the rows themselves, as the role that owns them: for what no caller is shown. */
export const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  queryAt((await testDatabase()).ownerUrl, text, values);

/** From outside of the database: for what is done to it. */
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
