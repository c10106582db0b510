import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a beacon reports with: shown once, recognisable when it leaks, and known to us by its hash alone. */
export const newBeaconToken = (): string => `ab_${randomBytes(32).toString('base64url')}`;

/** A plain hash will do: there is nothing to guess at in 256 random bits, and nothing to slow down. */
export const hashBeaconToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const isBeaconToken = (token: string, hash: Uint8Array): boolean =>
  hash.length === 32 && timingSafeEqual(hashBeaconToken(token), hash);
