import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_LIMITS } from '../../src/engine/transport/limits';
import { RateLimiter } from '../../src/engine/transport/rate-limiter';
import { TargetPaces } from '../../src/engine/transport/target-paces';
import { TargetPacesRepository } from '../../src/modules/retests/data/target-paces.repository';
import { EngineRuntime } from '../../src/modules/retests/engine-runtime';
import { PastPaces } from '../../src/modules/retests/work/past-paces';
import { Config } from '../../src/platform/config/load-config';
import { Database } from '../../src/platform/database/database';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';

const api = useApi({ EGRESS_ALLOW: '127.0.0.1:9' });

interface StatedPace {
  readonly requestsPerSecond: number | null;
}

const signal = new AbortController().signal;
const pace = { perSecond: 4, concurrency: 10 };

/** As in a process of its own. */
const sharedPace = (): TargetPacesRepository => new TargetPacesRepository(api.app.get(Database));
const limiter = (of = pace): RateLimiter => new RateLimiter(of, sharedPace());

const msFor = async (limiters: readonly RateLimiter[], host: string, times: number): Promise<number> => {
  const before = performance.now();
  await Promise.all(
    Array.from({ length: times }, async (_, turn) => limiters[turn % limiters.length]?.acquire(host, signal)),
  );
  return performance.now() - before;
};

it('keeps the pace of a host for all processes together', async () => {
  expect(await msFor([limiter(), limiter(), limiter()], 'pace 192.0.2.1', 7)).toBeGreaterThan(6 * 250 - 50);
});

it('is shared by requests on connections that are open', async () => {
  const [first, second] = [limiter(), limiter()];
  await first.acquire('pace 192.0.2.7', signal);
  const before = performance.now();
  const turns = Array.from({ length: 3 }, () => first.waitForTurn('pace 192.0.2.7', signal));
  await Promise.all([...turns, second.acquire('pace 192.0.2.7', signal)]);
  expect(performance.now() - before).toBeGreaterThan(4 * 250 - 100);
});

it('is that of the operator for the requests of an observation, or the lower one of its event', () => {
  const runtime = api.app.get(EngineRuntime);
  const { ENGINE_REQUESTS_PER_SECOND: usual } = api.app.get(Config);
  expect(runtime.observationPaces(null, null)).toMatchObject({ requestsPerSecond: usual, host: { perSecond: 10 } });
  expect(runtime.observationPaces(null, 0.5)).toMatchObject({ requestsPerSecond: 0.5, host: { perSecond: 0.5 } });
  expect(runtime.observationPaces(null, 9_000)).toMatchObject({ requestsPerSecond: usual, host: { perSecond: 10 } });
  expect(runtime.observationPaces(2, 3)).toMatchObject({ requestsPerSecond: 2, host: { perSecond: 2 } });
  expect(runtime.observationPaces(20, null)).toMatchObject({ requestsPerSecond: 20, host: { perSecond: 10 } });
});

it('is the lower one of an asset and an event, and at most 10 on a host of someone else', () => {
  const runtime = api.app.get(EngineRuntime);
  const { ENGINE_REQUESTS_PER_SECOND: usual } = api.app.get(Config);
  const [none, two, fifty] = [null, 2, 50].map((requestsPerSecond) => ({ requestsPerSecond })) as [
    StatedPace,
    StatedPace,
    StatedPace,
  ];
  const elsewhere = { by: 'Example', target: 'sites.example.net', isLimited: true };
  expect(runtime.statedPace(none, null, null)).toBeNull();
  expect(runtime.statedPace(none, fifty, null)).toBe(usual);
  expect(runtime.statedPace(fifty, null, null)).toBe(50);
  expect(runtime.statedPace(fifty, two, null)).toBe(2);
  expect(runtime.statedPace(two, fifty, null)).toBe(2);
  expect(runtime.statedPace(fifty, null, elsewhere)).toBe(10);
  expect(runtime.statedPace(fifty, null, { ...elsewhere, isLimited: false })).toBe(50);
});

