import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../../src/platform/config/config.module';
import { Doorbell } from '../../src/platform/work/doorbell';
import { DoorbellModule } from '../../src/platform/work/doorbell.module';
import { startApi, startWorker, testConfig } from '../support/api';
import { useContract } from '../support/contract';
import { testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { RedisServer, redisIsInstalled } from '../support/redis-server';
import { WeakSite } from '../support/weak-site';

/** What bells go through, and what may befall it. */
interface Transport {
  readonly settings: Record<string, string>;
  takeAway(): Promise<void>;
  hang(): void;
  /** After either. */
  bringBack(): Promise<void>;
  stop(): Promise<void>;
}

async function postgres(): Promise<Transport> {
  const proxy = new DatabaseProxy((await testDatabase()).appUrl);
  await proxy.start();
  return {
    settings: { DATABASE_URL: proxy.url },
    takeAway: () => proxy.takeAway(),
    hang: () => proxy.hang(),
    bringBack: () => proxy.bringBack(),
    stop: () => proxy.takeAway(),
  };
}

async function redis(): Promise<Transport> {
  const server = await RedisServer.start();
  let isHung = false;
  return {
    settings: { REDIS_URL: server.url },
    takeAway: () => server.stop(),
    hang: () => {
      isHung = true;
      server.pause();
    },
    bringBack: async () => {
      if (isHung) server.resume();
      else await server.start();
      isHung = false;
    },
    stop: () => server.stop(),
  };
}

const transports = [
  { name: 'PostgreSQL', begin: postgres, isThere: true },
  { name: 'Bull on Redis', begin: redis, isThere: redisIsInstalled },
];

describe.each(transports)('work notifications through $name', ({ begin, isThere }) => {
  const spec = isThere ? it : it.skip;
  let transport: Transport;
  const open = new Set<INestApplicationContext>();

  beforeEach(async () => {
    transport = await begin();
    await testDatabase();
  });
  afterEach(async () => {
    for (const context of open) await context.close();
    open.clear();
    await transport.stop();
  });

  async function doorbell(): Promise<{ bell: Doorbell; close: () => Promise<void> }> {
    const config = await testConfig(transport.settings);
    const context = await NestFactory.createApplicationContext(
      { module: class {}, imports: [ConfigModule.with(config), DoorbellModule.with(config)] },
      { logger: false },
    );
    open.add(context);
    const close = async () => {
      open.delete(context);
      await context.close();
    };
    return { bell: context.get(Doorbell, { strict: false }), close };
  }

  /** Counts what it hears; there once it has had its first looks around. */
  async function listener(): Promise<{ heard: () => number; close: () => Promise<void> }> {
    const { bell, close } = await doorbell();
    let count = 0;
    await bell.listen(() => count++);
    await eventually(async () => expect(count).toBeGreaterThan(0));
    await settled(() => count);
    return { heard: () => count, close };
  }

  async function settled(count: () => number): Promise<void> {
    let before = -1;
    await eventually(async () => {
      const now = count();
      const isSettled = now === before;
      before = now;
      expect(isSettled).toBe(true);
    });
  }

  async function within(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await work();
    expect(performance.now() - began).toBeLessThan(milliseconds);
  }

  const hears = async (heard: () => number, ring: () => void): Promise<void> => {
    const before = heard();
    ring();
    await eventually(async () => expect(heard()).toBeGreaterThan(before));
  };

  spec('is heard at once, by every worker', async () => {
    const workers = await Promise.all([listener(), listener()]);
    const { bell } = await doorbell();
    await hears(workers[0].heard, () => bell.ring());
    for (let round = 0; round < 5; round++) {
      await settled(() => workers[0].heard() + workers[1].heard());
      const before = workers.map(({ heard }) => heard());
      await within(500, async () => {
        bell.ring();
        await eventually(async () =>
          workers.forEach(({ heard }, at) => expect(heard()).toBeGreaterThan(before[at] ?? 0)),
        );
      });
    }
  });

  spec('is rung once for many rings at a time', async () => {
    const { heard } = await listener();
    const { bell } = await doorbell();
    await hears(heard, () => bell.ring());
    await settled(heard);
    const before = heard();
    for (let ring = 0; ring < 1_000; ring++) bell.ring();
    await eventually(async () => expect(heard()).toBeGreaterThan(before));
    await settled(heard);
    expect(heard() - before).toBeLessThanOrEqual(5);
  });

  spec('calls a worker back when it is there again, and is heard as before', async () => {
    const { heard } = await listener();
    const { bell } = await doorbell();
    await hears(heard, () => bell.ring());
    await settled(heard);
    await transport.takeAway();
    bell.ring();
    const before = heard();
    await transport.bringBack();
    await eventually(async () => expect(heard()).toBeGreaterThan(before));
    await settled(heard);
    await eventually(() => hears(heard, () => bell.ring()));
  });

  spec('holds up nobody who rings while it hangs, and is heard when it is well again', async () => {
    const { heard } = await listener();
    const { bell } = await doorbell();
    await hears(heard, () => bell.ring());
    transport.hang();
    await within(100, async () => {
      for (let ring = 0; ring < 1_000; ring++) bell.ring();
    });
    await transport.bringBack();
    await settled(heard);
    await eventually(() => hears(heard, () => bell.ring()));
  });

  spec('that was away from the start holds up neither start nor end', async () => {
    await transport.takeAway();
    await within(3_000, async () => {
      const { bell, close } = await doorbell();
      await bell.listen(() => undefined);
      bell.ring();
      await close();
    });
    await transport.bringBack();
  });

  spec.each(['away', 'hung'])('that is %s does not hold up the end', async (fault) => {
    const worker = await listener();
    const ringer = await doorbell();
    await hears(worker.heard, () => ringer.bell.ring());
    if (fault === 'away') await transport.takeAway();
    else transport.hang();
    ringer.bell.ring();
    await within(4_000, () => Promise.all([worker.close(), ringer.close()]));
    await transport.bringBack();
  });

  spec('is heard when its ringer ends right after it rang', async () => {
    const { heard } = await listener();
    const { bell, close } = await doorbell();
    await hears(heard, () => bell.ring());
    await settled(heard);
    await hears(heard, () => {
      bell.ring();
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
      { module: class {}, imports: [ConfigModule.with(config), DoorbellModule.with(config)] },
      { logger: false },
    );
  }

  beforeEach(async () => {
    proxy = new DatabaseProxy((await testDatabase()).appUrl);
    await proxy.start();
    context = await contextWith({ DATABASE_URL: proxy.url });
  });
  afterEach(() => proxy.takeAway());

  const ring = (): void => context.get(Doorbell, { strict: false }).ring();

  it('close a connection on which a notification was not answered', async () => {
    proxy.loseAnswersTo('NOTIFY');
    for (let time = 0; time < 2; time++) {
      ring();
      await eventually(async () => expect(proxy.connections).toBe(1));
      await eventually(async () => expect(proxy.connections).toBe(0));
    }
    await context.close();
  });

  it('are sent once more when work arrives while an earlier notification is unanswered', async () => {
    const listening = await contextWith({});
    try {
      const atListener = jest.fn();
      await listening.get(Doorbell, { strict: false }).listen(atListener);
      const heard = (count: number) => eventually(async () => expect(atListener).toHaveBeenCalledTimes(count));
      // The first call says that the listener is connected.
      await heard(1);
      proxy.loseAnswersTo('NOTIFY');
      ring();
      await heard(2);
      ring();
      await heard(3);
    } finally {
      await Promise.all([context.close(), listening.close()]);
    }
  });

  it('do not delay the shutdown when the last one is not answered', async () => {
    ring();
    await eventually(async () => expect(proxy.connections).toBe(1));
    proxy.hang();
    ring();
    const began = performance.now();
    await context.close();
    expect(performance.now() - began).toBeLessThan(1_500);
  });
});

describe.each(transports)('retests notified through $name', ({ begin, isThere }) => {
  const spec = isThere ? it : it.skip;
  const site = new WeakSite();

  beforeAll(() => site.start());
  afterAll(() => site.stop());

  spec('reach the worker that has a hand free, without any sweep', async () => {
    const transport = await begin();
    const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
    const settings = { ...transport.settings, ...engine, WORK_SWEEP_SECONDS: '60', WORKER_CONCURRENCY: '1' };
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
        for (const _hand of workers) {
          // For nothing: bells that go round among workers would now come to one whose hands are full.
          api.app.get(Doorbell).ring();
          const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
          const finding = await make.finding(tenant.id, { asset: { ...asset, tier: null }, ...check });
          const path = `/v1/findings/${finding.id}/retest`;
          expect((await client.post(path)).status).toBe(202);
          await eventually(async () => expect((await client.get(path)).body.status).toBe('in_progress'), 3_000);
          paths.push(path);
        }
        site.letGo();
        for (const path of paths)
          await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
      }
    } finally {
      site.letGo();
      for (const worker of workers) await worker.stop();
      await api.app.close();
      await transport.stop();
    }
  });
});
