import { RateLimiter } from './rate-limiter';

const signal = (): AbortSignal => new AbortController().signal;

describe('RateLimiter', () => {
  it('starts at most the allowed number of exchanges per second with one address, of all organizations together', async () => {
    const pace = new RateLimiter({ perSecond: 50, concurrency: 10 });
    const before = performance.now();
    await Promise.all(Array.from({ length: 6 }, (_, turn) => pace.acquire('a', signal(), undefined, turn % 2)));
    expect(performance.now() - before).toBeGreaterThan(5 * 20 - 10);
  });

  it('keeps the rate limit between consecutive jobs', async () => {
    const pace = new RateLimiter({ perSecond: 50, concurrency: 1 });
    const before = performance.now();
    for (let turn = 0; turn < 4; turn += 1) (await pace.acquire('a', signal()))();
    expect(performance.now() - before).toBeGreaterThan(3 * 20 - 10);
  });

  it('admits no more than the allowed number at once, passes a freed slot on, and keeps addresses independent', async () => {
    const pace = new RateLimiter({ perSecond: 100_000, concurrency: 1 });
    const leave = await pace.acquire('a', signal());
    await pace.acquire('b', signal());
    const order: string[] = [];
    const waiting = pace.acquire('a', signal()).then((next) => {
      order.push('second');
      next();
    });
    order.push('first');
    leave();
    await waiting;
    expect(order).toEqual(['first', 'second']);
  });

  it('gives an organization that comes last the next turn, however many of another one wait', async () => {
    const pace = new RateLimiter({ perSecond: 100_000, concurrency: 1 });
    const leave = await pace.acquire('a', signal(), undefined, 1);
    const turns: number[] = [];
    const waiting = [...Array.from({ length: 20 }, () => 1), 2].map(async (organization) => {
      const next = await pace.acquire('a', signal(), undefined, organization);
      turns.push(organization);
      next();
    });
    leave();
    await Promise.all(waiting);
    expect(turns.indexOf(2)).toBe(0);
    expect(turns).toHaveLength(21);
  });

  describe('with a slot that was lent', () => {
    const start = async () => {
      const pace = new RateLimiter({ perSecond: 100_000, concurrency: 1 });
      const order: string[] = [];
      const leave = await pace.acquire('a', signal(), undefined, 1);
      const visit = (name: string, organization: number, address = 'a') =>
        pace.acquire(address, signal(), undefined, organization).then((next) => {
          order.push(name);
          return next;
        });
      return { leave, visit, order };
    };

    it('admits other organizations meanwhile, and its own again after the end', async () => {
      const { leave, visit, order } = await start();
      const own = visit('own', 1);
      const others = [visit('waited', 2), visit('waited too', 3)];
      leave('lend');
      const leaveWaited = await others[0];
      await new Promise(setImmediate);
      expect(order).toEqual(['waited']);
      leaveWaited?.();
      (await others[1])?.();
      (await visit('came', 2))();
      expect(order).toEqual(['waited', 'waited too', 'came']);
      leave();
      (await own)();
      expect(order.at(-1)).toBe('own');
    });

    it('admits its own organization after another one if that still has a slot', async () => {
      const { leave, visit, order } = await start();
      leave('lend');
      const leaveOther = await visit('other', 2);
      const own = visit('own', 1);
      leave();
      await new Promise(setImmediate);
      expect(order).toEqual(['other']);
      leaveOther();
      (await own)();
    });

    it('lends eight slots at most, so that a host gets no more connections', async () => {
      const { leave, visit, order } = await start();
      const leaves = [leave];
      leave('lend');
      for (let organization = 2; organization < 10; organization += 1) {
        const next = await visit(`${organization}`, organization);
        next('lend');
        leaves.push(next);
      }
      const tenth = visit('10', 10);
      await new Promise(setImmediate);
      expect(order.at(-1)).toBe('9');
      leaves.forEach((next) => next());
      (await tenth)();
    });
  });

  it('releases the slot of a caller that was aborted while waiting', async () => {
    const pace = new RateLimiter({ perSecond: 100_000, concurrency: 1 });
    const leave = await pace.acquire('a', signal());
    const stop = new AbortController();
    const waiting = pace.acquire('a', stop.signal);
    stop.abort(new Error('canceled'));
    await expect(waiting).rejects.toThrow('canceled');
    leave();
    (await pace.acquire('a', signal()))();
  });

  it('makes a request of an exchange that runs wait for its turn, but for no slot', async () => {
    const pace = new RateLimiter({ perSecond: 50, concurrency: 1 });
    const leave = await pace.acquire('a', signal());
    const before = performance.now();
    for (let turn = 0; turn < 4; turn += 1) await pace.waitForTurn('a', signal());
    expect(performance.now() - before).toBeGreaterThan(4 * 20 - 10);
    leave();
  });

  it('lets requests of running exchanges continue while another exchange waits for one of another process', async () => {
    const held = { reserve: async () => ({ waitMs: 0, slots: 1 }), leave: async () => undefined };
    const pace = new RateLimiter({ perSecond: 1_000, concurrency: 8 }, held);
    const leave = await pace.acquire('a', signal());
    const stop = new AbortController();
    const waiting = pace.acquire('a', stop.signal);
    await pace.waitForTurn('a', signal());
    stop.abort(new Error('canceled'));
    await expect(waiting).rejects.toThrow('aborted');
    leave();
  });

  it('starts exchanges that follow each other in the time that was reserved for the first, and then frees the host', async () => {
    jest.useFakeTimers();
    try {
      const reserve = jest.fn(async () => ({ waitMs: 0, slots: 2 }));
      const release = jest.fn(async () => undefined);
      const pace = new RateLimiter({ perSecond: 50, concurrency: 2 }, { reserve, leave: release });
      for (let exchange = 0; exchange < 10; exchange += 1) {
        const leave = pace.acquire('a', signal());
        await jest.advanceTimersByTimeAsync(20);
        (await leave)();
        await jest.advanceTimersByTimeAsync(2);
      }
      expect(reserve).toHaveBeenCalledTimes(1);
      expect(release).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(50);
      expect(release).toHaveBeenCalledTimes(1);
    } finally {
      jest.useRealTimers();
    }
  });

  it('says every few seconds that its exchanges with a host run, until none does', async () => {
    jest.useFakeTimers();
    try {
      const reserve = jest.fn(async () => ({ waitMs: 0, slots: 2 }));
      const pace = new RateLimiter({ perSecond: 1_000, concurrency: 2 }, { reserve, leave: async () => undefined });
      const leaves = [await pace.acquire('a', signal()), await pace.acquire('a', signal())];
      reserve.mockClear();
      await jest.advanceTimersByTimeAsync(10_000);
      expect(reserve.mock.calls).toHaveLength(4);
      expect(reserve).toHaveBeenLastCalledWith('a', { ms: 0, running: 2, wanted: 2, most: 2 });
      leaves[0]?.('lend');
      await jest.advanceTimersByTimeAsync(10_000);
      expect(reserve).toHaveBeenCalledTimes(8);
      expect(reserve).toHaveBeenLastCalledWith('a', { ms: 0, running: 1, wanted: 1, most: 2 });
      leaves.forEach((leave) => leave());
      await jest.advanceTimersByTimeAsync(10_000);
      expect(reserve).toHaveBeenCalledTimes(8);
    } finally {
      jest.useRealTimers();
    }
  });

  it('admits a caller with limits of its own by those, in the queue of the address', async () => {
    const pace = new RateLimiter({ perSecond: 100_000, concurrency: 1 });
    const many = { perSecond: 100_000, concurrency: 2 };
    const leave = await pace.acquire('a', signal(), many);
    const leaveSecond = await pace.acquire('a', signal(), many);
    let isAdmitted = false;
    const third = pace.acquire('a', signal(), many).then((next) => {
      isAdmitted = true;
      next();
    });
    await new Promise(setImmediate);
    expect(isAdmitted).toBe(false);
    leave();
    await third;
    leaveSecond();
  });
});
