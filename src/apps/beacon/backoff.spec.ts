import { Backoff } from './backoff';

const pauses = (random: number, isRefusal: boolean): number[] => {
  const backoff = new Backoff(() => random);
  return Array.from({ length: 8 }, () => backoff.next(isRefusal));
};

describe('the pauses between attempts', () => {
  it('begin with half a second to a second, and never exceed ten seconds while the network is down', () => {
    expect(pauses(0, false)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]);
    expect(pauses(1, false)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000]);
  });

  it('grow to a minute when a setting must be changed first', () => {
    expect(pauses(0, true)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
    expect(pauses(1, true)).toEqual([4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
  });

  it('are as long as the service asks for, up to the longest', () => {
    const backoff = new Backoff(() => 0);
    expect([backoff.next(true, 20), backoff.next(true, 86_400)]).toEqual([20_000, 60_000]);
    // A process of the service that starts must not keep the beacon offline for a minute.
    expect(backoff.next(false, 60)).toBe(10_000);
  });

  it('begin again after a good connection', () => {
    const backoff = new Backoff(() => 0);
    for (let at = 0; at < 5; at += 1) backoff.next(true);
    backoff.reset();
    expect(backoff.next(false)).toBe(500);
  });
});
