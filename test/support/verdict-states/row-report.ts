import type { JudgedRow } from './rows';

const MOST_CHARACTERS = 260;

const line = ({ kind, check, state, truth, result, confirmations, reason }: JudgedRow): string =>
  `  ${kind} of ${check} | ${state} | ${truth} | ${result}${confirmations > 0 ? `, confirmed ${confirmations} times` : ''} | ${reason.slice(0, MOST_CHARACTERS)}`;

const section = (title: string, rows: readonly JudgedRow[]): string[] =>
  rows.length === 0 ? [] : [`${title} (${rows.length}):`, ...rows.map(line)];

export const repairs = (rows: readonly JudgedRow[]): readonly JudgedRow[] =>
  rows.filter(({ isFix, kind }) => isFix && kind === 'retest');

const counts = (rows: readonly JudgedRow[]): string => {
  const found = new Map<string, number>();
  for (const { kind, truth, result } of rows) {
    const key = `${kind}, ${truth}: ${result}`;
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  return [...found]
    .sort()
    .map(([key, count]) => `  ${key} ${count}`)
    .join('\n');
};

/** What a person reads of a run. */
export function reportOf(rows: readonly JudgedRow[]): string {
  const of = (judgement: JudgedRow['judgement']): JudgedRow[] => rows.filter((row) => row.judgement === judgement);
  const limits = rows.filter(({ truth, result }) => truth === 'known limit' && result === 'fixed');
  return [
    `${rows.length} rows:`,
    counts(rows),
    ...section('Fixed or green while the weakness is there', of('false fixed')),
    ...section('Reported although it is not there', of('false alarm')),
    ...section('Repaired and not recognized', of('not recognized')),
    ...section('Weak, and inconclusive', of('not seen')),
    ...section('Refused alone, and not blocked', of('not blocked')),
    ...section('Fixed by a known limit', limits),
  ].join('\n');
}
