import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import type { Week } from '../../modules/findings';
import { labelOf, pluralize } from '../frame/words';
import { Chart, StackedAreas } from './charts';
import { dayOf, startsOf, WeekTable } from './week-table';

const MAX_SEVERITY = SEVERITIES.length - 1;

const openIn = (week: Week | undefined): number =>
  Object.values(week?.open ?? {}).reduce((sum, count) => sum + count, 0);

/** A trend of fewer weeks would be one step. */
const SHORTEST = 4;

function trend(first: number, last: number, weeks: number): string {
  const change = last < first ? `fell from ${first} to ${last}` : `rose from ${first} to ${last}`;
  return `Open findings ${first === last ? `stayed at ${last}` : change} in ${pluralize(weeks, 'week')}`;
}

interface OpenOverTimeProps {
  /** The oldest first. */
  readonly weeks: readonly Week[];
  readonly computed: Date;
}

/** Open findings by severity at the end of each week, from the first week with a finding. */
export function OpenOverTime({ weeks: all, computed }: OpenOverTimeProps): VNode {
  const begin = Math.max(
    0,
    all.findIndex((week) => openIn(week) + week.found > 0),
  );
  const weeks = all.slice(begin);
  const starts = startsOf(all, computed).slice(begin);
  const numbers = Array.from({ length: MAX_SEVERITY + 1 }, (_none, number) => number);
  const severities = numbers.filter((number) => weeks.some(({ open }) => (open[number] ?? 0) > 0));
  const layers = severities.map((number) => ({
    name: SEVERITIES[number] ?? 'none',
    label: labelOf(SEVERITIES[number] ?? 'none'),
    values: weeks.map(({ open }) => open[number] ?? 0),
  }));
  const last = openIn(weeks.at(-1));
  const isShort = weeks.length < SHORTEST;
  return (
    <Chart
      id="open"
      message={
        isShort
          ? `${pluralize(last, 'finding')} ${last === 1 ? 'is' : 'are'} open`
          : trend(openIn(weeks[0]), last, weeks.length - 1)
      }
      table={<WeekTable starts={starts} columns={layers.map(({ label, values }) => ({ label, values }))} />}
    >
      {isShort ? (
        <p class="muted">
          The first finding is from the week of {dayOf(starts[0])}. After {SHORTEST} weeks this shows a trend.
        </p>
      ) : (
        <StackedAreas layers={layers} first={dayOf(starts[0])} last="now" />
      )}
    </Chart>
  );
}
