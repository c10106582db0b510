import { readFileSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import { setLimits } from '../../src/apps/cli/set-limits';
import { Clock } from '../../src/kernel/clock';
import type { Budget } from '../../src/platform/limits/budget';
import { LocalCounters } from '../../src/platform/limits/local-counters';
import { RedisCounters } from '../../src/platform/limits/redis-counters';
import { MetricsServer } from '../../src/platform/metrics/metrics-server';
import { type RunningApi, startApi, testConfig, useApi } from '../support/api';
import { useContract } from '../support/contract';
import type { Answer, Client } from '../support/client';
import { query, server, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { scrape, valueOf } from '../support/metrics';
import { RedisServer, describeWithRedis } from '../support/redis-server';

const READS = 5;
const limits = {
  LIMIT_READS_PER_MINUTE: String(READS),
  LIMIT_WRITES_PER_MINUTE: '3',
  LIMIT_LAUNCHES_PER_MINUTE: '2',
  LIMIT_RETESTS_PER_MINUTE: '1',
  METRICS_PORT: '0',
};
const api = useApi(limits);
const make = new Factories(api);

const reads = async (client: Client, count: number, path = '/v1/me'): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (let request = 0; request < count; request++) answers.push(await client.get(path));
  return answers;
};
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
const header = ({ headers }: Answer, name: string): string | null => headers.get(name);

it('refuses a key that has used its reads, and says so in headers and in the error', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const before = Math.floor(Date.now() / 1_000);
  const answers = await reads(client, READS);
  expect(statuses(answers)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.map((answer) => header(answer, 'x-ratelimit-remaining'))).toEqual(['4', '3', '2', '1', '0']);
  const [first] = answers as [Answer];
  expect(header(first, 'x-ratelimit-limit')).toBe('5');
  expect(header(first, 'ratelimit-policy')).toBe('"reads";q=5;w=60');
  expect(header(first, 'ratelimit')).toBe('"reads";r=4;t=60');
  expect(Number(header(first, 'x-ratelimit-reset'))).toBeGreaterThanOrEqual(before + 60);
  expect(header(first, 'retry-after')).toBeNull();

  const refused = await client.get('/v1/me');
  const seconds = Number(header(refused, 'retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(header(refused, 'ratelimit')).toBe(`"reads";r=0;t=${seconds}`);
  expect(header(refused, 'x-ratelimit-remaining')).toBe('0');
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ code: 429, name: 'Too Many Requests', success: false });
  expect(refused.body.description).toMatch(
    /^The limit of 5 reads a minute for this API key is reached\. Try again in \d+ seconds?\.$/,
  );

  const written = await client.post('/v1/assets/', {});
  expect([written.status, header(written, 'ratelimit-policy')]).toEqual([400, '"writes";q=3;w=60']);
  const { client: another } = await tenant.as('member');
  expect((await another.get('/v1/me')).status).toBe(200);
});

it('counts answers with errors, also of paths that do not exist, and adds the headers to them', async () => {
  const { client } = await (await make.organization()).as('viewer');
  const answers = [
    await client.get('/v1/nothing'),
    await client.get('/v1/assets/1'),
    await client.get('/v1/audit-logs/'),
    await client.get('/v1/me?unknown=1'),
    await client.send('HEAD', '/v1/me'),
  ];
  expect(statuses(answers)).toEqual([404, 404, 403, 400, 200]);
  expect(answers.map((answer) => header(answer, 'x-ratelimit-remaining'))).toEqual(['4', '3', '2', '1', '0']);
  expect((await client.get('/v1/nothing')).status).toBe(429);
});

it('allows all keys of an organization together four times as much as one, and others as much as before', async () => {
  const tenant = await make.organization();
  const people = [];
  for (let person = 0; person < 5; person++) people.push(await tenant.as('viewer'));
  const [last, ...others] = people.map(({ client }) => client) as [Client, ...Client[]];
  for (const client of others) expect(new Set(statuses(await reads(client, READS)))).toEqual(new Set([200]));
  const refused = await last.get('/v1/me');
  expect(refused.status).toBe(429);
  expect(refused.body.description).toMatch(
    `The limit of 20 reads a minute for all API keys of organization ${tenant.id} together is reached.`,
  );
  expect(header(refused, 'ratelimit-policy')).toBe('"organization-reads";q=20;w=60');
  const { client: elsewhere } = await (await make.organization()).as('viewer');
  expect((await elsewhere.get('/v1/me')).status).toBe(200);
});

