import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { type Address, chooseAddress, connectionUrl, listenSettings, makeRunDir, SERVICE_DATABASE } from './address';
import { openCluster, type Cluster, type Passwords, type Role } from './cluster';
import { clusterFolder, emptyDataFolder, openDataFolder, relocatedDir } from './data-folder';
import { InstanceLock, refuseRunningInstance } from './instance-lock';
import { stopAbandonedServer } from './stop-abandoned-server';
import { chooseInstallation } from './installation';
import { Server, type StopMode } from './server';

export interface EmbeddedPostgresOptions {
  /** The folder of all data. One instance at a time. */
  dataDir: string;
  /** Receives the PostgreSQL log, line by line. */
  log?: (line: string) => void;
  /** PostgreSQL settings that override the defaults below. */
  settings?: Record<string, string>;
}

/** Settings for a developer's machine: little memory, and a fast start and stop. */
const defaultSettings: Record<string, string> = {
  shared_buffers: '64MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Statement errors are returned to the client, and contain its data, so they are not logged.
  log_min_messages: 'log',
};

/** A PostgreSQL from npm that runs as long as this process. */
export class EmbeddedPostgres {
  private constructor(
    private readonly server: Server,
    private readonly address: Address,
    private readonly cluster: Cluster,
    /** The folder of the data: the data folder, unless PostgreSQL's user cannot access it. */
    readonly storageDir: string,
    private readonly lock: InstanceLock,
    private readonly cleanUp: () => void,
  ) {
    process.once('exit', this.onProcessExit);
  }

  /** Creates the cluster, the roles and the database if they do not exist. Rejects with a `StartRefused`. */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const dataDir = resolve(options.dataDir);
    openDataFolder(dataDir);
    const lock = InstanceLock.take(dataDir);
    if (lock.abandonedRunDir !== undefined) removeFolder(lock.abandonedRunDir);
    const runDir = makeRunDir();
    const cleanUp = (): void => {
      removeFolder(runDir);
      lock.release();
    };
    try {
      lock.record({ runDir });
      return await EmbeddedPostgres.launch(dataDir, runDir, options, lock, cleanUp);
    } catch (error) {
      cleanUp();
      throw error;
    }
  }

  /** Deletes the database and all data that belongs to it, unless an instance is running on it. */
  static async deleteData(dataDir: string): Promise<void> {
    if (!existsSync(dataDir)) return;
    refuseRunningInstance(dataDir);
    await stopAbandonedServer(clusterFolder(relocatedDir(dataDir) ?? dataDir));
    emptyDataFolder(dataDir);
  }

  /** A connection URL for `pg`, TypeORM and psql. */
  url(database: string = SERVICE_DATABASE, role: Role = 'assay_app'): string {
    return connectionUrl(this.address, role, this.cluster.passwords[role], database);
  }

  /** Lets the command line find this database, which now has its tables. */
  publish(): void {
    this.lock.record({ address: this.address });
  }

  /** Settles when the server has exited for any reason. */
  get ended(): Promise<void> {
    return this.server.ended;
  }

  /** `fast` shuts down in order; `immediate` skips the shutdown and recovers at the next start. */
  async stop(mode: StopMode = 'fast'): Promise<void> {
    await this.server.stop(mode);
    process.off('exit', this.onProcessExit);
    this.cleanUp();
  }

  /** For a process exit without `stop`. */
  private readonly onProcessExit = (): void => {
    this.server.interrupt();
    this.cleanUp();
  };

  private static async launch(
    dataDir: string,
    runDir: string,
    { settings = {}, log = () => undefined }: EmbeddedPostgresOptions,
    lock: InstanceLock,
    cleanUp: () => void,
  ): Promise<EmbeddedPostgres> {
    const installation = chooseInstallation(dataDir);
    installation.processUser.changeOwner(runDir);
    await stopAbandonedServer(clusterFolder(installation.storageDir));
    const cluster = await openCluster(installation, runDir, settings['fsync'] !== 'off');
    const address = await chooseAddress(runDir);
    const all = { ...defaultSettings, ...settings, ...listenSettings(address) };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = await Server.launch(installation, cluster.folder, args, log);
    const postgres = new EmbeddedPostgres(server, address, cluster, installation.storageDir, lock, cleanUp);
    try {
      await createMissingRolesAndDatabase(postgres.url('postgres', 'postgres'), cluster.passwords);
      return postgres;
    } catch (error) {
      await postgres.stop('immediate');
      throw error;
    }
  }
}

/** Runs at every start, because the first start may have been interrupted. */
async function createMissingRolesAndDatabase(url: string, passwords: Passwords): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select rolname as name from pg_roles union all select datname from pg_database',
    );
    const existing = new Set(rows.map(({ name }) => name));
    for (const role of ['assay_owner', 'assay_app'] as const) {
      if (!existing.has(role)) await client.query(`create role ${role} login password '${passwords[role]}'`);
    }
    if (!existing.has(SERVICE_DATABASE)) await client.query(`create database ${SERVICE_DATABASE} owner assay_owner`);
  } finally {
    await client.end();
  }
}

const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
