import { randomBytes } from 'node:crypto';

/** What the holder of a domain publishes to prove that it is theirs. */
export const newVerificationToken = (): string => randomBytes(16).toString('hex');

const PREFIX = 'assay-verification=';

export const verificationTxtRecord = (token: string): string => `${PREFIX}${token}`;

/** Where the record is looked for. A name of its own is for zones that want nothing more at their top. */
export const challengeNames = (domain: string): readonly string[] => [`_assay-challenge.${domain}`, domain];

/** Why a name gave no records. Only `no_record` is an answer; all others say that there was none. */
export type TxtFailure = 'no_record' | 'server_failure' | 'refused' | 'timeout' | 'unreadable' | 'unreachable';

const FAILURES = new Map<string, TxtFailure>([
  ['ENOTFOUND', 'no_record'],
  ['ENODATA', 'no_record'],
  // A name that is too long to exist has no records.
  ['EBADNAME', 'no_record'],
  ['ESERVFAIL', 'server_failure'],
  ['EREFUSED', 'refused'],
  ['ETIMEOUT', 'timeout'],
  // Nobody but our own deadline cancels a question.
  ['ECANCELLED', 'timeout'],
  ['EBADRESP', 'unreadable'],
  ['EFORMERR', 'unreadable'],
]);

/** What one of the codes of Node's resolver means here. */
export const txtFailureOf = (code: string): TxtFailure => FAILURES.get(code) ?? 'unreachable';

/** What one name answered: its TXT records, each in the strings that the wire cuts it into. */
export interface TxtAnswer {
  readonly name: string;
  readonly records: readonly (readonly string[])[] | TxtFailure;
}

/** `absent` is an answer without the token; `unknown` is no answer, from which nothing follows. */
export type LookupVerdict = 'found' | 'absent' | 'unknown';

export interface LookupResult {
  readonly verdict: LookupVerdict;
  /** For the person who waits for it. It repeats nothing of what others have published. */
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
  // An alias that leads to nothing is an answer too, with no records in it.
  if (records === 'no_record' || records.length === 0) {
    return { verdict: 'absent', reason: `${name} ${REASONS.no_record}.` };
  }
  if (typeof records === 'string') return { verdict: 'unknown', reason: `${name} ${REASONS[records]}.` };
  const texts = records.map((strings) => strings.join('').trim());
  if (texts.includes(verificationTxtRecord(token))) return { verdict: 'found', reason: `${name} has the record.` };
  const other = texts.some((text) => text.startsWith(PREFIX));
  if (other) return { verdict: 'absent', reason: `${name} has an ${PREFIX} record, but with another token.` };
  const number = texts.length === 1 ? '1 TXT record' : `${texts.length} TXT records`;
  return { verdict: 'absent', reason: `${name} has ${number}, but no ${PREFIX} record.` };
}

/** One name with the token is enough; without it, one name that gave no answer leaves everything open. */
export function evaluateTxtAnswers(answers: readonly TxtAnswer[], token: string): LookupResult {
  const judged = answers.map((answer) => evaluateTxtAnswer(answer, token));
  const found = judged.find(({ verdict }) => verdict === 'found');
  if (found) return found;
  const unknown = judged.some(({ verdict }) => verdict === 'unknown');
  return { verdict: unknown ? 'unknown' : 'absent', reason: judged.map(({ reason }) => reason).join(' ') };
}
