import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { RedisConnections } from '../../src/platform/work/redis-connections';
import { type RunningApi, type RunningWorker, startApi, startWorker } from '../support/api';
import { useContract } from '../support/contract';
import { query, testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { startProcess } from '../support/processes';
import { RedisServer, describeWithRedis } from '../support/redis-server';

/** Deletes an organization, whose purge is work for a worker. */
async function startWork(api: RunningApi): Promise<{ id: number }> {
  const { client } = await new Factories(api).integrator();
  const { id } = (await client.post('/v1/organizations/', { name: unique('Purged') })).body;
  expect((await client.delete(`/v1/organizations/${id}/`)).status).toBe(200);
  return { id };
}

const expectWorkDone = ({ id }: { id: number }): Promise<void> =>
  eventually(async () => {
    const rows = await query<{ state: string }>(
      `SELECT state FROM work WHERE kind = 'organization.purge' AND reference = $1`,
      [String(id)],
    );
    expect(rows).toEqual([{ state: 'done' }]);
  });

const readiness = async ({ url }: { url: string }): Promise<{ status: number; body: unknown }> => {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.json() };
};

const degraded = { status: 200, body: { status: 'degraded', description: expect.stringContaining('Redis') } };
const ready = { status: 200, body: { status: 'ready' } };

describeWithRedis('an API and a worker connected by Redis', () => {
  const password = 'p@ss:word/1';
  let redis: RedisServer;
  let database: DatabaseProxy;
  let api: RunningApi;
  let worker: RunningWorker | undefined;

  beforeAll(async () => {
    redis = await RedisServer.start({ password });
    database = new DatabaseProxy((await testDatabase()).appUrl);
    await database.start();
    api = await startApi({ REDIS_URL: redis.url, DATABASE_URL: database.url });
    useContract(api.app);
  });
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
  });
  afterAll(async () => {
    await api.app.close();
    await database.disconnect();
    await redis.stop();
  });

  const startWorkerWithSweep = async (seconds: string): Promise<void> => {
    worker = await startWorker({ REDIS_URL: redis.url, WORK_SWEEP_SECONDS: seconds });
  };

  it('start work without a sweep, also after Redis was restarted, emptied and refused the password for a while', async () => {
    await startWorkerWithSweep('60');
    await expectWorkDone(await startWork(api));
    await redis.restart();
    await expectWorkDone(await startWork(api));
    await redis.flush();
    await expectWorkDone(await startWork(api));
    await redis.changePassword('another');
    await eventually(async () => expect(await readiness(api)).toEqual(degraded));
    await redis.changePassword(password);
    await eventually(async () => expect(await redis.subscribers('assay:work:notifications')).toBe(1));
    await expectWorkDone(await startWork(api));
    expect((await redis.keys()).every((key) => /^assay:(work|limits):/.test(key))).toBe(true);
  });

  it('add no keys to Redis with each notification while no worker runs', async () => {
    for (let round = 0; round < 5; round++) await startWork(api);
    await eventually(async () => expect(await redis.keys()).toContain('assay:work:wait'));
    const ofWork = async (): Promise<string[]> => (await redis.keys()).filter((key) => key.startsWith('assay:work:'));
    const few = await ofWork();
    for (let round = 0; round < 5; round++) await startWork(api);
    // Keys may expire meanwhile.
    expect((await ofWork()).filter((key) => !few.includes(key))).toEqual([]);
  });

  it.each([
    ['is away', () => redis.stop(), () => redis.start()],
    ['hangs', async () => redis.pause(), async () => redis.resume()],
  ])('answer requests and find work by sweeping while Redis %s', async (_what, fault, repair) => {
    await startWorkerWithSweep('0.2');
    await eventually(async () => expect(await readiness(api)).toEqual(ready));
    await fault();
    try {
      await expectWorkDone(await startWork(api));
      await eventually(async () => expect(await readiness(api)).toEqual(degraded));
      // A worker can also start during the fault.
      await worker?.stop();
      await startWorkerWithSweep('0.2');
      await expectWorkDone(await startWork(api));
    } finally {
      await repair();
    }
    await eventually(async () => expect(await readiness(api)).toEqual(ready));
    await worker?.stop();
    await startWorkerWithSweep('60');
    await expectWorkDone(await startWork(api));
  });

  it('are not ready without the database, even if Redis answers', async () => {
    await database.disconnect();
    try {
      expect((await readiness(api)).status).toBe(503);
    } finally {
      await database.restore();
    }
    await eventually(async () => expect(await readiness(api)).toEqual(ready));
  });

  it('close their Redis connections when they stop', async () => {
    const before = await redis.connections();
    await startWorkerWithSweep('60');
    await eventually(async () => expect(await redis.connections()).toBe(before + 3));
    await worker?.stop();
    worker = undefined;
    await eventually(async () => expect(await redis.connections()).toBe(before));
  });
});

describeWithRedis('a worker', () => {
  const password = 'hunter2-hunter2';
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await RedisServer.start({ password });
  });
  afterAll(() => redis.stop());

  async function expectOneWarning(REDIS_URL: string, reason: string): Promise<void> {
    const worker = await startProcess('worker', { REDIS_URL, WORK_SWEEP_SECONDS: '1' });
    const warnings = (): string[] =>
      worker
        .output()
        .split('\n')
        .filter((line) => line.includes('Redis does not answer'));
    await eventually(async () => expect(warnings()).toHaveLength(1));
    worker.kill('SIGTERM');
    // The exit code would be 1 after the shutdown timeout.
    expect(await worker.exited).toBe(0);
    expect(warnings()).toEqual([expect.stringContaining(reason)]);
    expect(worker.output()).not.toContain('hunter2');
  }

  it('whose password Redis refuses starts, logs one warning without the password, and stops in order', async () => {
    await expectOneWarning(redis.url.replace(password, `${password}-no-more`), 'WRONGPASS');
  });

  it('whose Redis hangs starts, logs one warning, and stops in order', async () => {
    redis.pause();
    await expectOneWarning(redis.url, '').finally(() => redis.resume());
  });

  it('whose Redis is away starts, logs one warning, and stops in order', async () => {
    await redis.stop();
    await expectOneWarning(redis.url, 'ECONNREFUSED');
  });
});

it('connects with TLS to a rediss:// address', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connections = new RedisConnections(`rediss://127.0.0.1:${port}`);
  try {
    const connected = once(server, 'connection');
    connections.get('client');
    const [socket] = await connected;
    const [hello] = await once(socket, 'data');
    expect(hello[0]).toBe(0x16);
    socket.destroy();
  } finally {
    connections.close();
    server.close();
  }
});
