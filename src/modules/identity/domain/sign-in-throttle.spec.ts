import { Clock } from '../../../kernel/clock';
import { SignInThrottle } from './sign-in-throttle';

class ManualClock extends Clock {
  time = Date.UTC(2026, 0, 1);
  override now(): Date {
    return new Date(this.time);
  }
}

const guess = (throttle: SignInThrottle, times: number, account: string, address: string): (number | undefined)[] =>
  Array.from({ length: times }, () => throttle.waitBefore({ foldedEmail: account, ip: address }));

describe('SignInThrottle', () => {
  it('limits guesses from one address, and accepts the owner at another address', () => {
    const throttle = new SignInThrottle(new ManualClock());
    expect(guess(throttle, 10, 'a@example.com', '192.0.2.1')).toEqual(Array(10).fill(undefined));
    expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '192.0.2.1' })).toBeGreaterThan(0);
    expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '192.0.2.2' })).toBeUndefined();
  });

  it('accepts another attempt after the time that it states', () => {
    const clock = new ManualClock();
    const throttle = new SignInThrottle(clock);
    guess(throttle, 10, 'a@example.com', '192.0.2.1');
    const wait = throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '192.0.2.1' }) ?? 0;
    clock.time += wait * 1_000;
    expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '192.0.2.1' })).toBeUndefined();
  });

  it('uses up no attempts when the clock is set back', () => {
    const clock = new ManualClock();
    const throttle = new SignInThrottle(clock);
    guess(throttle, 1, 'a@example.com', '192.0.2.1');
    clock.time -= 3_600_000;
    expect(guess(throttle, 9, 'a@example.com', '192.0.2.1')).toEqual(Array(9).fill(undefined));
    expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '192.0.2.1' })).toBe(120);
  });

  it('limits one address that tries many accounts', () => {
    const throttle = new SignInThrottle(new ManualClock());
    for (let account = 0; account < 100; account++)
      expect(throttle.waitBefore({ foldedEmail: `${account}@example.com`, ip: '192.0.2.1' })).toBeUndefined();
    expect(throttle.waitBefore({ foldedEmail: 'new@example.com', ip: '192.0.2.1' })).toBeGreaterThan(0);
    expect(throttle.waitBefore({ foldedEmail: 'new@example.com', ip: '192.0.2.2' })).toBeUndefined();
  });

  it('limits many addresses that try one account', () => {
    const throttle = new SignInThrottle(new ManualClock());
    for (let address = 0; address < 100; address++)
      expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: `192.0.2.${address}` })).toBeUndefined();
    expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '198.51.100.1' })).toBeGreaterThan(0);
  });

  it('does not count refused attempts, so that one address does not use up the attempts of others at an account', () => {
    const throttle = new SignInThrottle(new ManualClock());
    guess(throttle, 200, 'a@example.com', '192.0.2.1');
    expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '192.0.2.2' })).toBeUndefined();
  });

  it('forgets no counted attempts, however many accounts one address tries', () => {
    const throttle = new SignInThrottle(new ManualClock());
    guess(throttle, 10, 'a@example.com', '192.0.2.1');
    for (let account = 0; account < 30_000; account++) guess(throttle, 1, `${account}@example.com`, '192.0.2.2');
    expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '192.0.2.1' })).toBeGreaterThan(0);
  });

  it('does not count an attempt with the right password', () => {
    const throttle = new SignInThrottle(new ManualClock());
    for (let time = 0; time < 50; time++) {
      expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '192.0.2.1' })).toBeUndefined();
      throttle.succeeded({ foldedEmail: 'a@example.com', ip: '192.0.2.1' });
    }
  });

  it('counts all addresses of an IPv6 network as one', () => {
    const throttle = new SignInThrottle(new ManualClock());
    for (let host = 1; host <= 10; host++)
      expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: `2001:db8:1:2::${host}` })).toBeUndefined();
    expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '2001:db8:1:2:ffff::1' })).toBeGreaterThan(0);
    expect(throttle.waitBefore({ foldedEmail: 'a@example.com', ip: '2001:db8:1:3::1' })).toBeUndefined();
  });

  describe('of a browser that has signed in before', () => {
    const known = { foldedEmail: 'a@example.com', ip: '192.0.2.1', knownBrowser: 'x' };

    it('allows ten attempts, however many strangers have used up', () => {
      const throttle = new SignInThrottle(new ManualClock());
      for (let address = 0; address < 101; address++) guess(throttle, 1, 'a@example.com', `198.51.100.${address}`);
      guess(throttle, 11, 'a@example.com', '192.0.2.1');
      expect(throttle.waitBefore({ ...known, knownBrowser: undefined })).toBeGreaterThan(0);
      for (let time = 0; time < 10; time++) expect(throttle.waitBefore(known)).toBeUndefined();
      expect(throttle.waitBefore(known)).toBeGreaterThan(0);
    });

    it('takes no attempt from others, and gives none back to them', () => {
      const throttle = new SignInThrottle(new ManualClock());
      for (let time = 0; time < 10; time++) throttle.waitBefore(known);
      expect(guess(throttle, 10, 'a@example.com', '192.0.2.1')).toEqual(Array(10).fill(undefined));
      throttle.succeeded(known);
      expect(throttle.waitBefore({ ...known, knownBrowser: undefined })).toBeGreaterThan(0);
      expect(throttle.waitBefore(known)).toBeUndefined();
    });
  });
});
