import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ApplicationProcess, programNamed } from './application-process';
import { freePort } from './counting-proxy';

function run(program: string, args: readonly string[], input = ''): void {
  const { status, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
}

/** The name of a user, a password and a database at once. */
export const DATABASE = 'application';

/** A MariaDB on loopback with one database, whose data is deleted when it stops. */
export class TemporaryMariadb {
  private constructor(
    private readonly server: ApplicationProcess,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static get missing(): string | null {
    return ['mariadbd', 'mariadb-install-db', 'mariadb'].some((name) => programNamed(name) === null)
      ? 'MariaDB is not installed'
      : null;
  }

  static async start(): Promise<TemporaryMariadb> {
    const folder = mkdtempSync(join(tmpdir(), 'assay-mariadb-'));
    const port = await freePort();
    const socket = join(folder, 'socket');
    const common = ['--no-defaults', `--datadir=${join(folder, 'data')}`, `--user=${userInfo().username}`];
    run('mariadb-install-db', [...common, '--auth-root-authentication-method=normal', '--skip-test-db']);
    const args = [...common, `--socket=${socket}`, `--port=${port}`, '--bind-address=127.0.0.1'];
    const server = await ApplicationProcess.start(programNamed('mariadbd') ?? '', args, { port });
    run(
      'mariadb',
      ['--no-defaults', `--socket=${socket}`, '--user=root'],
      `CREATE DATABASE ${DATABASE}; CREATE USER '${DATABASE}'@'%' IDENTIFIED BY '${DATABASE}';
       GRANT ALL ON ${DATABASE}.* TO '${DATABASE}'@'%';`,
    );
    return new TemporaryMariadb(server, folder, port);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