describe('the exchanges with one host at once', () => {
  const quick = { perSecond: 1_000, concurrency: 4 };

  it('are limited for all processes together, and shared by them', async () => {
    const limiters = [limiter(quick), limiter(quick), limiter(quick)];
    let [now, most] = [0, 0];
    const ofEach = limiters.map(() => 0);
    const exchange = async (at: number): Promise<void> => {
      const leave = await limiters[at]?.acquire('pace 192.0.2.3', signal);
      most = Math.max(most, (now += 1));
      ofEach[at] = (ofEach[at] ?? 0) + 1;
      // Longer than a process has time of the host for itself.
      await delay(400);
      now -= 1;
      leave?.();
    };
    await Promise.all(limiters.flatMap((_, at) => Array.from({ length: 4 }, () => exchange(at))));
    expect(most).toBeLessThanOrEqual(quick.concurrency);
    expect(ofEach).toEqual([4, 4, 4]);
  });

  it('of a process that has none are free for the others at once', async () => {
    const first = limiter(quick);
    const leaves = await Promise.all(Array.from({ length: 4 }, () => first.acquire('pace 192.0.2.4', signal)));
    leaves.forEach((leave) => leave());
    const of = `SELECT holders FROM target_paces WHERE host = 'pace 192.0.2.4'`;
    await eventually(async () => expect(await query(of)).toEqual([{ holders: {} }]));
  });

  it('of a process that was killed are free 10 s after it last said that they run', async () => {
    await limiter(quick).acquire('pace 192.0.2.5', signal);
    const paces = new TargetPacesRepository(api.app.get(Database));
    const all = { ms: 0, running: 0, wanted: 4, most: 1 };
    expect((await paces.reserve('pace 192.0.2.5', all)).slots).toBe(0);
    await query(`UPDATE target_paces SET holders = (SELECT jsonb_object_agg(key, jsonb_build_array(value->0, (value->>1)::float8 - 10))
      FROM jsonb_each(holders)) WHERE host = 'pace 192.0.2.5'`);
    expect((await paces.reserve('pace 192.0.2.5', all)).slots).toBe(1);
  });

  it('that a caller gives up waiting for are not begun', async () => {
    const one = { perSecond: 1_000, concurrency: 1 };
    const leave = await limiter(one).acquire('pace 192.0.2.6', signal);
    const stop = new AbortController();
    const other = limiter(one);
    const waiting = other.acquire('pace 192.0.2.6', stop.signal);
    stop.abort(new Error('canceled'));
    await expect(waiting).rejects.toThrow('canceled');
    leave();
    (await other.acquire('pace 192.0.2.6', signal))();
  });
});

it('is the pace of all tests of a process', async () => {
  const { transport } = api.app.get(EngineRuntime);
  await transport.tcp({ host: '127.0.0.1', port: 9 }, [], { signal }).catch(() => undefined);
  const rows = await query(`SELECT 1 FROM target_paces WHERE host = '127.0.0.1'`);
  expect(rows).toHaveLength(1);
});

it('keeps the paces of hosts apart', async () => {
  const hosts = Array.from({ length: 6 }, (_, host) => `pace 192.0.2.${10 + host}`);
  const paces = api.app.get(TargetPacesRepository);
  const reservation = { ms: 60_000, running: 0, wanted: 1, most: 1 };
  const reserved = await Promise.all(hosts.map((host) => paces.reserve(host, reservation)));
  // The database keeps whole milliseconds.
  expect(reserved.map(({ waitMs, slots }) => [Math.floor(waitMs), slots])).toEqual(hosts.map(() => [0, 1]));
});

it('keeps the pace of this process while the database does not answer', async () => {
  const alone = new RateLimiter(pace, {
    reserve: () => Promise.reject(new Error('no database')),
    leave: () => Promise.reject(new Error('no database')),
  });
  const ms = await msFor([alone], 'pace 192.0.2.2', 4);
  expect(ms).toBeGreaterThan(3 * 250 - 50);
  expect(ms).toBeLessThan(3_000);
});

it('forgets hosts that nobody tests any more, and no others', async () => {
  await query(`INSERT INTO target_paces (host, free_from) VALUES
    ('pace past', now() - interval '2 hours'), ('pace now', now())`);
  await api.app.get(PastPaces).run();
  const rows = await query<{ host: string }>(`SELECT host FROM target_paces WHERE host IN ('pace past', 'pace now')`);
  expect(rows).toEqual([{ host: 'pace now' }]);
});

it('requests that measure time are sent to a host one at a time by all processes together', async () => {
  const limits = { ...DEFAULT_LIMITS, perSecond: 1_000, concurrency: 8 };
  const processes = Array.from({ length: 3 }, () => new TargetPaces(limits, sharedPace()));
  const now = { alone: 0, others: 0 };
  const most = { alone: 0, others: 0 };
  const visit = async (paces: TargetPaces, kind: 'alone' | 'others'): Promise<void> => {
    const leave = await paces.acquire('pace 192.0.2.8', { signal, alone: kind === 'alone' });
    most[kind] = Math.max(most[kind], (now[kind] += 1));
    await delay(300);
    now[kind] -= 1;
    leave();
  };
  await Promise.all(
    processes.flatMap((paces) => [visit(paces, 'alone'), visit(paces, 'alone'), visit(paces, 'others')]),
  );
  expect(most.alone).toBe(1);
  expect(most.others).toBeGreaterThan(1);
});
