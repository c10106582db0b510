import { rmSync, writeFileSync } from 'node:fs';
import { migrate } from '../../src/platform/database/migrate';
import { InstalledPostgres } from './installed-postgres';

type Server = 'primary' | 'replica' | 'third';

const STANDBY = { hot_standby: 'on', hot_standby_feedback: 'on' };

/** A migrated primary, and a hot standby that can be paused, stopped and started again. */
export class HotStandby {
  readonly postgres = new InstalledPostgres();

  get primaryUrl(): string {
    return this.postgres.url('primary', 'assay_app');
  }

  get replicaUrl(): string {
    return this.postgres.url('replica', 'assay_app');
  }

  async start(): Promise<void> {
    const { postgres } = this;
    postgres.create('primary');
    await postgres.start('primary', { wal_level: 'replica', wal_keep_size: '256MB' });
    await postgres.query('primary', 'CREATE ROLE assay_owner LOGIN CREATEDB', 'postgres');
    await postgres.query('primary', 'CREATE ROLE assay_app LOGIN', 'postgres');
    await postgres.query('primary', 'CREATE DATABASE assay OWNER assay_owner', 'postgres');
    await migrate({ migrationUrl: postgres.url('primary', 'assay_owner'), appUrl: this.primaryUrl });
    this.copy('primary', 'replica');
    await this.startReplica();
  }

  /** One URL with both servers, in this order. */
  urlOfBoth(role = 'assay_app'): string {
    const hosts = ['primary', 'replica'].map((server) => encodeURIComponent(this.postgres.socketFolder(server)));
    return `postgres://${role}@${hosts.join(',')}/assay?target_session_attrs=read-write`;
  }

  /** From now on the primary confirms nothing that the standby lacks. */
  async replicateSynchronously(): Promise<void> {
    await this.postgres.query('primary', `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await this.postgres.query('primary', 'SELECT pg_reload_conf()');
  }

  async promote(server: Server): Promise<void> {
    await this.postgres.query(server, 'SELECT pg_promote()');
  }

  startAgain(server: Server, settings: Record<string, string> = {}): Promise<void> {
    return this.postgres.start(server, { ...STANDBY, ...settings });
  }

  /** A server that is stopped becomes a standby of the other one, without its own changes. */
  async follow(server: Server, source: Server): Promise<void> {
    rmSync(`${this.postgres.folder}/${server}`, { recursive: true, force: true });
    this.copy(source, server);
    await this.startAgain(server);
  }

  /** A server that is stopped starts as a standby that follows none. */
  async startWithoutSource(server: Server): Promise<void> {
    writeFileSync(`${this.postgres.folder}/${server}/standby.signal`, '');
    await this.startAgain(server, { primary_conninfo: '' });
  }

  private copy(source: Server, server: Server): void {
    const { postgres } = this;
    const url = postgres.url(source, 'postgres', 'postgres');
    postgres.run('pg_basebackup', '-d', url, '-D', `${postgres.folder}/${server}`, '-R', '-X', 'stream', '-c', 'fast');
  }

  startReplica(): Promise<void> {
    return this.startAgain('replica');
  }

  /** What was replayed until now stays readable. */
  async pauseReplay(): Promise<void> {
    await this.postgres.query('replica', 'SELECT pg_wal_replay_pause()');
  }

  async resumeReplay(): Promise<void> {
    await this.postgres.query('replica', 'SELECT pg_wal_replay_resume()');
  }
}
