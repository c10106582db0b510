import { Client as Postgres } from 'pg';
import pino from 'pino';
import { certificate } from '../../src/engine/testing/certificate';
import { TargetServer } from '../../src/engine/testing/target-server';
import { awaitDatabase } from '../../src/platform/database/await-database';
import { DatabasePool } from '../../src/platform/database/database-pool';
import { migrate } from '../../src/platform/database/migrate';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { administer, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { runJob } from '../support/jobs';
import { type PgBouncer, describeWithPgBouncer, startPgBouncer } from '../support/pgbouncer';
import { startProcess } from '../support/processes';

const log = pino({ level: 'silent' });

describeWithPgBouncer('PgBouncer in session mode, its default', () => {
  let pooler: PgBouncer;
  let target: TargetServer;
  beforeAll(async () => {
    target = await TargetServer.start(certificate());
    pooler = await startPgBouncer((await testDatabase()).appUrl);
  });
  afterAll(async () => {
    await pooler.stop();
    await target.stop();
  });

  const settings = {
    get DATABASE_URL() {
      return pooler.url;
    },
    get EGRESS_ALLOW() {
      return `127.0.0.1:${target.port}`;
    },
    DATABASE_TIMEOUT_MS: '6000',
    ENGINE_REQUESTS_PER_SECOND: '1000',
    ENGINE_PROBE_SPREAD_MS: '10',
  };
  const api = useApi(settings);
  useWorker(settings);
  const make = new Factories(api);

  async function memberWithTarget(): Promise<{ client: Client; organizationId: number; url: string }> {
    const { id } = await make.organization();
    const { client } = await make.member(id, 'member');
    const url = `http://127.0.0.1:${target.port}/`;
    await make.asset(id, { value: url, type: 'url' });
    return { client, organizationId: id, url };
  }

  it('is accepted at the start', async () => {
    await expect(awaitDatabase({ DATABASE_URL: pooler.url }, log)).resolves.toBeUndefined();
  });

  it('runs a job and a retest of a finding', async () => {
    const { client, organizationId, url } = await memberWithTarget();
    await runJob(client, url);
    const { findings } = (await client.get(`/v1/organizations/${organizationId}/findings/`)).body;
    expect(findings.length).toBeGreaterThan(0);
    const path = `/v1/findings/${findings[0].id}/retest`;
    expect((await client.post(path)).status).toBe(202);
    await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'), 90_000);
  });

  const limits = async (): Promise<unknown> =>
    (
      await api.app.get(DatabasePool).query(
        `SELECT current_setting('statement_timeout') AS statement,
             current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('application_name') AS name`,
      )
    ).rows[0];

  it('continues after the server has closed every connection, with the same limits on the new ones', async () => {
    const { client, url } = await memberWithTarget();
    const expected = { statement: '4s', idle: '24s', name: expect.stringMatching(/^assay process /) };
    expect(await limits()).toEqual(expected);
    const { name } = await testDatabase();
    const closed = await administer(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name LIKE 'assay%'`,
    );
    expect(closed.length).toBeGreaterThan(0);
    await eventually(async () => expect((await client.get('/v1/me')).status).toBe(200));
    await eventually(async () => expect(await limits()).toEqual(expected));
    await runJob(client, url);
  });
});

describeWithPgBouncer('PgBouncer without sessions', () => {
  let pooler: PgBouncer | undefined;
  afterEach(() => pooler?.stop());

  const refusal = /pooler in transaction or statement mode.*set pool_mode = session/;

  it('is refused by a process that starts', async () => {
    pooler = await startPgBouncer((await testDatabase()).appUrl, 'pool_mode = transaction');
    await expect(startProcess('api', { DATABASE_URL: pooler.url })).rejects.toThrow(refusal);
  });

  it('is refused by a migration, because its lock belongs to a session', async () => {
    const { ownerUrl, appUrl } = await testDatabase();
    pooler = await startPgBouncer(ownerUrl, 'pool_mode = transaction');
    await expect(migrate({ migrationUrl: pooler.url, appUrl })).rejects.toThrow(refusal);
  });

  it('is refused in statement mode', async () => {
    pooler = await startPgBouncer((await testDatabase()).appUrl, 'pool_mode = statement');
    await expect(awaitDatabase({ DATABASE_URL: pooler.url }, log)).rejects.toThrow(refusal);
  });

  it('is refused if idle connections to the server take turns', async () => {
    pooler = await startPgBouncer((await testDatabase()).appUrl, 'pool_mode = transaction\nserver_round_robin = 1');
    const others = Array.from({ length: 4 }, () => new Postgres({ connectionString: pooler?.url }));
    await Promise.all(others.map((other) => other.connect()));
    await Promise.all(others.map((other) => other.query('SELECT pg_sleep(0.1)')));
    await expect(awaitDatabase({ DATABASE_URL: pooler.url }, log)).rejects.toThrow(refusal);
    await Promise.all(others.map((other) => other.end()));
  });
});
