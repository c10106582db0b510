/** A measured value, with its goal if `docs/performance.md` names one. */
export interface Figure {
  readonly measure: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const rounded = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2);

const goalOf = ({ goal, unit }: Figure): string => {
  if (goal === undefined) return '';
  return 'atLeast' in goal ? `at least ${goal.atLeast} ${unit}` : `at most ${goal.atMost} ${unit}`;
};

/** A timeout meets no goal. */
export const missesGoal = ({ goal, value }: Figure): boolean =>
  goal !== undefined && !('atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost);

const isMet = (figure: Figure): string => (figure.goal === undefined ? '' : missesGoal(figure) ? 'no' : 'yes');

/** The values as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = [
    ['Measure', 'What', 'Figure', 'Goal', 'Met'],
    ...figures.map((figure) => [
      figure.measure,
      figure.what,
      Number.isFinite(figure.value) ? `${rounded(figure.value)} ${figure.unit}`.trim() : 'timeout',
      goalOf(figure).trim(),
      isMet(figure),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n');
}
