import type { Baseline } from '../baseline';
import type { Via } from '../transport/transport';

/** Runs work that counts only if the session of the account is proved afterwards. Without an account, it just runs. */
export async function proved<T>(via: Via, work: (via: Via) => Promise<T>): Promise<T> {
  return via.session === undefined ? work(via) : via.session.proved((session) => work({ ...via, session }));
}

/** The same with a single attempt. Null if it does not count. */
export async function attempted<T>(via: Via, work: (via: Via) => Promise<T>): Promise<{ readonly value: T } | null> {
  return via.session === undefined
    ? { value: await work(via) }
    : via.session.attempt((session) => work({ ...via, session }));
}

/** Tries again if the session had ended in the first attempt. */
export const inTwoAttempts = async <T>(
  attempt: () => Promise<{ readonly value: T } | null>,
): Promise<{ readonly value: T } | null> => (await attempt()) ?? (await attempt());

/** Plain JSON without the secrets of the session. */
export const redacted = <T>({ session }: Via, value: T): T =>
  session === undefined ? value : session.secrets.redactAll(value);

/** A finding that an account has seen is tested with that account, and in no other lane. */
export const ofAccount = <T extends { readonly baseline: Baseline | null }>(
  { session }: Via,
  findings: readonly T[] = [],
): T[] => findings.filter(({ baseline }) => baseline === null || accountOf(baseline) === session?.account);

/** The account that saw the weakness; undefined without a session. */
const accountOf = (baseline: Baseline | null): string | undefined =>
  baseline?.on === 'web' ? baseline.account : undefined;

/** Why a verification as this visitor proves nothing about a finding, or null. */
export const otherAccountReason = (baseline: Baseline | null, { session }: Via): string | null =>
  baseline === null || accountOf(baseline) === session?.account
    ? null
    : accountOf(baseline) === undefined
      ? 'the weakness was seen without an account, and must be tested without one'
      : 'the weakness was seen in the session of an account, and must be tested in one of that account';
