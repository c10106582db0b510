import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { OVERVIEW_WEEKS, type Week } from '../../modules/findings';
import { labelOf } from '../frame/words';
import { Chart, StackedAreas } from './charts';
import { dayOf, startsOf, WeekTable } from './week-table';

const MAX_SEVERITY = SEVERITIES.length - 1;

const openIn = (week: Week | undefined): number =>
  Object.values(week?.open ?? {}).reduce((sum, count) => sum + count, 0);

function trend(first: number, last: number): string {
  const change = last < first ? `fell from ${first} to ${last}` : `rose from ${first} to ${last}`;
  return `Open findings ${first === last ? `stayed at ${last}` : change} in ${OVERVIEW_WEEKS - 1} weeks`;
}

interface OpenOverTimeProps {
  /** The oldest first. */
  readonly weeks: readonly Week[];
  readonly computed: Date;
}

/** Open findings by severity at the end of each week. */
export function OpenOverTime({ weeks, computed }: OpenOverTimeProps): VNode {
  const starts = startsOf(weeks, computed);
  const numbers = Array.from({ length: MAX_SEVERITY + 1 }, (_none, number) => number);
  const severities = numbers.filter((number) => weeks.some(({ open }) => (open[number] ?? 0) > 0));
  const layers = severities.map((number) => ({
    name: SEVERITIES[number] ?? 'none',
    label: labelOf(SEVERITIES[number] ?? 'none'),
    values: weeks.map(({ open }) => open[number] ?? 0),
  }));
  return (
    <Chart
      id="open"
      message={trend(openIn(weeks[0]), openIn(weeks.at(-1)))}
      table={<WeekTable starts={starts} columns={layers.map(({ label, values }) => ({ label, values }))} />}
    >
      <StackedAreas layers={layers} first={dayOf(starts[0])} last="now" />
    </Chart>
  );
}
