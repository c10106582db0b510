import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The credential of a beacon. Its prefix lets scanners detect a leak, and only its hash is stored. */
export const newBeaconToken = (): string => `ab_${randomBytes(32).toString('base64url')}`;

/** SHA-256 without a salt: 256 random bits cannot be guessed, so no slow hash is needed. */
export const hashBeaconToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const isBeaconToken = (token: string, hash: Uint8Array): boolean =>
  hash.length === 32 && timingSafeEqual(hashBeaconToken(token), hash);
