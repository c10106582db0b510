import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/apps/postgres/embedded-postgres';
import { migrate } from '../../src/platform/database/migrate';
import { type DatabaseServer, roleOf, serverKey, template, urlOf } from './database';
import { teardown } from './global-teardown';
import { distKey } from './programs';

/** Trades durability for speed: test data may be lost in a crash. */
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  io_method: 'sync',
  // Passwords are random, and hashing them takes half of the client's time to connect.
  scram_iterations: '1',
};

/** Starts PostgreSQL, or uses the server in DATABASE_URL, and migrates the template database that each worker copies. */
export default async function globalSetup(): Promise<void> {
  buildProcesses();
  const { server, stop } = await startServer();
  await migrateTemplate(server);
  teardown.afterAll = async () => {
    await dropAll(server);
    await stop();
    rmSync(process.env[distKey] ?? '', { recursive: true, force: true });
  };
}

interface StartedServer {
  readonly server: DatabaseServer;
  readonly stop: () => Promise<void>;
}

export async function startServer(): Promise<StartedServer> {
  const named = process.env['DATABASE_URL'];
  const started =
    named === undefined ? await startEmbedded() : { server: namedServer(named), stop: async () => undefined };
  process.env[serverKey] = JSON.stringify(started.server);
  return started;
}

export async function migrateTemplate(server: DatabaseServer): Promise<void> {
  await recreate(server, template(server));
  await migrate({
    migrationUrl: urlOf(server, template(server), 'owner'),
    appUrl: urlOf(server, template(server), 'app'),
  });
}

/** Some tests run the compiled processes. Each run has its own folder, because several runs may build at the same time. */
export function buildProcesses(): void {
  const folder = join(__dirname, '../../node_modules/.cache', `assay-test-${process.pid}`);
  execFileSync(process.execPath, [join(__dirname, '../../bin/build.mjs'), '--out-dir', folder], { stdio: 'inherit' });
  process.env[distKey] = folder;
}

async function startEmbedded(): Promise<StartedServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-test-'));
  const postgres = await EmbeddedPostgres.start({ dataDir, settings: fastSettings });
  const server = {
    admin: postgres.url('postgres', 'postgres'),
    owner: postgres.url('postgres', 'assay_owner'),
    app: postgres.url('postgres', 'assay_app'),
    run: 'embedded',
  };
  return {
    server,
    stop: async () => {
      await postgres.stop('immediate');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** An existing server: one role for everything, and database names that contain the process id. */
const namedServer = (url: string): DatabaseServer => ({ admin: url, owner: url, app: url, run: `${process.pid}` });

async function recreate(server: DatabaseServer, name: string): Promise<void> {
  await withAdmin(server, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name} OWNER ${roleOf(server.owner)}`);
  });
}

async function dropAll(server: DatabaseServer): Promise<void> {
  if (server.run !== 'embedded') await dropDatabases(server);
}

/** Those of this run, but not the named one. */
export async function dropDatabases(server: DatabaseServer, kept = ''): Promise<void> {
  await withAdmin(server, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1) AND datname <> $2',
      [`assay_${server.run}_`, kept],
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  });
}

async function withAdmin(server: DatabaseServer, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: server.admin });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
