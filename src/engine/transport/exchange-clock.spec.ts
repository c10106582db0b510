import { ExchangeClock } from './exchange-clock';

describe('the clock of an exchange', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('stands still while the exchange waits for its turn, perhaps several times at once', async () => {
    const clock = new ExchangeClock(50, () => new Error('too late'));
    const releases: (() => void)[] = [];
    const wait = (): Promise<void> => clock.whileWaiting(() => new Promise((release) => void releases.push(release)));
    jest.advanceTimersByTime(30);
    const waits = [wait(), wait()];
    jest.advanceTimersByTime(1_000);
    releases[0]?.();
    await waits[0];
    jest.advanceTimersByTime(1_000);
    releases[1]?.();
    await waits[1];
    jest.advanceTimersByTime(19);
    expect(clock.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(clock.signal.reason).toEqual(new Error('too late'));
    expect(clock.waitedMs).toBe(3_000);
  });
});
