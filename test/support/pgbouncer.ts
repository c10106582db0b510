import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessUser } from '../../src/apps/postgres/process-user';
import { RealServer, binaryOf, freePort } from '../../src/engine/testing/real-server';

const binary = binaryOf('pgbouncer');

/** `describe`, or `describe.skip` without PgBouncer. */
export function describeWithPgBouncer(name: string, tests: () => void): void {
  if (binary === null) describe.skip(`${name}: pgbouncer is not installed`, tests);
  else describe(name, tests);
}

export interface PgBouncer {
  /** The URL of the same database and role through PgBouncer. */
  readonly url: string;
  stop(): Promise<void>;
}

/** PgBouncer with the defaults of its package in front of a database, with additional settings. */
export async function startPgBouncer(databaseUrl: string, settings = ''): Promise<PgBouncer> {
  const database = new URL(databaseUrl.replace('@/', '@localhost/'));
  const socketFolder = database.searchParams.get('host');
  const host = socketFolder ?? database.hostname;
  const serverPort = database.port || database.searchParams.get('port') || '5432';
  const folder = mkdtempSync(join(tmpdir(), 'assay-pgbouncer-'));
  const port = await freePort();
  const users = join(folder, 'userlist.txt');
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"${decodeURIComponent(database.username)}" "${decodeURIComponent(database.password)}"\n`);
  const fixed = `auth_file = ${users}\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n`;
  writeFileSync(file, `[databases]\n* = host=${host} port=${serverPort}\n[pgbouncer]\n${fixed}${settings}\n`);
  // Like PostgreSQL, PgBouncer refuses to run as root. This user may access the socket of the test database.
  const user = ProcessUser.choose();
  for (const path of [folder, users, file]) user.changeOwner(path);
  const server = await RealServer.start(binary ?? '', port, ['-q', file], (program, args) =>
    user.spawn(program, args, { stdio: 'ignore' }),
  );
  return {
    url: `postgres://${database.username}:${database.password}@127.0.0.1:${port}${database.pathname}`,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
