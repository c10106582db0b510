import { randomBytes, timingSafeEqual } from 'node:crypto';
import { HOUR_MS } from '../../../kernel/durations';
import { hashBeaconToken } from './beacon-token';

/** What a token of one use does: an agent gets its credentials, or the beacon is deleted. */
export type OneTimePurpose = 'registration' | 'deletion';

const PREFIXES = { registration: 'ar', deletion: 'ad' } as const satisfies Record<OneTimePurpose, string>;

/** It names the beacon, so that an agent needs nothing else to register. */
export const newOneTimeToken = (purpose: OneTimePurpose, beaconId: number): string =>
  `${PREFIXES[purpose]}_${beaconId}_${randomBytes(32).toString('base64url')}`;

export const oneTimeTokenEnd = (now: Date): Date => new Date(now.getTime() + HOUR_MS);

export const purposeOf = (token: string): OneTimePurpose | undefined =>
  (['registration', 'deletion'] as const).find((purpose) => token.startsWith(`${PREFIXES[purpose]}_`));

const NO_TOKEN = hashBeaconToken('no such token');

type OneTimeTokens = Readonly<
  Record<`${OneTimePurpose}Hash`, Uint8Array | null> & Record<`${OneTimePurpose}Until`, Date | null>
>;

/** What the rows of a beacon have without a token. */
export const endedToken = (purpose: OneTimePurpose) => ({
  [`${purpose}Hash`]: null,
  [`${purpose}Until`]: null,
  [`${purpose}By`]: null,
});

/** Whether it is the token that an admin made last for this purpose, and has not ended. */
export function isOneTimeTokenOf(beacon: OneTimeTokens, purpose: OneTimePurpose, token: string, now: Date): boolean {
  const until = beacon[`${purpose}Until`];
  const isEqual = timingSafeEqual(hashBeaconToken(token), beacon[`${purpose}Hash`] ?? NO_TOKEN);
  return isEqual && until !== null && now < until;
}
