import { SEVERITIES, type Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { activityOf } from '../activity';
import { timeline } from '../charts';
import { placeText } from '../finding-location';
import { formatDuration, formatShortDay, pluralize, severityLabel, statusLabel, truncated } from '../text-format';
import type { FontFallback, DirectedText } from './font-fallback';
import type { BreakableText } from './line-breaks';
import { MAX_LISTED_LENGTH, titleOf } from './finding-part';
import { type Figure, figuresOf, findingsSentence, limitationsOf, mostUrgentOf } from '../sentences';
import { jobResultOf } from '../job-result';
import { dispositionOf } from '../disposition';

interface Row {
  readonly label: BreakableText;
  readonly value: number;
  /** From 0 to 1, the longest bar. */
  readonly share: number;
}

export interface SummaryPart {
  readonly lead: string;
  /** Of a job. */
  readonly result: { readonly kind: string; readonly label: string; readonly text: DirectedText } | null;
  readonly notes: readonly string[];
  readonly figures: readonly Figure[];
  readonly severities: readonly (Row & { readonly severity: Severity })[];
  readonly statuses: readonly (Row & { readonly disposition: string })[];
  /** A chart with its text alternative, or a sentence; null where nothing happened. */
  readonly timeline: { readonly svg: string; readonly alt: string } | { readonly sentence: string } | null;
  readonly timeToFix: readonly {
    readonly severity: Severity;
    readonly count: string;
    readonly median: string;
    readonly longest: string;
    readonly medianShare: number;
    readonly longestShare: number;
  }[];
  readonly mostUrgent: readonly {
    readonly id: number;
    readonly severity: Severity;
    readonly title: DirectedText;
    readonly asset: DirectedText;
  }[];
}

/** In units of the chart, which the page scales. */
const CHART_WIDTH = 500;

export function summaryOf(snapshot: ReportSnapshot, fonts: FontFallback): SummaryPart {
  const { totals, time_to_fix } = snapshot;
  const result = jobResultOf(snapshot);
  const urgent = SEVERITIES.toReversed();
  const most = Math.max(1, ...Object.values(totals.by_severity));
  const statuses = totals.by_status.filter(({ count }) => count > 0);
  const mostStatus = Math.max(1, ...statuses.map(({ count }) => count));
  const longest = Math.max(1, ...time_to_fix.map(({ longest_hours }) => longest_hours));
  return {
    lead: findingsSentence(snapshot),
    result: result === null ? null : { ...result, text: fonts.paragraph(result.text, 40) },
    notes: limitationsOf(snapshot),
    figures: figuresOf(snapshot),
    severities: urgent
      .filter((severity) => totals.by_severity[severity] > 0)
      .map((severity) => ({
        severity,
        label: severityLabel(severity),
        value: totals.by_severity[severity],
        share: totals.by_severity[severity] / most,
      })),
    statuses: statuses.map(({ status, name, count }) => ({
      label: fonts.inline(statusLabel(name), 12),
      disposition: dispositionOf(status),
      value: count,
      share: count / mostStatus,
    })),
    timeline: timelineOf(snapshot),
    timeToFix: time_to_fix.map(({ severity, count, median_hours, longest_hours }) => ({
      severity,
      count: String(count),
      median: formatDuration(median_hours),
      longest: formatDuration(longest_hours),
      medianShare: median_hours / longest,
      longestShare: longest_hours / longest,
    })),
    mostUrgent: mostUrgentOf(snapshot).map((finding) => ({
      id: finding.id,
      severity: finding.severity,
      title: titleOf({ ...finding, title: truncated(finding.title, MAX_LISTED_LENGTH) }, fonts, 24),
      asset: fonts.paragraph(truncated(placeText(finding.asset_value, finding.beacon), MAX_LISTED_LENGTH), 14),
    })),
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
