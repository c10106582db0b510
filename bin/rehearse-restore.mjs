import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { project, requireBuild } from './built.mjs';

const HELP = `Dumps the database, restores the dump into a new database, and compares every row. The service may run meanwhile.

  MIGRATION_DATABASE_URL  the database, with the role that owns the tables
  RESTORE_DATABASE_URL    any database of the server for the copy, with a role that may create databases
  --keep                  keeps the copy, and the dump`;

/** The same text of a row on both servers. */
const SAME_TEXT = `SET timezone = 'UTC'; SET datestyle = 'ISO'; SET bytea_output = 'hex'; SET extra_float_digits = 1`;

const keep = process.argv.includes('--keep');
const folder = mkdtempSync(join(tmpdir(), 'assay-restore-'));
const file = join(folder, 'assay.dump');
const copyName = `assay_restore_${randomBytes(6).toString('hex')}`;

const withDatabase = (url, name) => url.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`);

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** The password is not an argument, because other users of the machine can see arguments. */
async function run(program, url, args) {
  const [, password] = /^\w+:\/\/[^:@/]*:([^@/]*)@/.exec(url) ?? [];
  const target = url.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1@');
  const env = { ...process.env, ...(password !== undefined && { PGPASSWORD: decodeURIComponent(password) }) };
  const child = spawn(program, ['--dbname', target, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  child.once('error', () => undefined);
  const [code] = await once(child, 'close').catch((error) => {
    throw new Error(`${program} cannot be started (${error.code}): install the client programs of PostgreSQL.`);
  });
  if (code !== 0) throw new Error(`${program} failed with exit code ${code}.`);
}

async function connected(url, work) {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The number of rows of each table, and a sum over the hashes of all rows, which does not depend on their order. */
async function contents(client) {
  const { rows: tables } = await client.query(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'
       AND NOT EXISTS (SELECT FROM pg_depend
         WHERE classid = 'pg_class'::regclass AND objid = format('%I', tablename)::regclass AND deptype = 'e')
     ORDER BY tablename`,
  );
  const found = new Map();
  for (const { name } of tables) {
    const { rows } = await client.query(
      `SELECT count(*) AS count, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) AS hash FROM ${name} t`,
    );
    found.set(name, rows[0]);
  }
  return found;
}

/** Dumps the same snapshot that is counted. */
const dump = (url) =>
  connected(url, async (client) => {
    await client.query(SAME_TEXT);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await client.query('SELECT pg_export_snapshot() AS snapshot');
    await run('pg_dump', url, [
      '--format=custom',
      '--extension=plpgsql',
      `--snapshot=${rows[0].snapshot}`,
      `--file=${file}`,
    ]);
    return contents(client);
  });

async function restore(url) {
  await run('pg_restore', url, ['--no-owner', '--no-privileges', '--exit-on-error', file]);
  return connected(url, async (client) => {
    await client.query(SAME_TEXT);
    return contents(client);
  });
}

function compare(original, copy) {
  let differences = 0;
  for (const [name, { count, hash }] of original) {
    const restored = copy.get(name);
    const isSame = restored?.count === count && restored.hash === hash;
    if (!isSame) differences++;
    const note = isSame ? 'identical' : `DIFFERENT: ${restored?.count ?? 'no'} rows in the copy`;
    process.stdout.write(`${name.padEnd(28)} ${count.padStart(10)} rows  ${note}\n`);
  }
  if (original.size === 0) throw new Error('The database has no tables: check MIGRATION_DATABASE_URL.');
  if (differences > 0) throw new Error(`${differences} of ${original.size} tables differ: the dump must not be used.`);
  process.stdout.write(`The dump was restored: all ${original.size} tables are identical.\n`);
}

/** With several hosts, all connections go to the server that is the primary now. */
async function ofPrimary(url) {
  requireBuild((step) => process.stderr.write(`${step} ...\n`));
  const compiled = join(project, 'dist', 'src', 'platform', 'database', 'find-primary.js');
  return createRequire(import.meta.url)(compiled).primaryUrl(url);
}

async function rehearse(sourceUrl, serverUrl) {
  const [source, server] = await Promise.all([sourceUrl, serverUrl].map(ofPrimary));
  const copyUrl = withDatabase(server, copyName);
  const original = await dump(source);
  await connected(server, (client) => client.query(`CREATE DATABASE ${copyName}`));
  try {
    compare(original, await restore(copyUrl));
    if (keep) process.stdout.write(`The copy is the database ${copyName}, the dump is ${file}.\n`);
  } finally {
    if (!keep) await connected(server, (client) => client.query(`DROP DATABASE ${copyName}`));
  }
}

const { MIGRATION_DATABASE_URL: source, RESTORE_DATABASE_URL: server } = process.env;
if (process.argv.includes('--help')) process.stdout.write(`${HELP}\n`);
else if (!source || !server) fail(`Set MIGRATION_DATABASE_URL and RESTORE_DATABASE_URL.\n\n${HELP}`);
else await rehearse(source, server).catch((error) => fail(error.message || String(error)));
if (!keep) rmSync(folder, { recursive: true, force: true });
