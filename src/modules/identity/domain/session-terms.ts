const HOUR = 3_600_000;

/** A session ends when it was not used for this time. */
const IDLE_MS = 12 * HOUR;

/** A session ends this long after the sign-in, however much it is used. */
export const LIFETIME_MS = 7 * 24 * HOUR;

/** How long the last answer of a provider about its user counts in a session. */
const CONFIRMED_MS = HOUR;

interface SessionTimes {
  readonly created: Date;
  readonly lastUsed: Date;
}

export const hasExpired = ({ created, lastUsed }: SessionTimes, now: Date): boolean =>
  now.getTime() - created.getTime() >= LIFETIME_MS || now.getTime() - lastUsed.getTime() >= IDLE_MS;

/** Sessions that began or were used before have expired. */
export const expiredBefore = (now: Date): SessionTimes => ({
  created: new Date(now.getTime() - LIFETIME_MS),
  lastUsed: new Date(now.getTime() - IDLE_MS),
});

export const confirmedSince = (now: Date): Date => new Date(now.getTime() - CONFIRMED_MS);
