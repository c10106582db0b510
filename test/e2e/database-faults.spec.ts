import pino from 'pino';
import { awaitDatabase } from '../../src/platform/database/await-database';
import { type RunningApi, startApi, startWorker } from '../support/api';
import type { Client } from '../support/client';
import { useContract } from '../support/contract';
import { administer, query, testDatabase } from '../support/database';
import { MetricsServer } from '../../src/platform/metrics/metrics-server';
import { scrape, valueOf } from '../support/metrics';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';

/** The default of the product. */
const DATABASE_TIMEOUT_MS = '4000';

let api: RunningApi;
let proxy: DatabaseProxy;
let client: Client;

beforeAll(async () => {
  proxy = new DatabaseProxy((await testDatabase()).appUrl);
  await proxy.start();
  api = await startApi({ DATABASE_URL: proxy.url, DATABASE_TIMEOUT_MS, METRICS_PORT: '0' });
  useContract(api.app);
  ({ client } = await new Factories(api).integrator());
});

afterAll(async () => {
  await api.app.close();
  await proxy.disconnect();
});

/** Forty simultaneous requests get a 503; /healthz still answers 200. */
async function expectUnavailable(): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? client.get('/v1/organizations/') : client.post('/v1/organizations/', { name: unique('Lost') }),
    ),
  );
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([503]);
  for (const { headers, body } of answers) {
    expect(headers.get('retry-after')).toBe('5');
    expect(body.description).toContain('database');
  }
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${api.url}/readyz`)).status).toBe(503);
}

const expectRecovered = (): Promise<void> =>
  eventually(async () => {
    expect((await client.post('/v1/organizations/', { name: unique('Back') })).status).toBe(201);
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  });

it('an unreachable database causes a 503, and the service recovers by itself', async () => {
  await proxy.disconnect();
  await expectUnavailable();
  await proxy.restore();
  await expectRecovered();
});

it('a database that hangs causes a 503, and the service recovers by itself', async () => {
  proxy.hang();
  await expectUnavailable();
  await proxy.restore();
  await expectRecovered();
});

it('a database without a free connection causes a 503', async () => {
  const { name } = await testDatabase();
  await administer(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
  try {
    await proxy.disconnect();
    await proxy.restore();
    expect((await client.get('/v1/organizations/')).status).toBe(503);
  } finally {
    await administer(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
  }
  await expectRecovered();
});

it('a read-only database causes a 503 for a write and not for a read', async () => {
  const { name } = await testDatabase();
  await administer(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  try {
    await proxy.disconnect();
    await proxy.restore();
    await eventually(async () => expect((await client.get('/v1/organizations/')).status).toBe(200));
    expect((await client.post('/v1/organizations/', { name: unique('Read only') })).status).toBe(503);
  } finally {
    await administer(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  }
  await proxy.disconnect();
  await proxy.restore();
  await expectRecovered();
});

it('a worker continues by itself after the database was unreachable', async () => {
  const worker = await startWorker({ DATABASE_URL: proxy.url, DATABASE_TIMEOUT_MS });
  try {
    const { id } = (await client.post('/v1/organizations/', { name: unique('Purged later') })).body;
    await proxy.disconnect();
    await proxy.restore();
    await eventually(async () => expect((await client.delete(`/v1/organizations/${id}/`)).status).toBe(200));
    await eventually(async () => {
      const rows = await query<{ state: string }>(
        "SELECT state FROM work WHERE kind = 'organization.purge' AND reference = $1",
        [String(id)],
      );
      expect(rows).toEqual([{ state: 'done' }]);
    });
  } finally {
    await worker.stop();
  }
});

it('a process that starts while the database hangs waits for it', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  proxy.hang();
  const started = awaitDatabase({ DATABASE_URL: proxy.url }, log);
  await eventually(async () => expect(lines.join()).toContain('cannot be reached yet'));
  await proxy.restore();
  await started;
});

it('shows metrics, without those of the queue, while the database is unreachable', async () => {
  const url = (await api.app.get(MetricsServer).start()) ?? '';
  expect((await scrape(url)).text).toMatch(/^assay_work_unfinished\{/m);
  await proxy.disconnect();
  await client.get('/v1/organizations/');
  const scraped = await scrape(url);
  expect(scraped.text).not.toMatch(/^assay_work_unfinished\{/m);
  expect(valueOf(scraped, 'assay_metrics_read_failures_total')).toBeGreaterThan(0);
  expect(valueOf(scraped, 'assay_database_connection_errors_total', { kind: 'connect' })).toBeGreaterThan(0);
  expect(valueOf(scraped, 'assay_http_requests_total', { status: '503' })).toBeGreaterThan(0);
  await proxy.restore();
  await expectRecovered();
  expect((await scrape(url)).text).toMatch(/^assay_work_unfinished\{/m);
});

describe('/readyz compares the schema of the database with the program', () => {
  const readyz = async (): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(`${api.url}/readyz`);
    return { status: answer.status, body: await answer.json() };
  };

  it('is not ready on an older schema', async () => {
    const [migration] = await query<{ id: number; timestamp: string; name: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING id, timestamp, name',
    );
    try {
      const description = 'The schema of the database is older than this version: run "npm run migration:run".';
      expect(await readyz()).toEqual({ status: 503, body: expect.objectContaining({ description }) });
    } finally {
      const { id, timestamp, name } = migration ?? {};
      await query('INSERT INTO migrations (id, timestamp, name) VALUES ($1, $2, $3)', [id, timestamp, name]);
    }
    expect(await readyz()).toEqual({ status: 200, body: { status: 'ready' } });
  });

  it('is degraded on a newer schema, because an update migrates first', async () => {
    await query(`INSERT INTO migrations (id, timestamp, name) VALUES (9999, 4102444800000, 'FutureMigration')`);
    try {
      const description = expect.stringContaining('newer than this version');
      expect(await readyz()).toEqual({ status: 200, body: { status: 'degraded', description } });
    } finally {
      await query('DELETE FROM migrations WHERE id = 9999');
    }
  });

  it('is not ready without a schema', async () => {
    await query('ALTER TABLE migrations RENAME TO migrations_elsewhere');
    try {
      expect((await readyz()).status).toBe(503);
    } finally {
      await query('ALTER TABLE migrations_elsewhere RENAME TO migrations');
    }
  });
});
