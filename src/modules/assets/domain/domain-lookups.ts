import { DAY_MS, MINUTE_MS } from '../../../kernel/durations';
import type { LookupVerdict } from './domain-proof';

const WEEK = 7 * DAY_MS;

/** Minutes to wait after the first, second, ... lookup without success. */
const PAUSES = [1, 2, 5, 10, 30, 60, 120, 240, 480, 960, 1440];

/** A domain loses its verification after this many answers without the token, at least a day apart. */
const MAX_MISSES = 3;

/** The verification state of a domain. */
export interface LookupState {
  readonly verified: boolean;
  /** Lookups without success since the domain was added or lost its verification. */
  readonly failedLookups: number;
  /** Counted answers without the token since the token was last found. */
  readonly misses: number;
  readonly lastMiss: Date | null;
  readonly next: Date;
}

const later = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds);

/**
 * The state of a new domain, and of one that lost its verification. The first lookup waits, because the owner must
 * publish the token first, and resolvers cache that a name does not exist.
 */
export const unverified = (now: Date): LookupState => ({
  verified: false,
  failedLookups: 0,
  misses: 0,
  lastMiss: null,
  next: later(now, MINUTE_MS),
});

/**
 * The state after a lookup. If a person requested it, set `failedLookups` to 0, so that the pauses start again with the
 * shortest.
 */
export function afterLookup(state: LookupState, verdict: LookupVerdict, now: Date): LookupState {
  if (verdict === 'found') return { ...unverified(now), verified: true, next: later(now, WEEK) };
  if (!state.verified) {
    const pause = PAUSES[Math.min(state.failedLookups, PAUSES.length - 1)] ?? 0;
    return { ...state, failedLookups: state.failedLookups + 1, next: later(now, pause * MINUTE_MS) };
  }
  // A failed query proves nothing, so a domain stays verified while its name servers are down.
  if (verdict === 'unknown') return { ...state, next: later(now, DAY_MS) };
  const nextCounted = state.lastMiss === null ? now : later(state.lastMiss, DAY_MS);
  if (now < nextCounted) return { ...state, next: nextCounted };
  if (state.misses + 1 >= MAX_MISSES) return unverified(now);
  return { ...state, misses: state.misses + 1, lastMiss: now, next: later(now, DAY_MS) };
}
