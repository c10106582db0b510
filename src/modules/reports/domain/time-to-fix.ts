import { HOUR_MS } from '../../../kernel/durations';
import { groupBy } from '../../../kernel/group-by';
import { SEVERITIES, type Severity } from '../../../kernel/severity';
import type { ReportSnapshot } from './report-snapshot';

const rounded = (hours: number): number => Math.round(hours * 10) / 10;

function median(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** How long resolved findings were open, from the first sighting to the last resolution. */
export function timeToFix(
  findings: readonly { readonly severity: Severity; readonly created: string; readonly resolved: string | null }[],
): ReportSnapshot['time_to_fix'] {
  const bySeverity = groupBy(findings, ({ severity }) => severity);
  return SEVERITIES.toReversed().flatMap((severity) => {
    const hours = (bySeverity.get(severity) ?? [])
      .flatMap(({ created, resolved }) =>
        resolved === null ? [] : [Math.max(0, Date.parse(resolved) - Date.parse(created)) / HOUR_MS],
      )
      .toSorted((one, other) => one - other);
    if (hours.length === 0) return [];
    const [median_hours, longest_hours] = [median(hours), hours.at(-1) ?? 0].map(rounded) as [number, number];
    return [{ severity, count: hours.length, median_hours, longest_hours }];
  });
}
