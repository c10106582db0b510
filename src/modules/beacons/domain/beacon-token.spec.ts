import { hashBeaconToken, isTokenOf, newBeaconToken } from './beacon-token';

describe('a beacon token', () => {
  const token = newBeaconToken();

  it('has 256 random bits, and no colon, which separates Basic credentials', () => {
    expect(token).toMatch(/^ab_[A-Za-z0-9_-]{43}$/);
    expect(newBeaconToken()).not.toBe(token);
  });

  const now = new Date('2026-01-31T12:00:00Z');
  const beaconWith = (tokenHash: Buffer, previous?: { hash: Buffer; until: Date }) => ({
    tokenHash,
    previousTokenHash: previous?.hash ?? null,
    previousTokenUntil: previous?.until ?? null,
  });

  it('matches only its own hash', () => {
    const beacon = beaconWith(hashBeaconToken(token));
    expect(isTokenOf(beacon, token, now)).toBe(true);
    expect(isTokenOf(beacon, `${token}x`, now)).toBe(false);
    expect(isTokenOf(beacon, '', now)).toBe(false);
  });

  it('is valid after a rotation until the overlap ends', () => {
    const hash = hashBeaconToken(token);
    const rotated = (until: string) => beaconWith(hashBeaconToken('new'), { hash, until: new Date(until) });
    expect(isTokenOf(rotated('2026-01-31T12:00:01Z'), token, now)).toBe(true);
    expect(isTokenOf(rotated('2026-01-31T12:00:00Z'), token, now)).toBe(false);
    expect(isTokenOf(rotated('2026-01-31T12:00:01Z'), 'new', now)).toBe(true);
    expect(isTokenOf(beaconWith(hashBeaconToken('new')), token, now)).toBe(false);
  });
});
