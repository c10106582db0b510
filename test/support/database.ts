import { Client, Pool } from 'pg';

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

/** A server that DATABASE_URL names has one role for everything, so that no right can be missing there. */
export const itWithTwoRoles = (name: string, test: () => Promise<void>): void =>
  (server().app === server().owner ? it.skip : it)(name, test);

export function urlOf(from: DatabaseServer, database: string, role: 'admin' | 'owner' | 'app'): string {
  return from[role].replace(/\/[^/?]*(\?|$)/, `/${database}$1`);
}

/**
 * A database of this Jest worker, copied from the migrated template on first use by a file or suite: what others leave would
 * slow scheduled tasks down, which look at all organizations.
 */
export interface TestDatabase {
  readonly name: string;
  readonly appUrl: string;
  readonly ownerUrl: string;
}

const databases = new Map<string, Promise<TestDatabase>>();
/** Of this file or suite, also after its modules were loaded again. */
const ownDatabases = ((globalThis as { testDatabases?: Set<string> }).testDatabases ??= new Set<string>());

export function testDatabase(suffix = ''): Promise<TestDatabase> {
  const known = databases.get(suffix) ?? openDatabase(suffix);
  databases.set(suffix, known);
  return known;
}

async function openDatabase(suffix: string): Promise<TestDatabase> {
  const from = server();
  const name = `assay_${from.run}_${process.env['JEST_WORKER_ID'] ?? '0'}${suffix}`;
  if (!ownDatabases.has(name)) {
    await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await administer(`CREATE DATABASE ${name} TEMPLATE ${template(from)} OWNER ${roleOf(from.owner)}`);
    ownDatabases.add(name);
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

let connections: Promise<Pool> | undefined;

/** Queries the test database as the owner of the tables, for data that the API does not show. */
export async function query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
  connections ??= openConnections();
  return (await (await connections).query<T>(text, values)).rows;
}

/**
 * Connections that several queries use, because a new one costs more than a query. Each closes itself when it is idle, or is
 * closed by the server at the end of the test run.
 */
async function openConnections(): Promise<Pool> {
  const { ownerUrl } = await testDatabase();
  const pool = new Pool({ connectionString: ownerUrl, idleTimeoutMillis: 10_000, allowExitOnIdle: true });
  return pool.on('error', () => undefined);
}

/** Runs a statement as the administrator of the server. */
export const administer = (text: string): Promise<object[]> => queryOnce(server().admin, text);

/** Runs a statement on a connection of its own. */
export async function queryOnce<T extends object>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A database in which a test looks. */
export interface QueriedDatabase {
  /** For the service. */
  url(): string;
  /** Queries as the owner of the tables. */
  query<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
}
