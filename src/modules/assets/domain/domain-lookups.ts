import type { LookupVerdict } from './domain-proof';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;

/** Minutes to wait after the first, second, ... look-up that did not verify the domain. */
const PAUSES = [1, 2, 5, 10, 30, 60, 120, 240, 480, 960, 1440];

/** Answers without the token, each at least a day after the last, that take a verified domain back. */
const MISSES = 3;

/** What is known of a domain from looking it up. */
export interface LookupState {
  readonly verified: boolean;
  /** Look-ups in vain since it was added, or since it was last verified. */
  readonly failedLookups: number;
  /** Answers without the token that count, since it was last seen. */
  readonly misses: number;
  readonly lastMiss: Date | null;
  readonly next: Date;
}

const later = (now: Date, pause: number): Date => new Date(now.getTime() + pause);

/**
 * Nothing is proved yet, or no longer. Not looked up at once: nobody can have published yet what they have not been
 * told, and resolvers remember for a while that a name is not there.
 */
export const unverified = (now: Date): LookupState => ({
  verified: false,
  failedLookups: 0,
  misses: 0,
  lastMiss: null,
  next: later(now, MINUTE),
});

/**
 * What a look-up makes of it. Somebody who asks for one has just changed something: give it `failedLookups: 0` then, and
 * the pauses begin anew.
 */
export function afterLookup(known: LookupState, verdict: LookupVerdict, now: Date): LookupState {
  if (verdict === 'found') return { ...unverified(now), verified: true, next: later(now, WEEK) };
  if (!known.verified) {
    const pause = PAUSES[Math.min(known.failedLookups, PAUSES.length - 1)] ?? 0;
    return { ...known, failedLookups: known.failedLookups + 1, next: later(now, pause * MINUTE) };
  }
  // No answer is no proof of anything: a name server that is down for a week costs nobody their domain.
  if (verdict === 'unknown') return { ...known, next: later(now, DAY) };
  const due = known.lastMiss === null ? now : later(known.lastMiss, DAY);
  if (now < due) return { ...known, next: due };
  if (known.misses + 1 >= MISSES) return unverified(now);
  return { ...known, misses: known.misses + 1, lastMiss: now, next: later(now, DAY) };
}
