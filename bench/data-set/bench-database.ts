import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/apps/postgres/embedded-postgres';
import { migrate } from '../../src/platform/database/migrate';
import { cpuSecondsOfFamily, parentOf } from '../servers/cpu-seconds';
import { load } from './load';
import { type Shape, shapeOf } from './shape';

/** A loaded data set. */
export interface DataSet {
  readonly shape: Shape;
  readonly appUrl: string;
  readonly ownerUrl: string;
}

/** Larger than the embedded defaults, like a server. */
const settings = {
  shared_buffers: '1GB',
  max_wal_size: '3GB',
  effective_cache_size: '8GB',
  max_connections: '150',
  checkpoint_timeout: '30min',
};

/** PostgreSQL with one database for each size of the data set, which are kept between runs. */
export class BenchDatabase {
  private constructor(private readonly postgres: EmbeddedPostgres) {}

  static async start(dataDir: string): Promise<BenchDatabase> {
    return new BenchDatabase(await EmbeddedPostgres.start({ dataDir, settings }));
  }

  stop(): Promise<void> {
    return this.postgres.stop('fast');
  }

  async dataSet(findings: number, log: (line: string) => void, organizations?: number): Promise<DataSet> {
    const shape = shapeOf(findings, organizations);
    const finished = `bench_with_jobs_${findings}${organizations === undefined ? '' : `_of_${organizations}`}`;
    const dataSet = {
      shape,
      appUrl: this.postgres.url(finished),
      ownerUrl: this.postgres.url(finished, 'assay_owner'),
    };
    const admin = await connectTo(this.postgres.url('postgres', 'postgres'));
    try {
      if (!(await exists(admin, finished))) await this.create(admin, finished, shape, log);
    } finally {
      await admin.end();
    }
    await migrate({ appUrl: dataSet.appUrl, migrationUrl: dataSet.ownerUrl });
    await fillTexts(dataSet, log);
    return dataSet;
  }

  /** Creates a migrated database without rows. */
  async emptyDatabase(name: string): Promise<Pick<DataSet, 'appUrl' | 'ownerUrl'>> {
    const admin = await connectTo(this.postgres.url('postgres', 'postgres'));
    await admin.query(`DROP DATABASE IF EXISTS ${name}`);
    await admin.query(`CREATE DATABASE ${name} OWNER assay_owner`);
    await admin.end();
    const urls = { appUrl: this.postgres.url(name), ownerUrl: this.postgres.url(name, 'assay_owner') };
    await migrate({ appUrl: urls.appUrl, migrationUrl: urls.ownerUrl });
    return urls;
  }

  /** Of all processes of the server. */
  async cpuSeconds({ ownerUrl }: Pick<DataSet, 'ownerUrl'>): Promise<number> {
    const client = await connectTo(ownerUrl);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const postmaster = parentOf(String(rows[0]?.pid)) ?? 0;
    await client.end();
    return cpuSecondsOfFamily(postmaster);
  }

  /** Runs a query that returns one number. */
  async selectNumber({ ownerUrl }: Pick<DataSet, 'ownerUrl'>, query: string): Promise<number> {
    const client = await connectTo(ownerUrl);
    const { rows } = await client.query<{ result: string }>(`SELECT (${query}) AS result`);
    await client.end();
    return Number(rows[0]?.result);
  }

  /** Renamed only when complete, so that an interrupted run leaves no partial data set. */
  private async create(admin: Client, finished: string, shape: Shape, log: (line: string) => void): Promise<void> {
    const unfinished = `${finished}_unfinished`;
    await admin.query(`DROP DATABASE IF EXISTS ${unfinished}`);
    await admin.query(`CREATE DATABASE ${unfinished} OWNER assay_owner`);
    const ownerUrl = this.postgres.url(unfinished, 'assay_owner');
    await migrate({ appUrl: this.postgres.url(unfinished), migrationUrl: ownerUrl });
    const owner = await connectTo(ownerUrl);
    try {
      await load(owner, shape, log);
    } finally {
      await owner.end();
    }
    await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${finished}`);
  }
}

/** Of a data set from before finding_words, as a worker does after an upgrade. */
async function fillTexts({ ownerUrl }: Pick<DataSet, 'ownerUrl'>, log: (line: string) => void): Promise<void> {
  const client = await connectTo(ownerUrl);
  const batch = 'SELECT fill_finding_words(500) AS continues WHERE EXISTS (SELECT 1 FROM finding_word_filling)';
  let batches = 0;
  while ((await client.query<{ continues: boolean }>(batch)).rows[0]?.continues === true)
    if (++batches % 100 === 0) log(`filled texts of ${batches * 500} findings …`);
  if (batches > 0) await client.query('VACUUM ANALYZE finding_words');
  await client.end();
}

export async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function exists(admin: Client, name: string): Promise<boolean> {
  return (await admin.query('SELECT FROM pg_database WHERE datname = $1', [name])).rowCount === 1;
}
