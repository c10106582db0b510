import { TestClock } from './test-clock';

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

it('counts the time of a test without that in which it waits', async () => {
  const clock = new TestClock();
  await pass(1_000);
  const waiting = clock.whileWaiting(() => new Promise((resolve) => void setTimeout(resolve, 60_000)));
  await pass(60_000);
  expect(clock.ms).toBe(1_000);
  await waiting;
  await pass(500);
  expect(clock.ms).toBe(1_500);
});

it('delays its timers while a test waits, and those that begin meanwhile', async () => {
  const clock = new TestClock();
  const acted: string[] = [];
  clock.after(2_000, () => acted.push('first'));
  const cancel = clock.after(2_000, () => acted.push('canceled'));
  await pass(1_000);
  const waiting = clock.whileWaiting(() => new Promise((resolve) => void setTimeout(resolve, 60_000)));
  clock.after(1_500, () => acted.push('second'));
  cancel();
  await pass(60_000);
  await waiting;
  expect(acted).toEqual([]);
  await pass(1_000);
  expect(acted).toEqual(['first']);
  await pass(500);
  expect(acted).toEqual(['first', 'second']);
});

it('goes on after a wait that has failed', async () => {
  const clock = new TestClock();
  const acted = jest.fn();
  clock.after(1_000, acted);
  await expect(clock.whileWaiting(() => Promise.reject(new Error('stopped')))).rejects.toThrow('stopped');
  await pass(1_000);
  expect(acted).toHaveBeenCalledTimes(1);
});
