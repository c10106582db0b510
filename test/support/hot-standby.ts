import { rmSync, writeFileSync } from 'node:fs';
import { migrate } from '../../src/platform/database/migrate';
import { eventually } from './eventually';
import { InstalledPostgres } from './installed-postgres';

export type Server = 'primary' | 'replica' | 'third';

const STANDBY = { hot_standby: 'on', hot_standby_feedback: 'on' };

/** A migrated primary, and a hot standby that can be paused, stopped, promoted and started again. */
export class HotStandby {
  readonly postgres = new InstalledPostgres();
  /** The names of the servers are those of the beginning. */
  leader: Server = 'primary';

  get follower(): Server {
    return this.leader === 'primary' ? 'replica' : 'primary';
  }

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
    await this.follow('replica');
  }

  /** One URL with both servers, in this order. */
  urlOfBoth(role = 'assay_app'): string {
    const hosts = ['primary', 'replica'].map((server) => encodeURIComponent(this.postgres.socketFolder(server)));
    return `postgres://${role}@${hosts.join(',')}/assay?target_session_attrs=read-write`;
  }

  startReplica(): Promise<void> {
    return this.startAgain('replica');
  }

  startAgain(server: Server, settings: Record<string, string> = {}): Promise<void> {
    return this.postgres.start(server, { ...STANDBY, ...settings });
  }

  /** A server that is stopped starts as a standby of nobody. */
  async startAlone(server: Server): Promise<void> {
    writeFileSync(`${this.postgres.folder}/${server}/standby.signal`, '');
    await this.startAgain(server, { primary_conninfo: '' });
  }

  /** The server becomes a standby of the leader, and loses what it has itself. */
  async follow(server: Server): Promise<void> {
    const { postgres } = this;
    const folder = `${postgres.folder}/${server}`;
    await postgres.stop(server);
    rmSync(folder, { recursive: true, force: true });
    const source = postgres.url(this.leader, 'postgres', 'postgres');
    postgres.run('pg_basebackup', '-d', source, '-D', folder, '-R', '-X', 'stream', '-c', 'fast');
    await this.startAgain(server);
    await eventually(async () => expect(await this.followers()).toBeGreaterThan(0));
  }

  /** After any test: the other server follows the leader again. */
  async restorePair(): Promise<void> {
    if ((await this.followers()) === 0) await this.follow(this.follower);
  }

  /** From now on the leader confirms nothing that its standby lacks. */
  async replicateSynchronously(): Promise<void> {
    await this.postgres.query(this.leader, `ALTER SYSTEM SET synchronous_standby_names = 'primary, replica'`);
    await this.postgres.query(this.leader, 'SELECT pg_reload_conf()');
    const inStep = `SELECT 1 FROM pg_stat_replication
      WHERE sync_state = 'sync' AND state = 'streaming' AND flush_lsn >= pg_current_wal_flush_lsn()`;
    await eventually(async () => expect(await this.postgres.query(this.leader, inStep)).not.toEqual([]));
  }

  /** Promotes the follower, and returns the former leader, which is not stopped. */
  async promote(): Promise<Server> {
    const former = this.leader;
    this.leader = this.follower;
    await this.postgres.query(this.leader, 'SELECT pg_promote()');
    return former;
  }

  /** What was replayed until now stays readable. */
  async pauseReplay(server: Server = 'replica'): Promise<void> {
    await this.postgres.query(server, 'SELECT pg_wal_replay_pause()');
  }

  async resumeReplay(server: Server = 'replica'): Promise<void> {
    await this.postgres.query(server, 'SELECT pg_wal_replay_resume()');
  }

  private async followers(): Promise<number> {
    const text = 'SELECT count(*)::int AS count FROM pg_stat_replication';
    return (await this.postgres.query<{ count: number }>(this.leader, text))[0]?.count ?? 0;
  }
}
