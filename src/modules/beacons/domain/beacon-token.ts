import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalid } from '../../../kernel/domain-error';

/** The credential of a beacon. Its prefix lets scanners detect a leak, and only its hash is stored. */
export const newBeaconToken = (): string => `ab_${randomBytes(32).toString('base64url')}`;

export function requireBeaconToken(text: string): string {
  if (/^ab_[A-Za-z0-9_-]{43}$/.test(text)) return text;
  throw invalid('beacon_token must be ab_ and 32 random bytes in base64url.');
}

/** SHA-256 without a salt: 256 random bits cannot be guessed, so no slow hash is needed. */
export const hashBeaconToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface BeaconTokens {
  readonly tokenHash: Uint8Array;
  /** The token before the last rotation, valid until then. */
  readonly previousTokenHash: Uint8Array | null;
  readonly previousTokenUntil: Date | null;
}

/** Whether a token with this hash is valid now. Both comparisons are made, so that the time does not show which one matched. */
export function isHashOf(beacon: BeaconTokens, hash: Uint8Array, now: Date): boolean {
  const { tokenHash, previousTokenHash, previousTokenUntil } = beacon;
  const isCurrent = timingSafeEqual(hash, tokenHash);
  const isPrevious = timingSafeEqual(hash, previousTokenHash ?? tokenHash);
  return isCurrent || (isPrevious && previousTokenUntil !== null && now < previousTokenUntil);
}

export const isTokenOf = (beacon: BeaconTokens, token: string, now: Date): boolean =>
  isHashOf(beacon, hashBeaconToken(token), now);
