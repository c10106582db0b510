import { limited } from './limited';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('a limited signal aborts after its time', () => {
  const signal = limited(5_000);
  jest.advanceTimersByTime(4_999);
  expect(signal.aborted).toBe(false);
  jest.advanceTimersByTime(1);
  expect([signal.aborted, (signal.reason as Error).name]).toEqual([true, 'TimeoutError']);
});

it('a limited signal aborts with another one, for its reason, also if that has aborted before', () => {
  const other = new AbortController();
  const signal = limited(Infinity, undefined, other.signal);
  expect([signal.aborted, jest.getTimerCount()]).toEqual([false, 0]);
  other.abort('stopped');
  expect([signal.reason, limited(5_000, other.signal).reason]).toEqual(['stopped', 'stopped']);
});
