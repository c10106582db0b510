/** The severities of findings, in ascending order: the index is the number. */
export const SEVERITIES = ['none', 'info', 'low', 'medium', 'high', 'critical', 'cosmic'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const severityVocabulary = SEVERITIES.map((name, number) => ({ number, name }));

export const isSeverity = (text: string): text is Severity => SEVERITIES.some((severity) => severity === text);

/** Of a number, as it is stored. A higher one than all is the highest. */
export const severityOf = (number: number): Severity => SEVERITIES[number] ?? 'cosmic';

export const severityNumber = (severity: Severity): number => SEVERITIES.indexOf(severity);

export const isAtLeast = (severity: Severity, threshold: Severity): boolean =>
  severityNumber(severity) >= severityNumber(threshold);

/** The lowest score of each severity. `info` is not derived from a score. */
const BANDS: readonly (readonly [number, Severity])[] = [
  [10, 'cosmic'],
  [9, 'critical'],
  [7, 'high'],
  [4, 'medium'],
  [0.1, 'low'],
];

export function severityFromScore(score: number): Severity {
  return BANDS.find(([lowest]) => score >= lowest)?.[1] ?? 'none';
}
