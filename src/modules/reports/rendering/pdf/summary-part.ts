import type { Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { activityOf } from '../activity';
import { type Board, boardOf, GROUP_COLUMNS, SEVERITY_COLUMNS, type UrgentFinding } from '../board';
import { timeline } from '../charts';
import { jobResultOf } from '../job-result';
import { comparisonOf } from '../table-chapters';
import { formatShortDay, grouped, pluralize } from '../text-format';
import { titleOf } from './finding-part';
import type { DirectedText, FontFallback } from './font-fallback';

export interface SummaryPart extends Omit<Board, 'figures' | 'rating' | 'groups' | 'urgent' | 'untested'> {
  readonly figures: readonly { readonly value: string; readonly label: string }[];
  readonly rating: DirectedText | null;
  /** Of a job. */
  readonly result: { readonly kind: string; readonly label: string; readonly text: DirectedText } | null;
  readonly columns: { readonly severities: readonly string[]; readonly groups: readonly string[] };
  /** A chart with its text alternative, or a sentence; null where nothing happened. */
  readonly timeline: { readonly svg: string; readonly alt: string } | { readonly sentence: string } | null;
  readonly comparison: string | null;
  readonly groups: readonly {
    readonly severity: Severity;
    readonly title: DirectedText;
    readonly counts: readonly string[];
  }[];
  readonly urgent: readonly (Pick<UrgentFinding, 'id' | 'severity' | 'more' | 'belief' | 'label'> &
    Readonly<Record<'title' | 'asset' | 'why', DirectedText>>)[];
  readonly untested: readonly DirectedText[];
}

/** In units of the chart, which the page scales. */
const CHART_WIDTH = 500;

export function summaryOf(snapshot: ReportSnapshot, fonts: FontFallback): SummaryPart {
  const { figures, rating, groups, urgent, untested, ...plain } = boardOf(snapshot);
  const result = jobResultOf(snapshot);
  return {
    ...plain,
    figures: figures.map(({ value, label }) => ({ value: grouped(value), label })),
    rating: rating === null ? null : fonts.paragraph(rating, 40),
    result: result === null ? null : { ...result, text: fonts.paragraph(result.text, 40) },
    columns: { severities: SEVERITY_COLUMNS, groups: GROUP_COLUMNS },
    timeline: timelineOf(snapshot),
    comparison: comparisonOf(snapshot)?.lead ?? null,
    groups: groups.map(({ severity, title, findings, assets, proved }) => ({
      severity,
      title: fonts.paragraph(title, 24),
      counts: [findings, assets, proved].map(grouped),
    })),
    urgent: urgent.map(({ title, asset, why, ...one }) => ({
      ...one,
      title: titleOf({ id: one.id, title }, fonts, 24),
      asset: fonts.paragraph(asset, 14),
      why: fonts.paragraph(why, 18),
    })),
    untested: untested.map((text) => fonts.paragraph(text, 24)),
  };
}

function timelineOf(snapshot: ReportSnapshot): SummaryPart['timeline'] {
  const activity = activityOf(snapshot);
  if (activity === null || 'sentence' in activity) return activity;
  const { intervals } = activity;
  const sum = (of: 'found' | 'resolved'): number => intervals.reduce((total, interval) => total + interval[of], 0);
  const alt = `Found and resolved over time, in ${pluralize(intervals.length, 'interval')} from ${formatShortDay(intervals[0]?.from ?? '')}: ${sum('found')} found and ${sum('resolved')} resolved in total.`;
  const drawn = { title: alt, width: CHART_WIDTH, font: 'Noto Sans' };
  return {
    alt,
    svg: String(
      timeline(
        intervals.map(({ from, ...counts }) => ({ label: formatShortDay(from), ...counts })),
        drawn,
      ),
    ),
  };
}