it('counts a preview of a schedule as five writes, or as all of fewer', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const path = `/v1/organizations/${tenant.id}/schedules/preview`;
  const preview = await client.post(path, {
    name: 'Nightly',
    what: 'retest',
    on: 'all',
    cron: '0 3 * * *',
    time_zone: 'Europe/Lisbon',
  });
  expect([preview.status, header(preview, 'x-ratelimit-remaining')]).toEqual([200, '0']);
  expect((await client.post('/v1/assets/', {})).status).toBe(429);
});

it('counts only requests with valid credentials', async () => {
  const { client, credentials } = await (await make.organization()).as('viewer');
  const thief = make.withCredentials({ ...credentials, secret: 'wrong' });
  const refused = await reads(thief, READS + 1);
  expect(new Set(statuses(refused))).toEqual(new Set([401]));
  expect(header(refused[0] as Answer, 'x-ratelimit-limit')).toBeNull();
  expect(header(await client.get('/v1/me'), 'x-ratelimit-remaining')).toBe('4');
});

it('limits launches separately, and never the status of a job', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const { client: pipeline } = await make.member(tenant.id, 'member', { scopes: ['ci'] });
  await make.asset(tenant.id, { value: 'https://example.com', type: 'url' });
  const launched = [];
  for (let launch = 0; launch < 3; launch++)
    launched.push(await pipeline.post('/v1/jobs/launch', { url: 'https://example.com' }));
  expect(header(launched[0] as Answer, 'ratelimit')).toBe('"launches";r=1;t=60');
  expect(statuses(launched)[2]).toBe(429);
  expect(statuses(launched).slice(0, 2)).not.toContain(429);
  const { uuid } = (launched[0] as Answer).body as { uuid?: string };
  const path = `/v1/jobs/${uuid ?? '01948b9f-3c1e-7a52-9f0e-5d2b8c6a4e10'}`;
  const polls = await reads(pipeline, 8, `${path}/status`);
  expect(new Set(statuses(polls)).has(429)).toBe(false);
  expect(header(polls[0] as Answer, 'x-ratelimit-limit')).toBeNull();
  const retest = await client.post('/v1/findings/1/retest/');
  expect(header(retest, 'ratelimit-policy')).toBe('"retests";q=1;w=60');
});

it('limits how often a pipeline reads the success of its job, whatever else its key has read', async () => {
  const { client } = await (await make.organization()).as('member');
  expect(statuses(await reads(client, READS + 1)).at(-1)).toBe(429);
  const polls = await reads(client, READS + 1, '/v1/jobs/01948b9f-3c1e-7a52-9f0e-5d2b8c6a4e10/success');
  expect(statuses(polls)).toEqual([...Array<number>(READS).fill(404), 429]);
  expect(header(polls[0] as Answer, 'ratelimit-policy')).toBe('"results";q=5;w=60');
  expect(polls[READS]?.body.description).toContain('The limit of 5 results a minute for this API key is reached.');
});

it('writes nothing to the database for a refused request, and counts it in the metrics', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const url = (await api.app.get(MetricsServer).start()) ?? '';
  const labels = { class: 'write', owner: 'key' };
  const before = valueOf(await scrape(url), 'assay_requests_limited_total', labels);
  for (let write = 0; write < 3; write++) expect((await client.post('/v1/assets/', {})).status).toBe(400);
  const entries = () => query('SELECT 1 FROM audit_logs WHERE organization_id = $1', [tenant.id]);
  const { length } = await entries();
  expect((await client.post('/v1/assets/', {})).status).toBe(429);
  expect(await entries()).toHaveLength(length);
  expect(valueOf(await scrape(url), 'assay_requests_limited_total', labels)).toBe(before + 1);
});

