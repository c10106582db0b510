import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ThreadLimitExceeded } from './answering-thread';
import { ThreadPool, type ThreadPoolOptions } from './thread-pool';

const folder = mkdtempSync(join(tmpdir(), 'assay-threads-'));
const program = join(folder, 'program.cjs');
const silentProgram = join(folder, 'silent.cjs');

/** A program that runs the command in each message. */
const SOURCE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const gate = new Int32Array(workerData ?? new SharedArrayBuffer(4));
  const deeds = {
    echo: (text) => text,
    environment: () => JSON.stringify(process.env),
    loop: () => { for (;;); },
    hog: () => { const all = []; for (;;) all.push(new Array(10_000).fill(all.length)); },
    fail: () => { throw new TypeError('no'); },
    exit: () => process.exit(0),
    wait: () => { Atomics.wait(gate, 0, 0); return 'waited'; },
  };
  parentPort.on('message', (message) => {
    const [deed, text] = message.split(' ');
    parentPort.postMessage(deeds[deed](text));
  });
  parentPort.postMessage('ready');
`;

beforeAll(() => {
  writeFileSync(program, SOURCE);
  writeFileSync(silentProgram, "throw new Error('cannot start')");
});
afterAll(() => rmSync(folder, { recursive: true }));

const pools: ThreadPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function poolWith(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const pool = new ThreadPool({
    program,
    threads: 2,
    milliseconds: 30_000,
    megabytes: 64,
    maxQueuedPerTenant: 10,
    maxQueued: 100,
    ...options,
  });
  pools.push(pool);
  return pool;
}

describe('ThreadPool', () => {
  it('resolves each task with the result of its program', async () => {
    const pool = poolWith();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((text) => pool.run(text, `echo ${text}`)));
    expect(answers).toEqual(['a', 'b', 'c', 'd']);
  });

  it('ends a task that takes too long, answers others meanwhile, and has a thread for the next task', async () => {
    const pool = poolWith({ threads: 1, milliseconds: 1_000 });
    const endless = pool.run('a', 'loop');
    const over = new AbortController();
    void endless.catch(() => over.abort());
    let turns = 0;
    for (; !over.signal.aborted; turns++) await nextTurn();
    await expect(endless).rejects.toEqual(new ThreadLimitExceeded('time'));
    expect(turns).toBeGreaterThan(100);
    expect(await pool.run('a', 'echo after')).toBe('after');
  });

  it('ends a task that needs too much memory, and has a thread for the next task', async () => {
    const pool = poolWith({ threads: 1, megabytes: 16 });
    const hog = pool.run('a', 'hog');
    await expect(hog).rejects.toMatchObject({ limit: 'memory' });
    expect(await pool.run('a', 'echo after')).toBe('after');
  });

  it('tells a task that fails from one that exceeded a limit, and has a thread for the next task', async () => {
    const pool = poolWith({ threads: 1 });
    for (const [deed, message] of [
      ['fail', 'no'],
      ['exit', 'the thread ended without an answer'],
    ] as const) {
      const failure = pool.run('a', deed);
      await expect(failure).rejects.toThrow(message);
      await expect(failure).rejects.not.toBeInstanceOf(ThreadLimitExceeded);
    }
    expect(await pool.run('a', 'echo after')).toBe('after');
  });

  it('does not blame a task when a thread cannot start', async () => {
    const failure = poolWith({ program: silentProgram }).run('a', 'echo x');
    await expect(failure).rejects.toThrow('a thread did not start');
  });

  it('keeps a thread free from a busy tenant for other tenants', async () => {
    const gate = new SharedArrayBuffer(4);
    const pool = poolWith({ workerData: gate });
    let ended = 0;
    const flood = Array.from({ length: 6 }, () => pool.run('flooding', 'wait').finally(() => ended++));
    expect(await pool.run('other', 'echo first')).toBe('first');
    expect(await pool.run('another', 'echo second')).toBe('second');
    expect(ended).toBe(0);
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
    expect(await Promise.all(flood)).toEqual(Array.from({ length: 6 }, () => 'waited'));
  });

  it('lets tenants take turns, however many tasks one of them has waiting', async () => {
    const pool = poolWith({ threads: 1 });
    const ended: string[] = [];
    const run = (tenant: string, name: string): Promise<unknown> =>
      pool.run(tenant, `echo ${name}`).then(() => ended.push(name));
    await Promise.all([run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('a', 'a4'), run('b', 'b1'), run('b', 'b2')]);
    expect(ended).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('refuses tasks beyond the queue limits for one tenant and in total', async () => {
    const pool = poolWith({ threads: 1, maxQueuedPerTenant: 2, maxQueued: 3 });
    const taken = [pool.run('a', 'echo 1'), pool.run('a', 'echo 2'), pool.run('a', 'echo 3')];
    await expect(pool.run('a', 'echo 4')).rejects.toMatchObject({ kind: 'too_many_requests', retryAfter: 1 });
    taken.push(pool.run('b', 'echo 4'));
    await expect(pool.run('c', 'echo 5')).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 1 });
    expect(await Promise.all(taken)).toEqual(['1', '2', '3', '4']);
  });

  it('gives its threads an empty environment', async () => {
    expect(await poolWith().run('a', 'environment')).toBe('{}');
  });

  it('ends its threads when it is closed', async () => {
    const pool = poolWith();
    // A thread that has answered is idle and takes the next task.
    await pool.run('a', 'echo x');
    const endless = pool.run('a', 'loop');
    const ended = expect(endless).rejects.toThrow('the thread ended without an answer');
    await pool.close();
    await ended;
  });
});
