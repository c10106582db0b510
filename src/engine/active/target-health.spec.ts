import type { SentRequest } from '../sent-request';
import { type Reply, TargetHealth } from './target-health';

interface Target {
  now: Reply | null;
  readonly asked: string[];
  readonly stops: string[];
  readonly health: TargetHealth;
}

async function known(): Promise<Target> {
  const asked: string[] = [];
  const stops: string[] = [];
  const ask = async ({ path }: SentRequest): Promise<Reply | null> => {
    asked.push(path);
    return target.now;
  };
  const health = new TargetHealth(ask, (reason) => stops.push(reason), [0, 1, 1]);
  const target: Target = { now: { ms: 50, status: 200 }, asked, stops, health };
  await health.learn({ path: '/a' });
  await health.learn({ path: '/b' });
  asked.length = 0;
  return target;
}

const answers = ({ health }: Target, reply: Reply | null, times = 8): void => {
  for (let time = 0; time < times; time += 1) health.answered(reply);
};

it.each<[string, Reply | null, number, RegExp]>([
  ['gets five times slower', { ms: 2_000, status: 200 }, 8, /became slow: \/b took 2000 ms instead of 50 ms/],
  ['begins to fail', { ms: 20, status: 503 }, 8, /began to fail: \/b responds with 503/],
  ['begins to limit requests', { ms: 20, status: 429 }, 8, /began to fail: \/b responds with 429/],
  ['does not respond', null, 1, /stopped responding/],
  ['is so slow that one answer shows it', { ms: 9_000, status: 200 }, 1, /became slow/],
])('stops when the target %s', async (_name, reply, times, reason) => {
  const target = await known();
  answers(target, reply, times);
  target.now = reply;
  await target.health.ready();
  expect(target.stops).toEqual([expect.stringMatching(reason)]);
});

it('continues when harmless pages are answered as before, because experiments provoke errors and delays', async () => {
  const target = await known();
  for (const reply of [{ ms: 5_000, status: 200 }, { ms: 20, status: 500 }, null]) {
    answers(target, reply);
    await target.health.ready();
    // A look covers all responses before it.
    await target.health.ready();
  }
  expect(target.stops).toEqual([]);
  expect(target.asked).toEqual(['/a', '/a', '/a']);
});

it.each([
  ['less often while an application fails with 500', [8, 8, 8, 8, 8, 8, 8], 3],
  ['as often as before after other answers', [8, 0, 8], 2],
])('looks at harmless pages %s', async (_how, failures, looks) => {
  const target = await known();
  for (const times of failures) {
    answers(target, { ms: 20, status: times === 0 ? 200 : 500 });
    await target.health.ready();
  }
  expect(target.asked).toHaveLength(looks);
});

it('waits and looks again before it stops', async () => {
  const target = await known();
  answers(target, null);
  target.now = null;
  const ready = target.health.ready();
  target.now = { ms: 60, status: 200 };
  await ready;
  expect(target.stops).toEqual([]);
});

it('lets nothing else run while it looks, whatever is answered meanwhile', async () => {
  const target = await known();
  answers(target, null);
  const over: string[] = [];
  const look = target.health.ready().then(() => over.push('look'));
  answers(target, { ms: 50, status: 200 });
  await Promise.all([look, target.health.ready().then(() => over.push('other'))]);
  expect(over).toEqual(['look', 'other']);
});

it('learns at most three pages, so that a look takes little time', async () => {
  const target = await known();
  for (const path of ['/c', '/d']) await target.health.learn({ path });
  expect(target.asked).toEqual(['/c', '/c']);
});

it('asks nothing while half of the answers are as usual, or slower only by what a network may cause', async () => {
  const target = await known();
  answers(target, { ms: 120, status: 500 }, 7);
  await target.health.ready();
  answers(target, { ms: 120, status: 200 }, 20);
  answers(target, { ms: 120, status: 500 }, 4);
  await target.health.ready();
  // Nine times slower than usual, but still fast.
  answers(target, { ms: 440, status: 200 });
  await target.health.ready();
  expect(target.asked).toEqual([]);
});

it('takes the slower of two answers for the usual one', async () => {
  const [times, stop] = [[50, 300], jest.fn()];
  const health = new TargetHealth(async () => ({ ms: times.shift() ?? 9_000, status: 200 }), stop, [0]);
  await health.learn({ path: '/' });
  for (let time = 0; time < 8; time += 1) health.answered({ ms: 500, status: 200 });
  await health.ready();
  expect(stop).not.toHaveBeenCalled();
});

it('does not know a target that fails from the beginning', async () => {
  const health = new TargetHealth(
    async () => ({ ms: 5, status: 500 }),
    () => {},
  );
  await health.learn({ path: '/' });
  expect(health.isKnown).toBe(false);
});
