import { DAY_MS } from '../../../kernel/durations';
import type { ReportSnapshot } from './report-snapshot';

/** Customary lengths of a stretch, in days. */
const STRETCH_DAYS = [1, 7, 28, 91, 364];
const MAX_STRETCHES = 31;

/** The shortest length that does not divide the period into too many stretches. */
function lengthFor(span: number): number {
  const fitting = STRETCH_DAYS.find((days) => span <= days * DAY_MS * MAX_STRETCHES);
  return fitting === undefined ? Math.ceil(span / MAX_STRETCHES) : fitting * DAY_MS;
}

interface Dated {
  readonly created: string;
  readonly resolved: string | null;
}

/** How many findings were found and resolved in each stretch of the period, which ends now if it has not ended. */
export function timelineOf(
  findings: readonly Dated[],
  { from, to, now }: { readonly from: Date; readonly to: Date; readonly now: Date },
): ReportSnapshot['timeline'] {
  const start = from.getTime();
  const end = Math.min(to.getTime(), now.getTime());
  if (end < start) return [];
  const length = lengthFor(end - start);
  const count = Math.max(1, Math.ceil((end - start) / length));
  const stretches = Array.from({ length: count }, (_, index) => ({
    from: new Date(start + index * length).toISOString(),
    found: 0,
    resolved: 0,
  }));
  const at = (moment: string | null) => {
    const time = moment === null ? NaN : Date.parse(moment);
    return time >= start && time <= end
      ? stretches[Math.min(count - 1, Math.floor((time - start) / length))]
      : undefined;
  };
  for (const { created, resolved } of findings) {
    const [found, mended] = [at(created), at(resolved)];
    if (found) found.found++;
    if (mended) mended.resolved++;
  }
  return stretches;
}
