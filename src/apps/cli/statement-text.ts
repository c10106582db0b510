import type { SignedStatement } from '../../engine';

const partOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** What a target says must not be able to write on somebody's terminal. */
const plain = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? 'unknown')).replace(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}');

/** What the signature vouches for, line by line: whoever checks a document reads it here and not around the signature. */
export function statementText({ subject, check, target, verdict, signed }: SignedStatement, key: string): string {
  const lines = {
    Retest: plain(partOf(subject, 'retest')),
    Finding: plain(partOf(subject, 'finding')),
    Check: `${plain(partOf(check, 'id'))} (${plain(partOf(check, 'title'))})`,
    Target: plain(target),
    Verdict: `${plain(partOf(verdict, 'result'))}: ${plain(partOf(verdict, 'reason'))}`,
    Signed: `${plain(signed)}, with the key ${key}`,
  };
  return Object.entries(lines)
    .map(([name, text]) => `${`${name}:`.padEnd(10)}${text}\n`)
    .join('');
}
