import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../../src/platform/config/config.module';
import { WorkNotifier } from '../../src/platform/work/work-notifier';
import { WorkNotifierModule } from '../../src/platform/work/work-notifier.module';
import { startApi, startWorker, testConfig } from '../support/api';
import { useContract } from '../support/contract';
import { testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { RedisServer, redisIsInstalled } from '../support/redis-server';
import { VulnerableSite } from '../support/vulnerable-site';

/** A transport of notifications, with its faults. */
interface Transport {
  readonly settings: Record<string, string>;
  disconnect(): Promise<void>;
  hang(): void;
  /** Ends either fault. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

async function startPostgresTransport(): Promise<Transport> {
  const proxy = new DatabaseProxy((await testDatabase()).appUrl);
  await proxy.start();
  return {
    settings: { DATABASE_URL: proxy.url },
    disconnect: () => proxy.disconnect(),
    hang: () => proxy.hang(),
    restore: () => proxy.restore(),
    stop: () => proxy.disconnect(),
  };
}

async function startRedisTransport(): Promise<Transport> {
  const server = await RedisServer.start();
  let isHung = false;
  return {
    settings: { REDIS_URL: server.url },
    disconnect: () => server.stop(),
    hang: () => {
      isHung = true;
      server.pause();
    },
    restore: async () => {
      if (isHung) server.resume();
      else await server.start();
      isHung = false;
    },
    stop: () => server.stop(),
  };
}

const transports = [
  { name: 'PostgreSQL', start: startPostgresTransport, isAvailable: true },
  { name: 'Bull on Redis', start: startRedisTransport, isAvailable: redisIsInstalled },
];

describe.each(transports)('work notifications through $name', ({ start, isAvailable }) => {
  const spec = isAvailable ? it : it.skip;
  let transport: Transport;
  const open = new Set<INestApplicationContext>();

  beforeEach(async () => {
    transport = await start();
    await testDatabase();
  });
  afterEach(async () => {
    for (const context of open) await context.close();
    open.clear();
    await transport.stop();
  });

  async function openNotifier(): Promise<{ notifier: WorkNotifier; close: () => Promise<void> }> {
    const config = await testConfig(transport.settings);
    const context = await NestFactory.createApplicationContext(
      { module: class {}, imports: [ConfigModule.with(config), WorkNotifierModule.with(config)] },
      { logger: false },
    );
    open.add(context);
    const close = async () => {
      open.delete(context);
      await context.close();
    };
    return { notifier: context.get(WorkNotifier, { strict: false }), close };
  }

  /** Counts notifications from now on; resolves when those that follow the connection have arrived. */
  async function listener(): Promise<{ received: () => number; close: () => Promise<void> }> {
    const { notifier, close } = await openNotifier();
    let count = 0;
    await notifier.listen(() => count++);
    await eventually(async () => expect(count).toBeGreaterThan(0));
    await waitUntilUnchanged(() => count);
    return { received: () => count, close };
  }

  async function waitUntilUnchanged(count: () => number): Promise<void> {
    let before = -1;
    await eventually(async () => {
      const now = count();
      const isSettled = now === before;
      before = now;
      expect(isSettled).toBe(true);
    });
  }

  const expectReceived = async (received: () => number, notify: () => void): Promise<void> => {
    const before = received();
    notify();
    await eventually(async () => expect(received()).toBeGreaterThan(before));
  };

  spec('reach every worker at once', async () => {
    const workers = await Promise.all([listener(), listener()]);
    const { notifier } = await openNotifier();
    await expectReceived(workers[0].received, () => notifier.notify());
    for (let round = 0; round < 5; round++) {
      await waitUntilUnchanged(() => workers[0].received() + workers[1].received());
      const before = workers.map(({ received }) => received());
      notifier.notify();
      await eventually(async () =>
        workers.forEach(({ received }, at) => expect(received()).toBeGreaterThan(before[at] ?? 0)),
      );
    }
  });

  spec('are sent once for many calls at the same time', async () => {
    const { received } = await listener();
    const { notifier } = await openNotifier();
    await expectReceived(received, () => notifier.notify());
    await waitUntilUnchanged(received);
    const before = received();
    for (let call = 0; call < 1_000; call++) notifier.notify();
    await eventually(async () => expect(received()).toBeGreaterThan(before));
    await waitUntilUnchanged(received);
    expect(received() - before).toBeLessThanOrEqual(5);
  });

  spec('call a worker back after a reconnection and arrive again as before', async () => {
    const { received } = await listener();
    const { notifier } = await openNotifier();
    await expectReceived(received, () => notifier.notify());
    await waitUntilUnchanged(received);
    await transport.disconnect();
    notifier.notify();
    const before = received();
    await transport.restore();
    await eventually(async () => expect(received()).toBeGreaterThan(before));
    await waitUntilUnchanged(received);
    await eventually(() => expectReceived(received, () => notifier.notify()));
  });

  spec('do not block the sender while the transport hangs, and arrive when it recovers', async () => {
    const { received } = await listener();
    const { notifier } = await openNotifier();
    await expectReceived(received, () => notifier.notify());
    transport.hang();
    for (let call = 0; call < 1_000; call++) notifier.notify();
    await transport.restore();
    await waitUntilUnchanged(received);
    await eventually(() => expectReceived(received, () => notifier.notify()));
  });

  spec('delay neither start nor stop when the transport is away from the start', async () => {
    await transport.disconnect();
    const { notifier, close } = await openNotifier();
    await notifier.listen(() => undefined);
    notifier.notify();
    await close();
    await transport.restore();
  });

  spec.each(['away', 'hung'])('do not delay the stop when the transport is %s', async (fault) => {
    const worker = await listener();
    const sender = await openNotifier();
    await expectReceived(worker.received, () => sender.notifier.notify());
    if (fault === 'away') await transport.disconnect();
    else transport.hang();
    sender.notifier.notify();
    await Promise.all([worker.close(), sender.close()]);
    await transport.restore();
  });

  spec('arrive when their sender stops right after sending them', async () => {
    const { received } = await listener();
    const { notifier, close } = await openNotifier();
    await expectReceived(received, () => notifier.notify());
    await waitUntilUnchanged(received);
    await expectReceived(received, () => {
      notifier.notify();
      void close();
    });
  });
});