describe('the limits of an organization', () => {
  const withOwner = async () => testConfig({ MIGRATION_DATABASE_URL: (await testDatabase()).ownerUrl });
  const expectLimit = (client: Client, limit: number): Promise<void> =>
    eventually(async () => {
      // A 429 has the header, too.
      expect(header(await client.get('/v1/me'), 'x-ratelimit-limit')).toBe(String(limit));
    });

  it('are set by the operator, reach running processes, and can be removed', async () => {
    const config = await withOwner();
    const { id, as } = await make.organization();
    const { client } = await as('owner');
    expect(header(await client.get('/v1/me'), 'x-ratelimit-limit')).toBe('5');
    const none = { reads: null, writes: null, launches: null, retests: null, imports: null };
    expect(await setLimits(config, id, { reads: 4_000 })).toEqual({ ...none, reads: 4_000 });
    await expectLimit(client, 4_000);
    expect(await setLimits(config, id, { writes: 9 })).toEqual({ ...none, reads: 4_000, writes: 9 });
    expect(await setLimits(config, id, {})).toEqual({ ...none, reads: 4_000, writes: 9 });
    expect(await setLimits(config, id, { reset: true })).toEqual(none);
    await expectLimit(client, 5);
    const entries = await query<{ operation: string; actor_type: string; metadata: object }>(
      `SELECT operation, actor_type, metadata FROM audit_logs
       WHERE organization_id = $1 AND operation = 'organization.set_limits' ORDER BY id`,
      [id],
    );
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({ actor_type: 'system', metadata: { limits_per_minute: { reads: 4_000 } } });
  });

  it('are refused with a reason if they are not valid', async () => {
    const config = await withOwner();
    const { id } = await make.organization();
    await expect(setLimits(config, id, { reads: 0 })).rejects.toThrow('--reads must be a whole number of requests');
    await expect(setLimits(config, id, { reads: 1, reset: true })).rejects.toThrow('Use --reset alone');
    await expect(setLimits(config, 2_000_000_000, { reads: 1 })).rejects.toThrow('Organization not found');
  });

  const itWithTwoRoles = server().app === server().owner ? it.skip : it;
  itWithTwoRoles('cannot be set by the service', async () => {
    const config = await testConfig();
    const { id } = await make.organization();
    await expect(setLimits(config, id, { reads: 9 })).rejects.toThrow('Set MIGRATION_DATABASE_URL');
    await query('INSERT INTO organization_limits (organization_id, reads) VALUES ($1, 9)', [id]);
    const { rows } = await query<{ may: boolean }>(
      `SELECT has_table_privilege($1, 'organization_limits', 'INSERT, UPDATE') AS may`,
      [decodeURIComponent(new URL((await testDatabase()).appUrl.replace('@/', '@localhost/')).username)],
    ).then((found) => ({ rows: found }));
    expect(rows).toEqual([{ may: false }]);
  });
});

describeWithRedis('processes with one Redis', () => {
  let redis: RedisServer;
  const apis: RunningApi[] = [];

  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(async () => {
    await Promise.all(apis.map(({ app }) => app.close()));
    await redis.stop();
  });

  /** Of two processes: alone, each allows three of five reads. */
  const start = async (settings: Record<string, string> = {}): Promise<Factories> => {
    const running = await startApi({ ...limits, REDIS_URL: redis.url, API_PROCESSES: '2', ...settings });
    apis.push(running);
    useContract(running.app);
    const factories = new Factories(running);
    await untilShared(factories);
    return factories;
  };

  const untilShared = (factories: Factories): Promise<void> =>
    eventually(async () => {
      await redis.flush();
      const { client } = await (await factories.organization()).as('viewer');
      await client.get('/v1/me');
      expect((await redis.keys()).filter((key) => key.startsWith('assay:limits:'))).toHaveLength(2);
    });

  it('enforce each limit together, and a share each while Redis is unavailable', async () => {
    const [first, second] = [await start(), await start()];
    const { client, credentials } = await (await first.organization()).as('viewer');
    const there = second.withCredentials(credentials);
    const answers = [...(await reads(client, 3)), ...(await reads(there, 3))];
    expect(answers.map((answer) => header(answer, 'x-ratelimit-remaining'))).toEqual(['4', '3', '2', '1', '0', '0']);
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await client.get('/v1/me')).status).toBe(429);
    await redis.flush();
    expect(header(await client.get('/v1/me'), 'x-ratelimit-remaining')).toBe('4');

    await redis.stop();
    expect(statuses(await reads(client, 4))).toEqual([200, 200, 200, 429]);
    expect(statuses(await reads(there, 4))).toEqual([200, 200, 200, 429]);
    await redis.start();
    await untilShared(first);
  });

  it('answer while Redis hangs, too', async () => {
    const factories = await start({ REDIS_LIMITS_TIMEOUT_MS: '50' });
    const { client } = await (await factories.organization()).as('viewer');
    redis.pause();
    try {
      expect(statuses(await reads(client, 4))).toEqual([200, 200, 200, 429]);
    } finally {
      redis.resume();
    }
  });
});

