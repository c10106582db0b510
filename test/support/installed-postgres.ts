import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessUser } from '../../src/apps/postgres/process-user';
import { describeUnless } from '../../src/engine/testing/describe-unless';
import { queryOnce } from './database';
import { eventually } from './eventually';

const VERSIONS = '/usr/lib/postgresql';

/** The folder of the server's programs of a Debian package, or undefined: the npm package has no programs for backups. */
const programs = ((): string | undefined => {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'pg_basebackup')));
})();

/** `describe`, or `describe.skip` without the server of the distribution. */
export function describeWithInstalledPostgres(name: string, tests: () => void): void {
  describeUnless(programs === undefined ? 'the package postgresql is not installed' : null, name, tests);
}

/** PostgreSQL of the distribution, with an archive of its write-ahead log. Local connections need no password. */
export class InstalledPostgres {
  readonly folder = mkdtempSync(join(tmpdir(), 'assay-pg-'));
  readonly archive = join(this.folder, 'archive');
  private readonly user = ProcessUser.choose();
  private readonly servers = new Map<string, ChildProcess>();

  constructor() {
    this.user.changeOwner(this.folder);
    mkdirSync(this.archive);
    this.user.changeOwner(this.archive);
  }

  url(cluster: string, role: string, database = 'assay'): string {
    return `postgres://${role}@/${database}?host=${encodeURIComponent(this.socketFolder(cluster))}`;
  }

  /** The environment in which scripts find the client programs of the same version. */
  get environment(): Record<string, string> {
    return { PATH: `${programs ?? ''}:${process.env['PATH'] ?? ''}` };
  }

  create(cluster: string): void {
    this.run('initdb', '-D', join(this.folder, cluster), '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8');
  }

  /** Runs a program of the installation; throws unless it succeeds. */
  run(program: string, ...args: string[]): void {
    if (this.user.output(join(programs ?? '', program), ...args) === undefined) throw new Error(`${program} failed`);
  }

  async start(cluster: string, settings: Record<string, string>): Promise<void> {
    const sockets = this.socketFolder(cluster);
    mkdirSync(sockets, { recursive: true });
    this.user.changeOwner(sockets);
    const all = {
      listen_addresses: '',
      unix_socket_directories: sockets,
      cluster_name: cluster,
      fsync: 'off',
      ...settings,
    };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = this.user.spawn(join(programs ?? '', 'postgres'), ['-D', join(this.folder, cluster), ...args], {
      stdio: 'ignore',
    });
    this.servers.set(cluster, child);
    await eventually(async () => void (await this.query(cluster, 'SELECT 1', 'postgres')), 60_000);
  }

  async stop(cluster: string, signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.servers.get(cluster);
    this.servers.delete(cluster);
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  async query<T extends object>(cluster: string, text: string, database?: string): Promise<T[]> {
    return queryOnce(this.url(cluster, 'postgres', database), text);
  }

  async remove(): Promise<void> {
    for (const cluster of this.servers.keys()) await this.stop(cluster);
    rmSync(this.folder, { recursive: true, force: true });
  }

  socketFolder(cluster: string): string {
    return join(this.folder, `${cluster}-run`);
  }
}
