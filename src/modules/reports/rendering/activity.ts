import type { ReportSnapshot } from '../domain/report-snapshot';
import { formatShortDay, grouped, joinWithAnd } from './text-format';

type Intervals = ReportSnapshot['timeline'];

/** A chart, or a sentence where a chart would be a single bar. Null if nothing happened. */
export type Activity = { readonly intervals: Intervals } | { readonly sentence: string };

export function activityOf({ timeline }: Pick<ReportSnapshot, 'timeline'>): Activity | null {
  const active = timeline.filter(({ found, resolved }) => found + resolved > 0);
  const [only, second] = active;
  if (only === undefined) return null;
  // The empty time before the first finding says nothing.
  if (second !== undefined) return { intervals: timeline.slice(Math.max(0, timeline.indexOf(only) - 1)) };
  const { found, resolved, from } = only;
  const counts = [
    ...(found > 0 ? [`${grouped(found)} found`] : []),
    ...(resolved > 0 ? [`${grouped(resolved)} resolved`] : []),
  ];
  const next = timeline[timeline.indexOf(only) + 1];
  const isDay = next === undefined || Date.parse(next.from) - Date.parse(from) <= 86_400_000;
  return {
    sentence: `${isDay ? 'On' : 'In the time from'} ${formatShortDay(from)}: ${joinWithAnd(counts)}. Nothing changed at other times.`,
  };
}
