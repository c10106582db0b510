import { randomBytes } from 'node:crypto';

/** The token that the owner of a domain publishes to verify it. */
export const newVerificationToken = (): string => randomBytes(16).toString('hex');

const PREFIX = 'assay-verification=';

export const verificationTxtRecord = (token: string): string => `${PREFIX}${token}`;

/** The names at which the record may be. The first is for zones that avoid more records at their apex. */
export const challengeNames = (domain: string): readonly string[] => [`_assay-challenge.${domain}`, domain];

/** Why a query returned no records. Only `no_record` is an answer of a name server; the others are failed queries. */
export type TxtFailure = 'no_record' | 'server_failure' | 'refused' | 'timeout' | 'unreadable' | 'unreachable';

const FAILURES = new Map<string, TxtFailure>([
  ['ENOTFOUND', 'no_record'],
  ['ENODATA', 'no_record'],
  // A name that is too long to exist has no records.
  ['EBADNAME', 'no_record'],
  ['ESERVFAIL', 'server_failure'],
  ['EREFUSED', 'refused'],
  ['ETIMEOUT', 'timeout'],
  // Only our own deadline cancels queries.
  ['ECANCELLED', 'timeout'],
  ['EBADRESP', 'unreadable'],
  ['EFORMERR', 'unreadable'],
]);

/** Translates an error code of Node's resolver. */
export const txtFailureOf = (code: string): TxtFailure => FAILURES.get(code) ?? 'unreachable';

/** The TXT records of a name, each as the list of strings that DNS splits it into, or why there are none. */
export interface TxtAnswer {
  readonly name: string;
  readonly records: readonly (readonly string[])[] | TxtFailure;
}

/** `absent` is an answer without the token. `unknown` is a failed query, which changes nothing. */
export type LookupVerdict = 'found' | 'absent' | 'unknown';

export interface LookupResult {
  readonly verdict: LookupVerdict;
  /** A sentence for people. It never quotes records of other organizations. */
  readonly reason: string;
}

const REASONS: Readonly<Record<TxtFailure, string>> = {
  no_record: 'has no TXT record',
  server_failure: 'could not be looked up: its name servers report a failure',
  refused: 'could not be looked up: its name servers refuse to answer',
  timeout: 'could not be looked up in time',
  unreadable: 'could not be looked up: the answer is not readable',
  unreachable: 'could not be looked up: no name server was reached',
};

export function evaluateTxtAnswer({ name, records }: TxtAnswer, token: string): LookupResult {
  // An alias without a target is an answer without records.
  if (records === 'no_record' || records.length === 0) {
    return { verdict: 'absent', reason: `${name} ${REASONS.no_record}.` };
  }
  if (typeof records === 'string') return { verdict: 'unknown', reason: `${name} ${REASONS[records]}.` };
  const texts = records.map((strings) => strings.join('').trim());
  if (texts.includes(verificationTxtRecord(token))) return { verdict: 'found', reason: `${name} has the record.` };
  const other = texts.some((text) => text.startsWith(PREFIX));
  if (other) return { verdict: 'absent', reason: `${name} has an ${PREFIX} record, but with another token.` };
  const count = texts.length === 1 ? '1 TXT record' : `${texts.length} TXT records`;
  return { verdict: 'absent', reason: `${name} has ${count}, but no ${PREFIX} record.` };
}

/** One name with the token is enough. Otherwise one failed query makes the result unknown. */
export function evaluateTxtAnswers(answers: readonly TxtAnswer[], token: string): LookupResult {
  const results = answers.map((answer) => evaluateTxtAnswer(answer, token));
  const found = results.find(({ verdict }) => verdict === 'found');
  if (found) return found;
  const unknown = results.some(({ verdict }) => verdict === 'unknown');
  return { verdict: unknown ? 'unknown' : 'absent', reason: results.map(({ reason }) => reason).join(' ') };
}
