import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/apps/local/postgres/embedded-postgres';
import { migrate } from '../../src/platform/database/migrate';
import { load } from './load';
import { type Shape, shapeOf } from './shape';

/** A data set, filled and ready. */
export interface DataSet {
  readonly shape: Shape;
  readonly appUrl: string;
  readonly ownerUrl: string;
}

/** More than the embedded default has, as a server would; the same for everything that is compared. */
const settings = {
  shared_buffers: '1GB',
  max_wal_size: '3GB',
  effective_cache_size: '8GB',
  max_connections: '150',
  checkpoint_timeout: '30min',
};

/** PostgreSQL with one database for each size of data set, kept between runs. */
export class BenchDatabase {
  private constructor(private readonly postgres: EmbeddedPostgres) {}

  static async start(dataDir: string): Promise<BenchDatabase> {
    return new BenchDatabase(await EmbeddedPostgres.start({ dataDir, settings }));
  }

  stop(): Promise<void> {
    return this.postgres.stop('fast');
  }

  async dataSet(findings: number, say: (line: string) => void): Promise<DataSet> {
    const shape = shapeOf(findings);
    const finished = `bench_${findings}`;
    const dataSet = {
      shape,
      appUrl: this.postgres.url(finished),
      ownerUrl: this.postgres.url(finished, 'assay_owner'),
    };
    const admin = await connectTo(this.postgres.url('postgres', 'postgres'));
    try {
      if (!(await exists(admin, finished))) await this.create(admin, finished, shape, say);
    } finally {
      await admin.end();
    }
    await migrate({ appUrl: dataSet.appUrl, migrationUrl: dataSet.ownerUrl });
    return dataSet;
  }

  /** A database of its own for each run, migrated and without rows. */
  async emptyDatabase(name: string): Promise<Pick<DataSet, 'appUrl' | 'ownerUrl'>> {
    const admin = await connectTo(this.postgres.url('postgres', 'postgres'));
    await admin.query(`DROP DATABASE IF EXISTS ${name}`);
    await admin.query(`CREATE DATABASE ${name} OWNER assay_owner`);
    await admin.end();
    const urls = { appUrl: this.postgres.url(name), ownerUrl: this.postgres.url(name, 'assay_owner') };
    await migrate({ appUrl: urls.appUrl, migrationUrl: urls.ownerUrl });
    return urls;
  }

  /** One number that a data set knows of itself. */
  async selectNumber({ ownerUrl }: DataSet, query: string): Promise<number> {
    const client = await connectTo(ownerUrl);
    const { rows } = await client.query<{ answer: string }>(`SELECT (${query}) AS answer`);
    await client.end();
    return Number(rows[0]?.answer);
  }

  /** Under another name until it is whole: a run that was cut off leaves nothing that looks finished. */
  private async create(admin: Client, finished: string, shape: Shape, say: (line: string) => void): Promise<void> {
    const unfinished = `${finished}_unfinished`;
    await admin.query(`DROP DATABASE IF EXISTS ${unfinished}`);
    await admin.query(`CREATE DATABASE ${unfinished} OWNER assay_owner`);
    const ownerUrl = this.postgres.url(unfinished, 'assay_owner');
    await migrate({ appUrl: this.postgres.url(unfinished), migrationUrl: ownerUrl });
    const owner = await connectTo(ownerUrl);
    try {
      await load(owner, shape, say);
    } finally {
      await owner.end();
    }
    await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${finished}`);
  }
}

export async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function exists(admin: Client, name: string): Promise<boolean> {
  return (await admin.query('SELECT FROM pg_database WHERE datname = $1', [name])).rowCount === 1;
}
