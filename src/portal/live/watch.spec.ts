import { type Reading, Watch } from './watch';

const events = { stopped: () => undefined, failed: (error: unknown) => expect(error).toBeUndefined() };

/** A feed whose entries the test writes. */
class Entries {
  position = 0;
  private waiting: { readonly after: number; readonly wake: () => void }[] = [];

  newest(): Promise<number> {
    return Promise.resolve(this.position);
  }

  next(after: number, signal: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      signal.addEventListener('abort', () => wake());
      this.waiting.push({ after, wake });
      this.wakeReaders();
    });
  }

  add(): void {
    this.position++;
    this.wakeReaders();
  }

  private wakeReaders(): void {
    for (const { after, wake } of this.waiting) if (after < this.position) wake();
  }
}

interface Followed {
  readonly shown: number[];
  readonly ended: Promise<void>;
  leave(): void;
}

function follow(read: () => Reading<number>, feed: Entries): Followed {
  const shown: number[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const watch = new Watch<number>(() => Promise.resolve(read()), feed, events);
  const leave = watch.join({ show: (state) => void shown.push(state), end, fail: end });
  return { shown, ended, leave };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('reads what waits for a worker again only when the feed has an entry', async () => {
  const feed = new Entries();
  let reads = 0;
  const { shown, ended } = follow(() => ({ state: ++reads, isOver: reads === 3, isMoving: false }), feed);
  await jest.advanceTimersByTimeAsync(20_000);
  expect(shown).toEqual([1]);
  feed.add();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(shown).toEqual([1, 2]);
  feed.add();
  await jest.advanceTimersByTimeAsync(1_000);
  await ended;
  expect(shown).toEqual([1, 2, 3]);
});

it('reads what a worker makes progress with every second, and nothing after the last one has left', async () => {
  let reads = 0;
  const { shown, leave } = follow(() => ({ state: ++reads, isOver: false, isMoving: true }), new Entries());
  await jest.advanceTimersByTimeAsync(2_500);
  expect(shown).toEqual([1, 2, 3]);
  leave();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(reads).toBe(3);
});

it('shows a state once, however often it is read', async () => {
  let reads = 0;
  const { shown, leave } = follow(() => ({ state: (++reads, 7), isOver: false, isMoving: true }), new Entries());
  await jest.advanceTimersByTimeAsync(2_500);
  leave();
  expect([reads, shown]).toEqual([3, [7]]);
});

it('misses no entry that is written while it reads', async () => {
  const feed = new Entries();
  let reads = 0;
  const { shown } = follow(() => {
    if (++reads === 1) feed.add();
    return { state: reads, isOver: false, isMoving: false };
  }, feed);
  await jest.advanceTimersByTimeAsync(3_000);
  expect(shown).toEqual([1, 2]);
});