describe('work notifications through PostgreSQL', () => {
  let proxy: DatabaseProxy;
  let context: INestApplicationContext;

  async function contextWith(settings: Record<string, string>): Promise<INestApplicationContext> {
    const config = await testConfig(settings);
    return NestFactory.createApplicationContext(
      { module: class {}, imports: [ConfigModule.with(config), WorkNotifierModule.with(config)] },
      { logger: false },
    );
  }

  beforeEach(async () => {
    proxy = new DatabaseProxy((await testDatabase()).appUrl);
    await proxy.start();
    context = await contextWith({ DATABASE_URL: proxy.url });
  });
  afterEach(() => proxy.disconnect());

  const notify = (): void => context.get(WorkNotifier, { strict: false }).notify();

  it('leave no connection open on which a notification was not answered', async () => {
    proxy.dropAnswersTo('NOTIFY');
    for (let time = 0; time < 2; time++) {
      notify();
      await eventually(async () => expect(proxy.connections).toBe(1));
      await eventually(async () => expect(proxy.connections).toBe(0));
    }
    await context.close();
  });

  it('are sent again when work is added while the database has not answered the last one', async () => {
    const listening = await contextWith({});
    try {
      const atListener = jest.fn();
      await listening.get(WorkNotifier, { strict: false }).listen(atListener);
      const received = (count: number) => eventually(async () => expect(atListener).toHaveBeenCalledTimes(count));
      // The listener is called once when it is connected.
      await received(1);
      proxy.dropAnswersTo('NOTIFY');
      notify();
      await received(2);
      notify();
      await received(3);
    } finally {
      await Promise.all([context.close(), listening.close()]);
    }
  });

  it('do not delay the stop when the last one is not answered', async () => {
    notify();
    await eventually(async () => expect(proxy.connections).toBe(1));
    proxy.hang();
    notify();
    await context.close();
  });
});

describe.each(transports)('retests announced through $name', ({ start, isAvailable }) => {
  const spec = isAvailable ? it : it.skip;
  const site = new VulnerableSite();

  beforeAll(() => site.start());
  afterAll(() => site.stop());

  spec('reach the worker that has a free slot, without a sweep', async () => {
    const transport = await start();
    const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
    const settings = { ...transport.settings, ...engine, WORK_SWEEP_SECONDS: '600', WORKER_CONCURRENCY: '1' };
    const api = await startApi(settings);
    useContract(api.app);
    const workers = await Promise.all([startWorker(settings), startWorker(settings)]);
    try {
      const make = new Factories(api);
      const tenant = await make.organization();
      const { client } = await tenant.as('admin');
      const asset = await make.asset(tenant.id, { value: site.url, type: 'url' });
      for (let round = 0; round < 2; round++) {
        site.hold();
        const paths: string[] = [];
        for (const _slot of workers) {
          // If notifications went to one worker at a time, this one would make the next reach the busy worker.
          api.app.get(WorkNotifier).notify();
          const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
          const finding = await make.finding(tenant.id, { asset: { ...asset, tier: null }, ...check });
          const path = `/v1/findings/${finding.id}/retest`;
          expect((await client.post(path)).status).toBe(202);
          await eventually(async () => expect((await client.get(path)).body.status).toBe('in_progress'));
          paths.push(path);
        }
        site.release();
        for (const path of paths)
          await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
      }
    } finally {
      site.release();
      for (const worker of workers) await worker.stop();
      await api.app.close();
      await transport.stop();
    }
  });
});
