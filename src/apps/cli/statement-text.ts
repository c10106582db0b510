import type { SignedStatement } from '../../engine';
import { printable } from './text-output';

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const beaconText = (beacon: unknown): string =>
  `${printable(fieldOf(beacon, 'name'))} (${printable(fieldOf(beacon, 'id'))}), version ${printable(fieldOf(beacon, 'agent_version'))} of its agent`;

/** The signed statement, line by line. Only these fields are covered by the signature. */
export function statementText(
  { subject, check, target, beacon, verdict, signed }: SignedStatement,
  key: string,
): string {
  const lines = {
    Retest: printable(fieldOf(subject, 'retest')),
    Finding: printable(fieldOf(subject, 'finding')),
    Check: `${printable(fieldOf(check, 'id'))} (${printable(fieldOf(check, 'title'))})`,
    Target: printable(target),
    ...(beacon != null && { Beacon: beaconText(beacon) }),
    Verdict: `${printable(fieldOf(verdict, 'result'))}: ${printable(fieldOf(verdict, 'reason'))}`,
    Signed: `${printable(signed)}, with the key ${key}`,
  };
  return Object.entries(lines)
    .map(([name, text]) => `${`${name}:`.padEnd(10)}${text}\n`)
    .join('');
}