describeWithRedis('a Redis that answers', () => {
  let redis: RedisServer;
  let counters: RedisCounters;
  const fallback = jest.fn();
  let warn: jest.SpyInstance;
  let log: jest.SpyInstance;

  beforeEach(async () => {
    redis = await RedisServer.start();
    fallback.mockClear();
    warn = jest.spyOn(Logger.prototype, 'warn').mockClear().mockImplementation();
    log = jest.spyOn(Logger.prototype, 'log').mockClear().mockImplementation();
  });
  afterEach(async () => {
    counters.onApplicationShutdown();
    await redis.stop();
  });
  afterAll(() => jest.restoreAllMocks());

  const connect = (user = ''): void => {
    const url = redis.url.replace('redis://', `redis://${user}`);
    const local = new LocalCounters(1, api.app.get(Clock));
    const settings = { REDIS_PREFIX: 'assay', REDIS_LIMITS_TIMEOUT_MS: 10_000 };
    counters = new RedisCounters(url, settings, local, fallback);
  };
  const budget: Budget = { owner: 'key', ownerId: 1, limitClass: 'read', limit: 600 };
  const setUser = (rights: string): Promise<void> => redis.configure(`ACL SETUSER assay on >secret ${rights}`);
  const user = 'assay:secret@';

  it.each([
    ['whose user may not count', '~assay:work:* &assay:work:* +@all -@dangerous', '~assay:limits:*'],
    ['that is full', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
    ['that is a replica', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE'],
  ])('%s counts as unavailable, with one line in the log, until it can count', async (_name, broken, repaired) => {
    const isUser = broken.startsWith('~');
    const configure = (command: string): Promise<void> => (isUser ? setUser(command) : redis.configure(command));
    await configure(broken);
    connect(isUser ? user : '');
    await eventually(async () => expect(warn).toHaveBeenCalledTimes(1));
    await counters.count([budget]);
    expect([fallback.mock.calls.length, log.mock.calls.length]).toEqual([1, 0]);
    await configure(repaired);
    await eventually(async () => expect(log).toHaveBeenCalledTimes(1));
    expect(await counters.count([budget])).toMatchObject({ counts: [{ remaining: 599 }] });
    expect(await counters.count([budget], 500)).toMatchObject({ isRefused: false, counts: [{ remaining: 99 }] });
    expect(await counters.count([budget], 100)).toMatchObject({ isRefused: true, counts: [{ remaining: 99 }] });
    expect([fallback.mock.calls.length, warn.mock.calls.length]).toEqual([1, 1]);
  });

  it('counts for the user that deploy/compose/create-secrets.sh creates', async () => {
    const script = readFileSync('deploy/compose/create-secrets.sh', 'utf8');
    await setUser(/^user assay on \S+ \S+ (.+)"$/m.exec(script)?.[1] ?? '');
    connect(user);
    await eventually(async () => {
      fallback.mockClear();
      await counters.count([budget]);
      expect(fallback).not.toHaveBeenCalled();
    });
    expect(warn).not.toHaveBeenCalled();
  });
});
