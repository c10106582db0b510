import { DAY_MS } from '../../kernel/durations';
import type { VNode } from 'preact';
import { OVERVIEW_WEEKS, type Week } from '../../modules/findings';
import { dateFormat } from '../frame/date-format';
import { Time } from '../frame/time';

const WEEK_MS = 7 * DAY_MS;

/** The first day of each week. */
export const startsOf = (weeks: readonly Week[], computed: Date): Date[] =>
  weeks.map((_week, index) => new Date(computed.getTime() - (OVERVIEW_WEEKS - index) * WEEK_MS));

export const dayOf = (date: Date | undefined): string =>
  date === undefined ? '' : dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(date);

interface WeekTableProps {
  readonly starts: readonly Date[];
  readonly columns: readonly {
    readonly label: string;
    readonly values: readonly number[];
    readonly hrefs?: readonly string[];
  }[];
}

export const WeekTable = ({ starts, columns }: WeekTableProps): VNode => (
  <table class="numbers">
    <thead>
      <tr>
        <th scope="col">Week from</th>
        {columns.map(({ label }) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {starts.map((start, index) => (
        <tr key={index}>
          <th scope="row">
            <Time at={start} to="day" />
          </th>
          {columns.map(({ label, values, hrefs }) => (
            <td key={label}>{hrefs ? <a href={hrefs[index]}>{values[index]}</a> : values[index]}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
