import type { SignedStatement } from '../../engine';

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** What a target says must not be able to write on somebody's terminal. */
const printable = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? 'unknown')).replace(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}');

/** What the signature vouches for, line by line: whoever checks a document reads it here and not around the signature. */
export function statementText({ subject, check, target, verdict, signed }: SignedStatement, key: string): string {
  const lines = {
    Retest: printable(fieldOf(subject, 'retest')),
    Finding: printable(fieldOf(subject, 'finding')),
    Check: `${printable(fieldOf(check, 'id'))} (${printable(fieldOf(check, 'title'))})`,
    Target: printable(target),
    Verdict: `${printable(fieldOf(verdict, 'result'))}: ${printable(fieldOf(verdict, 'reason'))}`,
    Signed: `${printable(signed)}, with the key ${key}`,
  };
  return Object.entries(lines)
    .map(([name, text]) => `${`${name}:`.padEnd(10)}${text}\n`)
    .join('');
}
