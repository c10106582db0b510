import { randomUUID } from 'node:crypto';
import { Client as Postgres } from 'pg';
import { Transactions } from '../../src/platform/database/transactions';
import type { Claim } from '../../src/platform/work/claim';
import { WorkNotifier } from '../../src/platform/work/work-notifier';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { CanceledWorkRepository } from '../../src/platform/work/canceled-work.repository';
import { WorkRepository } from '../../src/platform/work/work.repository';
import { Worker } from '../../src/platform/work/worker';
import { type RunningWorker, startWorker } from '../support/api';
import { query, testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { BlockingTestWork } from '../support/blocking-test-work';
import { claimTask, expectWaitingForLocks } from '../support/row-locks';

let work: BlockingTestWork;
let workers: RunningWorker[];

beforeEach(() => {
  work = new BlockingTestWork();
  workers = [];
});

afterEach(async () => {
  work.release();
  await Promise.all(workers.map((worker) => worker.stop()));
});

/** Starts a worker with a short lease. Register the work with a second worker only when the first has started it. */
async function startTestWorker(settings: Record<string, string> = {}): Promise<RunningWorker> {
  const worker = await startWorker({ WORK_LEASE_SECONDS: '1', ...settings });
  workers.push(worker);
  return worker;
}

const expectStarted = (times: number) => eventually(async () => expect(work.startedCount).toBe(times));

describe('failed attempts', () => {
  it('do not include work released at shutdown, so that restarts never exhaust the attempts', async () => {
    const reference = await work.add();
    for (let times = 1; times <= 3; times++) {
      const worker = await startWorker({ WORK_ATTEMPTS: '2' });
      work.registerWith(worker);
      await expectStarted(times);
      await worker.context.get(Worker).stop(0);
      await worker.stop();
      expect(await work.row(reference)).toEqual({ state: 'waiting', attempt: times, failures: 0 });
    }
    work.failure = new Error('first attempt fails');
    work.release();
    work.registerWith(await startTestWorker({ WORK_ATTEMPTS: '2' }));
    await eventually(async () => expect(await work.row(reference)).toEqual({ state: 'done', attempt: 5, failures: 1 }));
    expect(await work.auditedEnds(reference)).toEqual(['success']);
  });

  it('do not block other work when one of them cannot be abandoned', async () => {
    const lost = { state: 'running', failures: 4 } as const;
    const notAbandonable = await work.add({ ...lost, lease: '-2 seconds' });
    work.failingAbandonReferences.add(notAbandonable);
    const other = await work.add({ ...lost, lease: '-1 second' });
    work.registerWith(await startTestWorker());
    await eventually(async () => expect((await work.row(other)).state).toBe('failed'));
    expect(await work.auditedEnds(other)).toEqual(['failure']);
    work.failingAbandonReferences.clear();
    await eventually(async () => expect((await work.row(notAbandonable)).state).toBe('failed'));
  });
});

describe('a kind of work with few concurrency slots', () => {
  it('leaves the other slots to other kinds, and continues when a slot is free', async () => {
    work.maxConcurrent = 2;
    const references = await Promise.all(Array.from({ length: 5 }, () => work.add()));
    const other = new BlockingTestWork();
    const next = await other.add();
    const worker = await startTestWorker({
      WORK_LEASE_SECONDS: '60',
      WORKER_CONCURRENCY: '3',
      WORK_SWEEP_SECONDS: '60',
    });
    for (const kind of [work, other]) kind.registerWith(worker);
    worker.context.get(WorkNotifier).notify();
    other.release();
    await eventually(async () => expect((await other.row(next)).state).toBe('done'));
    expect(work.startedCount).toBe(2);
    work.release();
    for (const reference of references)
      await eventually(async () => expect(await work.row(reference)).toMatchObject({ state: 'done', attempt: 1 }));
  });
});

describe('fencing of lost leases', () => {
  it('drops the result of a worker that resumes while the second attempt is running', async () => {
    const reference = await work.add();
    const rows = (await startTestWorker()).context.get(WorkRepository);
    const options = { leaseSeconds: 60, maxAttempts: 5, reclaimExpired: true, onePerOrganization: [] };
    const claim = async (): Promise<Claim> => {
      await rows.place([work.kind], options);
      const [queue] = await rows.queues([{ kind: work.kind, after: null, size: 1, innerSize: 1 }]);
      const [claimed] = queue === undefined ? [] : await rows.claim([{ queue, count: 1 }], options);
      if (claimed === undefined) throw new Error('there is nothing to claim');
      return claimed;
    };
    const old = await claim();
    await query(`UPDATE work SET lease_until = now() - interval '1 second' WHERE reference = $1`, [reference]);
    const current = await claim();
    const second = { state: 'running', attempt: 2, failures: 1 };
    expect(await work.row(reference)).toEqual(second);

    expect(await rows.finish(old, 'done')).toBe(false);
    expect(await rows.finish(old, 'failed', 'The old worker failed.')).toBe(false);
    expect(await work.row(reference)).toEqual(second);
    await rows.reschedule(old, 0);
    expect(await work.row(reference)).toEqual(second);
    await rows.release([old]);
    expect(await work.row(reference)).toEqual(second);
    await rows.renew([old], 600);
    expect(await work.leaseSeconds(reference)).toBeLessThan(120);
    expect(await rows.renew([old, current], 60)).toEqual([{ id: old.id, attempt: 1 }]);

    expect(await rows.finish(current, 'done')).toBe(true);
    expect(await rows.finish(current, 'done')).toBe(false);
  });

  it('drops the result of a worker that lost its lease, without an audit entry', async () => {
    const reference = await work.add();
    // A long lease, because at its renewal the worker would notice that the work is lost.
    const worker = await startTestWorker({ WORK_LEASE_SECONDS: '60', WORK_SWEEP_SECONDS: '60' });
    work.registerWith(worker);
    worker.context.get(WorkNotifier).notify();
    await expectStarted(1);
    await query('UPDATE work SET attempt = attempt + 1 WHERE reference = $1', [reference]);
    work.release();
    const next = await work.add();
    worker.context.get(WorkNotifier).notify();
    await eventually(async () => expect((await work.row(next)).state).toBe('done'));
    expect(await work.row(reference)).toEqual({ state: 'running', attempt: 2, failures: 0 });
    expect(await work.auditedEnds(reference)).toEqual([]);
  });
});

describe('a lease', () => {
  it('is renewed although another row is locked for a long time', async () => {
    const [locked, other] = [await work.add(), await work.add()];
    const startWorkerWithShortLease = () => startTestWorker({ WORK_LEASE_SECONDS: '2' });
    work.registerWith(await startWorkerWithShortLease());
    await expectStarted(2);
    work.registerWith(await startWorkerWithShortLease());
    const database = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
    await database.connect();
    try {
      await database.query('BEGIN');
      await database.query('SELECT 1 FROM work WHERE reference = $1 FOR UPDATE', [locked]);
      // The lease of the locked row cannot be renewed, so this takes longer than a lease.
      await eventually(async () => expect(await work.leaseSeconds(locked)).toBeLessThan(-1));
    } finally {
      await database.end();
    }
    work.release();
    await eventually(async () => expect(await work.row(other)).toMatchObject({ state: 'done', attempt: 1 }));
  });

  it('expires although its worker is paused inside a transaction', async () => {
    const reference = await work.add({ state: 'running', lease: '-1 second' });
    const { context } = await startTestWorker({ DATABASE_TIMEOUT_MS: '2500' });
    let resume = (): void => undefined;
    const paused = new Promise<void>((resolve) => (resume = resolve));
    const transaction = context.get(Transactions).run(async () => {
      await context.get(CanceledWorkRepository).cancel(work.kind, reference);
      await paused;
    });
    const rejection = expect(transaction).rejects.toThrow();
    work.release();
    work.registerWith(await startTestWorker());
    await eventually(async () => expect((await work.row(reference)).state).toBe('done'));
    resume();
    await rejection;
  });

  describe('while the database is unavailable', () => {
    let proxy: DatabaseProxy;
    let otherProxy: DatabaseProxy;
    beforeEach(async () => {
      const { appUrl } = await testDatabase();
      [proxy, otherProxy] = [new DatabaseProxy(appUrl), new DatabaseProxy(appUrl)];
      await Promise.all([proxy.start(), otherProxy.start()]);
    });
    afterEach(() => Promise.all([proxy.disconnect(), otherProxy.disconnect()]));

    const startWorkerBehindProxy = (behind = proxy, leaseSeconds = 2) =>
      startTestWorker({ WORK_LEASE_SECONDS: String(leaseSeconds), DATABASE_URL: behind.url });

    it('expires for all workers, and the first one that is back takes no work from one that is alive', async () => {
      const references = await Promise.all(Array.from({ length: 5 }, () => work.add()));
      work.registerWith(await startWorkerBehindProxy());
      await expectStarted(5);
      work.registerWith(await startWorkerBehindProxy(otherProxy, 4));
      proxy.hang();
      otherProxy.hang();
      // Longer than the leases of both.
      await eventually(async () => {
        const rows = await Promise.all(references.map((reference) => work.leaseSeconds(reference)));
        expect(rows.every((seconds) => seconds < -4)).toBe(true);
      });
      await otherProxy.restore();
      references.push(await work.add());
      await expectStarted(6);
      await proxy.restore();
      await eventually(async () => {
        for (const reference of references) expect(await work.leaseSeconds(reference)).toBeGreaterThan(1);
      });
      work.release();
      for (const reference of references)
        await eventually(async () =>
          expect(await work.row(reference)).toEqual({ state: 'done', attempt: 1, failures: 0 }),
        );
      expect(work.startedCount).toBe(6);
    });

    it('keeps a result until the database is back, and nothing is repeated', async () => {
      const reference = await work.add();
      work.registerWith(await startWorkerBehindProxy());
      await expectStarted(1);
      await proxy.disconnect();
      work.release();
      await eventually(async () => expect(await work.leaseSeconds(reference)).toBeLessThan(-1));
      expect(work.finishedCount).toBe(1);
      await proxy.restore();
      await eventually(async () => expect((await work.row(reference)).state).toBe('done'));
      expect(work.startedCount).toBe(1);
      expect(await work.auditedEnds(reference)).toEqual(['success']);
    });

    it('is completed once although the response to its completion was lost', async () => {
      const reference = await work.add();
      work.registerWith(await startWorkerBehindProxy());
      await expectStarted(1);
      proxy.dropAnswersTo('COMMIT');
      work.release();
      await eventually(async () => expect((await work.row(reference)).state).toBe('done'));
      await proxy.restore();
      const next = await work.add();
      await eventually(async () => expect((await work.row(next)).state).toBe('done'));
      expect(await work.auditedEnds(reference)).toEqual(['success']);
      expect(work.startedCount).toBe(2);
    });

    it('expires when the response to its claim was lost', async () => {
      const reference = await work.add();
      proxy.dropAnswersTo('attempt = attempt + 1');
      work.registerWith(await startWorkerBehindProxy());
      await eventually(async () => expect((await work.row(reference)).state).toBe('running'));
      await proxy.restore();
      work.release();
      await eventually(async () =>
        expect(await work.row(reference)).toEqual({ state: 'done', attempt: 2, failures: 1 }),
      );
      expect(work.startedCount).toBe(1);
    });
  });
});

describe('the scheduler', () => {
  it('runs a task that was planned while the clock of the database was ahead', async () => {
    const rows = (await startTestWorker()).context.get(WorkRepository);
    const name = `test ${randomUUID()}`;
    const task = { name, everySeconds: 60 };
    expect(await rows.claimTasks([task])).toEqual(new Set([name]));
    expect(await rows.claimTasks([task])).toEqual(new Set());
    await query(`UPDATE clock_tasks SET next_run = now() + interval '1 year' WHERE name = $1`, [name]);
    expect(await rows.claimTasks([task])).toEqual(new Set([name]));
    expect(await rows.claimTasks([task])).toEqual(new Set());
  });

  it('does not run a task that another worker claims meanwhile', async () => {
    const rows = (await startTestWorker({ WORK_SWEEP_SECONDS: '60' })).context.get(WorkRepository);
    const task = { name: `test ${randomUUID()}`, everySeconds: 60 };
    const release = await claimTask(task.name);
    const claims = Promise.all(Array.from({ length: 3 }, () => rows.claimTasks([task])));
    await expectWaitingForLocks(3);
    await release();
    expect(await claims).toEqual([new Set(), new Set(), new Set()]);
  });

  it('continues, like other work, although one task hangs and another fails', async () => {
    const worker = await startTestWorker();
    const { scheduledTasks: clockTasks } = worker.context.get(WorkRegistry);
    let ticks = 0;
    const task = (run: () => Promise<void>) => ({ name: `test ${randomUUID()}`, everySeconds: 0.1, run });
    let release = (): void => undefined;
    clockTasks.unshift(
      task(() => new Promise((resolve) => (release = resolve))),
      task(async () => {
        throw new Error('task fails');
      }),
      task(async () => void ticks++),
    );
    await eventually(async () => expect(ticks).toBeGreaterThan(1));
    work.release();
    work.registerWith(worker);
    const reference = await work.add();
    await eventually(async () => expect((await work.row(reference)).state).toBe('done'));
    release();
  });
});
