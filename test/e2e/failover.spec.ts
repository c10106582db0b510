import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import pino from 'pino';
import { DatabaseClient } from '../../src/platform/database/database-client';
import { migrate } from '../../src/platform/database/migrate';
import { NestLog } from '../../src/platform/logging/log';
import { type RunningApi, type RunningWorker, startApi, startWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { useContract } from '../support/contract';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { HotStandby } from '../support/hot-standby';
import { describeWithInstalledPostgres } from '../support/installed-postgres';
import { VulnerableSite } from '../support/vulnerable-site';

const SEARCH_MS = 20_000;
/** Longer than the time between two questions who is the primary. */
const WATCH_MS = 2_500;

describeWithInstalledPostgres('a failover to another server of DATABASE_URL', () => {
  const servers = new HotStandby();
  const site = new VulnerableSite();
  let settings: Record<string, string>;
  let api: RunningApi;
  let worker: RunningWorker;
  let make: Factories;
  let client: Client;

  beforeAll(async () => {
    await site.start();
    await servers.start();
    settings = {
      DATABASE_URL: servers.urlOfBoth(),
      DATABASE_REPLICA_URLS: servers.postgres.url('third', 'assay_app'),
      DATABASE_TIMEOUT_MS: '4000',
      EGRESS_ALLOW: site.endpoint,
      ENGINE_PROBE_SPREAD_MS: '20',
      ENGINE_REQUESTS_PER_SECOND: '1000',
      WORK_SWEEP_SECONDS: '1',
    };
    api = await startApi(settings);
    worker = await startWorker(settings);
    useContract(api.app);
    make = new Factories(api);
    ({ client } = await make.integrator({ organizationsLimit: 100_000 }));
  });
  afterAll(async () => {
    site.release();
    await worker?.stop();
    await api?.app.close();
    await servers.postgres.remove();
    await site.stop();
  });

  /** The timelines go on: which server leads depends on the tests before. */
  beforeEach(async () => {
    await servers.restorePair();
    await eventually(() => created(), SEARCH_MS);
  });

  const create = (name: string, by = client): Promise<Answer> => by.post('/v1/organizations/', { name });

  const created = async (by = client): Promise<string> => {
    const name = unique('Confirmed');
    const { status, text } = await create(name, by);
    if (status !== 201) throw new Error(text);
    return name;
  };

  const stored = async (server: string, names: readonly string[]): Promise<number[]> => {
    const rows = await servers.postgres.query<{ name: string; count: number }>(
      server,
      'SELECT name, count(*)::int AS count FROM organizations GROUP BY name',
    );
    const counts = new Map(rows.map(({ name, count }) => [name, count]));
    return names.map((name) => counts.get(name) ?? 0);
  };

  /** Whether the third server has read organizations. */
  async function hasReplicaAnswered(work: () => Promise<unknown>): Promise<boolean> {
    const scans = async (): Promise<number> => {
      const [row] = await servers.postgres.query<{ scans: number }>(
        'third',
        `SELECT (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int AS scans
         FROM pg_stat_user_tables WHERE relname = 'organizations'`,
      );
      return row?.scans ?? 0;
    };
    const before = await scans();
    await work();
    return (await scans()) > before;
  }

  const retest = async (): Promise<{ path: string; reader: Client }> => {
    const tenant = await make.organization();
    const { client: reader } = await tenant.as('admin');
    const asset = await make.asset(tenant.id, { value: site.url, type: 'url' });
    const finding = await make.finding(tenant.id, {
      asset: { ...asset, tier: null },
      checkId: 'missing-nosniff',
      checkDefinition: { location: site.url },
    });
    const path = `/v1/findings/${finding.id}/retest`;
    expect((await reader.post(path)).status).toBe(202);
    return { path, reader };
  };

  const expectRetest = (status: string, { path, reader }: Awaited<ReturnType<typeof retest>>): Promise<void> =>
    eventually(async () => expect((await reader.get(path)).body.status).toBe(status));

  /** Changes without a pause from several callers; `end` returns what was confirmed. */
  function startWriting(reader: Client): { answers: Answer[]; confirmed: string[]; end: () => Promise<void> } {
    const answers: Answer[] = [];
    const confirmed: string[] = [];
    const done = new AbortController();
    const write = async (): Promise<void> => {
      while (!done.signal.aborted) {
        const name = unique('Written');
        const answer = await create(name);
        answers.push(answer, await reader.get('/v1/organizations/'));
        if (answer.status === 201) confirmed.push(name);
        else await delay(20);
      }
    };
    const writers = Array.from({ length: 6 }, write);
    return {
      answers,
      confirmed,
      end: async () => {
        done.abort();
        await Promise.all(writers);
      },
    };
  }

  function expectOnlySuccessOr503(answers: readonly Answer[]): void {
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 201, 503]);
    for (const { headers, body, status } of answers) {
      if (status !== 503) continue;
      expect(headers.get('retry-after')).toBe('5');
      expect(body.description).toContain('database');
    }
  }

  it('answers 503 until the new primary is found, and keeps every confirmed change once', async () => {
    await servers.replicateSynchronously();
    site.hold();
    const running = await retest();
    await expectRetest('in_progress', running);
    const writing = startWriting(running.reader);
    await eventually(async () => expect(writing.confirmed.length).toBeGreaterThan(50));
    await servers.postgres.stop(servers.leader, 'SIGQUIT');
    await delay(1_000);
    await servers.promote();
    const before = writing.confirmed.length;
    await eventually(async () => expect(writing.confirmed.length).toBeGreaterThan(before + 50), SEARCH_MS);
    await writing.end();
    expectOnlySuccessOr503(writing.answers);
    expect(new Set(await stored(servers.leader, writing.confirmed))).toEqual(new Set([1]));
    site.release();
    await expectRetest('finished', running);
    await expectRetest('finished', await retest());
  });

  it('confirms nothing that the synchronous standby lacks, also when a request is repeated', async () => {
    await servers.replicateSynchronously();
    const key = { 'idempotency-key': unique('key').replace(' ', '-') };
    const body = { name: unique('Repeated') };
    const repeated = async () => (await client.post('/v1/organizations/', body, key)).status;
    expect(await repeated()).toBe(201);
    await servers.postgres.stop(servers.follower);
    const statuses = [(await create(unique('Alone'))).status, await repeated()];
    await servers.startAgain(servers.follower);
    expect(statuses).toEqual([503, 503]);
    await eventually(async () => expect(await repeated()).toBe(201), SEARCH_MS);
  });

  it('treats a commit that stops waiting for the synchronous standby as a failure', async () => {
    await servers.replicateSynchronously();
    await servers.postgres.stop(servers.follower);
    const connectionString = servers.postgres.url(servers.leader, 'postgres');
    const connection = new DatabaseClient({ connectionString });
    await connection.connect();
    const change = connection.query(`SELECT pg_logical_emit_message(true, 'assay', 'alone')`).catch((error) => error);
    const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%alone%'`;
    await eventually(async () => expect(await servers.postgres.query(servers.leader, cancel)).not.toEqual([]));
    expect(await change).toMatchObject({ code: '08007' });
    await servers.startAgain(servers.follower);
  });

  it('changes nothing on the former primary that comes back as it was', async () => {
    await servers.postgres.stop(servers.leader);
    const former = await servers.promote();
    const names = [await eventually(() => created(), SEARCH_MS)];
    await servers.startAgain(former);
    names.push(await created());
    await delay(WATCH_MS);
    names.push(await created());
    const other = await startApi(settings);
    try {
      const { client: elsewhere } = await new Factories(other).integrator();
      names.push(await created(elsewhere));
    } finally {
      await other.app.close();
    }
    expect(await stored(former, names)).toEqual([0, 0, 0, 0]);
    expect(await stored(servers.leader, names)).toEqual([1, 1, 1, 1]);
  });

  it('answers 503 while only the former primary is reachable, and says why', async () => {
    await servers.postgres.stop(servers.leader);
    const former = await servers.promote();
    await eventually(() => created(), SEARCH_MS);
    const lines: string[] = [];
    Logger.overrideLogger(new NestLog(pino({}, { write: (line: string) => void lines.push(line) })));
    await servers.startAgain(former);
    await servers.postgres.stop(servers.leader);
    await delay(WATCH_MS);
    const { status, headers, body } = await create(unique('Refused'));
    await servers.startAgain(servers.leader);
    await eventually(() => created(), SEARCH_MS);
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '5' });
    expect(body.description).toBe('No server of the database accepts changes now. Try again in a few seconds.');
    const reason = /"context":"database".*None of the servers is the primary: .* accepts changes on timeline \d/;
    // Once by the API, and once by the worker, unless it had not yet found the new primary.
    expect([1, 2]).toContain(lines.filter((line) => reason.test(line)).length);
  });

  it('leaves a primary that continues after another server was promoted, also for work', async () => {
    const alone = await startWorker({ ...settings, WORK_SWEEP_SECONDS: '600' });
    await worker.stop();
    worker = alone;
    await created();
    const former = await servers.promote();
    await eventually(async () => expect(await stored(servers.leader, [await created()])).toEqual([1]), SEARCH_MS);
    await expectRetest('finished', await retest());
    const names = [await created(), await created()];
    expect(await stored(servers.leader, names)).toEqual([1, 1]);
    expect(await stored(former, names)).toEqual([0, 0]);
  });

  it('reads from a replica, but from none that follows a former primary', async () => {
    await servers.follow('third');
    await eventually(async () => expect(await hasReplicaAnswered(() => client.get('/v1/organizations/'))).toBe(true));
    const former = await servers.promote();
    await eventually(async () => expect(await stored(servers.leader, [await created()])).toEqual([1]), SEARCH_MS);
    // It gets further than the new primary.
    for (let turn = 0; turn < 3; turn++) {
      await servers.postgres.query(former, 'CREATE TABLE advance AS SELECT 1; DROP TABLE advance');
      await servers.postgres.query(former, 'SELECT pg_switch_wal()');
    }
    await servers.postgres.query(former, 'CREATE TABLE advance ()');
    await eventually(() => servers.postgres.query('third', 'SELECT * FROM advance'));
    const { id } = await make.organization();
    const { client: member } = await make.member(id, 'admin');
    const finding = await make.finding(id);
    for (let turn = 0; turn < 20; turn++) {
      const title = unique('Renamed');
      expect((await member.patch(`/v1/findings/${finding.id}/`, { title })).status).toBe(200);
      expect((await member.get(`/v1/findings/${finding.id}/`)).text).toContain(title);
      await delay(50);
    }
  });

  it('answers 503 also for reads while every server is a standby', async () => {
    const { leader, follower } = servers;
    for (const server of [leader, follower]) {
      await servers.postgres.stop(server);
      await servers.startAlone(server);
    }
    for (let turn = 0; turn < 20; turn++) {
      expect((await client.get('/v1/organizations/')).status).toBe(503);
      await delay(100);
    }
    await servers.promote();
    await eventually(() => created(), SEARCH_MS);
  });

  it('migrates the primary, wherever it is in the list', async () => {
    const urls = { migrationUrl: servers.urlOfBoth('assay_owner'), appUrl: servers.urlOfBoth() };
    expect(await migrate(urls)).toEqual([]);
    await servers.promote();
    expect(await migrate(urls)).toEqual([]);
  });
});
