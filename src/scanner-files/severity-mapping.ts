import { type Severity, severityFromScore } from '../kernel/severity';

/** The words that tools use for severities, in lower case. docs/imports.md has the table. */
const SEVERITY_OF_WORD: ReadonlyMap<string, Severity> = new Map([
  ['none', 'none'],
  ['info', 'info'],
  ['information', 'info'],
  ['informational', 'info'],
  ['unknown', 'info'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['high', 'high'],
  ['critical', 'critical'],
  ['cosmic', 'cosmic'],
]);

export const severityOfWord = (word: string | null): Severity | null =>
  SEVERITY_OF_WORD.get(word?.trim().toLowerCase() ?? '') ?? null;

/** For tools that use numbers: 0 to 3 (ZAP) or 0 to 4 (Nessus). */
const COUNTED: readonly Severity[] = ['info', 'low', 'medium', 'high', 'critical'];

export const severityOfNumber = (text: string | null): Severity | null =>
  text !== null && /^[0-4]$/.test(text.trim()) ? (COUNTED[Number(text)] ?? null) : null;

/** The severity of a CVSS score. A result with the score 0 is informational. */
export function severityOfScore(value: unknown): Severity | null {
  const score = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof score !== 'number' || !(score >= 0 && score <= 10)) return null;
  return score < 0.1 ? 'info' : severityFromScore(score);
}

export const unknownSeverity = (word: string | null): string =>
  word === null
    ? 'It has no severity.'
    : `The severity ${JSON.stringify(word.slice(0, 40))} is not known. Known are none, info, low, medium, high, critical and cosmic.`;
