import { migrate } from '../../src/platform/database/migrate';
import { InstalledPostgres } from './installed-postgres';

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
    const source = postgres.url('primary', 'postgres', 'postgres');
    postgres.run('pg_basebackup', '-d', source, '-D', `${postgres.folder}/replica`, '-R', '-X', 'stream', '-c', 'fast');
    await this.startReplica();
  }

  startReplica(): Promise<void> {
    return this.postgres.start('replica', STANDBY);
  }

  /** What was replayed until now stays readable. */
  async pauseReplay(): Promise<void> {
    await this.postgres.query('replica', 'SELECT pg_wal_replay_pause()');
  }

  async resumeReplay(): Promise<void> {
    await this.postgres.query('replica', 'SELECT pg_wal_replay_resume()');
  }
}
