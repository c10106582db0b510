import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WorkerModule } from '../../src/apps/worker/worker.module';
import { loadConfig } from '../../src/platform/config/load-config';
import { Transactions } from '../../src/platform/database/transactions';
import { Work } from '../../src/platform/work/work';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { Worker } from '../../src/platform/work/worker';
import type { Bench } from '../bench';
import { connectTo } from '../data-set/bench-database';
import { insertBacklog, insertOrganizations, NOOP_KIND, NoopWork } from '../noop-work';
import { type Figure, median } from '../table';

const pieces = 1_500;
const enqueuedAtOnce = 10;
const concurrency = 10;
const organizations = 1_000;
const backlogPerOrganization = 100;

async function withWorker<T>(
  url: string,
  use: (context: INestApplicationContext, noopWork: NoopWork) => Promise<T>,
): Promise<T> {
  const config = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: '30',
    WORKER_CONCURRENCY: String(concurrency),
    WORK_SWEEP_SECONDS: '60',
  });
  const context = await NestFactory.createApplicationContext(WorkerModule.with(config), { logger: false });
  const noopWork = new NoopWork();
  context.get(WorkRegistry).register(NOOP_KIND, noopWork);
  try {
    return await use(context, noopWork);
  } finally {
    await context.get(Worker).stop(5_000);
    await context.close();
  }
}

/** Pieces per second, from the first enqueued row to the last end. */
async function measureEnqueuing(context: INestApplicationContext, noopWork: NoopWork, turn: number): Promise<number> {
  const [work, transactions] = [context.get(Work), context.get(Transactions)];
  const all = noopWork.waitForMore(pieces);
  const began = performance.now();
  let next = 0;
  const enqueue = async (): Promise<void> => {
    while (next < pieces) {
      const number = next++;
      const organizationId = 1 + (number % organizations);
      await transactions.run(() => work.enqueue({ kind: NOOP_KIND, reference: `${turn} ${number}`, organizationId }));
    }
  };
  await Promise.all(Array.from({ length: enqueuedAtOnce }, enqueue));
  await all;
  return pieces / ((performance.now() - began) / 1_000);
}

/** Throughput of work with rows, leases and audit entries: while it is enqueued, and from a backlog of many organizations. */
export async function workRows({ database, options, log }: Bench): Promise<Figure[]> {
  const { appUrl, ownerUrl } = await database.emptyDatabase('bench_work');
  const owner = await connectTo(ownerUrl);
  await insertOrganizations(owner, organizations);
  const enqueuedRates = await withWorker(appUrl, async (context, noopWork) => {
    await context.get(Worker).start();
    const rates: number[] = [];
    for (let turn = 0; turn < options.rounds; turn++) rates.push(await measureEnqueuing(context, noopWork, turn));
    return rates;
  });
  log(`inserting a backlog of ${organizations * backlogPerOrganization} pieces of work …`);
  await insertBacklog(owner, organizations, backlogPerOrganization);
  await owner.end();
  const backlogRates = await withWorker(appUrl, async (context, noopWork) => {
    const rates: number[] = [];
    await context.get(Worker).start();
    for (let turn = 0; turn < options.rounds; turn++) {
      const began = performance.now();
      await noopWork.waitForMore(pieces);
      rates.push(pieces / ((performance.now() - began) / 1_000));
    }
    return rates;
  });
  const figure = (what: string, values: readonly number[]): Figure => ({
    measure: 'work',
    what,
    value: median(values),
    unit: '/s',
  });
  return [
    figure('no-op work while it is enqueued', enqueuedRates),
    figure(
      `no-op work from a backlog of ${organizations * backlogPerOrganization} of ${organizations} organizations`,
      backlogRates,
    ),
  ];
}
