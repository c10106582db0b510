import { hashBeaconToken, isBeaconToken, newBeaconToken } from './beacon-token';

describe('a beacon token', () => {
  const token = newBeaconToken();

  it('has 256 random bits, and no colon, which separates Basic credentials', () => {
    expect(token).toMatch(/^ab_[A-Za-z0-9_-]{43}$/);
    expect(newBeaconToken()).not.toBe(token);
  });

  it('matches only its own hash', () => {
    expect(isBeaconToken(token, hashBeaconToken(token))).toBe(true);
    expect(isBeaconToken(`${token}x`, hashBeaconToken(token))).toBe(false);
    expect(isBeaconToken('', hashBeaconToken(token))).toBe(false);
    expect(isBeaconToken(token, Buffer.from(token))).toBe(false);
  });
});
