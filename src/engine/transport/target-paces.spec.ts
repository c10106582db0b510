import { DEFAULT_LIMITS, PACE_OF_NETWORK } from './limits';
import { TargetPaces } from './target-paces';

const host = { perSecond: 0.01, concurrency: 2 };
const slow = { organizationId: 1, pace: { host, shared: PACE_OF_NETWORK, requestsPerSecond: 0.01 } };

let paces: TargetPaces;
let ofSlow: AbortController;
let ofOther: AbortController;

beforeEach(() => {
  paces = new TargetPaces({ ...DEFAULT_LIMITS, perSecond: 1_000 });
  [ofSlow, ofOther] = [new AbortController(), new AbortController()];
});

afterEach(() => [ofSlow, ofOther].forEach((stop) => stop.abort()));

it.each([false, true])(
  'keeps a lower pace for its organization, and delays no other one by it (alone: %s)',
  async (alone) => {
    let begun = 0;
    const visits = Array.from({ length: 5 }, async () => {
      const leave = await paces.acquire('a', { ...slow, alone, signal: ofSlow.signal });
      begun += 1;
      leave();
    });
    const ends = Promise.allSettled(visits);
    await visits[0];
    const other = { organizationId: 2, alone, signal: ofOther.signal };
    for (let turn = 0; turn < 10; turn += 1) {
      const leave = await paces.acquire('a', other);
      await paces.waitForRequest('a', other);
      leave();
    }
    expect(begun).toBe(1);
    ofSlow.abort();
    const rejected = Array.from({ length: 4 }, () => 'rejected');
    expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', ...rejected]);
  },
  10_000,
);

it('lets others begin while a request waits for the lower pace of its organization', async () => {
  const leave = await paces.acquire('a', { ...slow, signal: ofSlow.signal });
  const waiting = paces.waitForRequest('a', { ...slow, signal: ofSlow.signal });
  const ended = expect(waiting).rejects.toThrow('aborted');
  (await paces.acquire('a', { organizationId: 2, signal: ofOther.signal }))();
  ofSlow.abort();
  await ended;
  leave();
}, 10_000);

describe('an exchange that takes long', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Whether another organization gets the slot of the address while the exchange continues. */
  async function isLent(alone: boolean, ms: number): Promise<boolean> {
    const one = new TargetPaces({ ...DEFAULT_LIMITS, perSecond: 1_000, concurrency: 1 });
    const leave = await one.acquire('a', { organizationId: 1, alone, signal: ofSlow.signal });
    let isAdmitted = false;
    const other = one.acquire('a', { organizationId: 2, signal: ofOther.signal }).then((next) => {
      isAdmitted = true;
      next();
    });
    await jest.advanceTimersByTimeAsync(ms);
    const wasAdmitted = isAdmitted;
    leave();
    await jest.advanceTimersByTimeAsync(10);
    await other;
    return wasAdmitted;
  }

  it('leaves its slot to other organizations after five seconds', async () => {
    expect(await isLent(false, 4_900)).toBe(false);
    expect(await isLent(false, 5_100)).toBe(true);
  });

  it('keeps its slot if it measures how long an answer takes', async () => {
    expect(await isLent(true, 20_000)).toBe(false);
  });
});
