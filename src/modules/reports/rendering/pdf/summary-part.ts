import { SEVERITIES, type Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { timeline } from '../charts';
import { counted, lasting, shortDayOf } from '../html/words';
import type { Lettering, Shown } from './lettering';
import type { Pieces } from './line-breaks';
import { mostListed, titleOf } from './finding-part';
import { begun, wordsOf } from './phrases';
import { caveatsOf, reachOf, verdictOf } from './sentences';
import { standingOf } from './standing';

interface Row {
  readonly label: Pieces;
  readonly value: number;
  /** From nothing to one: the longest bar. */
  readonly share: number;
}

export interface SummaryPart {
  readonly lead: string;
  readonly notes: readonly string[];
  readonly figures: readonly { readonly value: number; readonly label: string }[];
  readonly severities: readonly (Row & { readonly severity: Severity })[];
  readonly statuses: readonly (Row & { readonly standing: string })[];
  /** A drawing, and what it says to those who do not see it; null where there is nothing to draw. */
  readonly timeline: { readonly svg: string; readonly alt: string } | null;
  readonly fixing: readonly {
    readonly severity: Severity;
    readonly count: string;
    readonly median: string;
    readonly longest: string;
    readonly medianShare: number;
    readonly longestShare: number;
  }[];
  readonly first: readonly {
    readonly number: number;
    readonly severity: Severity;
    readonly title: Shown;
    readonly asset: Shown;
  }[];
}

const mostFirst = 5;
/** The drawing's own units; it is set smaller. */
const chartWidth = 500;

export function summaryOf(snapshot: ReportSnapshot, lettering: Lettering): SummaryPart {
  const { totals, findings, time_to_fix } = snapshot;
  const urgent = SEVERITIES.toReversed();
  const standing = findings
    .map((finding, index) => ({ finding, number: index + 1 }))
    .filter(({ finding }) => standingOf(finding.status) === 'stands');
  const most = Math.max(1, ...Object.values(totals.by_severity));
  const statuses = totals.by_status.filter(({ count }) => count > 0);
  const mostStatus = Math.max(1, ...statuses.map(({ count }) => count));
  const longest = Math.max(1, ...time_to_fix.map(({ longest_hours }) => longest_hours));
  return {
    lead: verdictOf(snapshot),
    notes: caveatsOf(snapshot),
    figures: figuresOf(snapshot),
    severities: urgent.map((severity) => ({
      severity,
      label: wordsOf(severity),
      value: totals.by_severity[severity],
      share: totals.by_severity[severity] / most,
    })),
    statuses: statuses.map(({ status, name, count }) => ({
      label: lettering.pieces(wordsOf(name), 12),
      standing: standingOf(status),
      value: count,
      share: count / mostStatus,
    })),
    timeline: timelineOf(snapshot),
    fixing: time_to_fix.map(({ severity, count, median_hours, longest_hours }) => ({
      severity,
      count: String(count),
      median: lasting(median_hours),
      longest: lasting(longest_hours),
      medianShare: median_hours / longest,
      longestShare: longest_hours / longest,
    })),
    first: standing.slice(0, mostFirst).map(({ finding, number }) => ({
      number,
      severity: finding.severity,
      title: titleOf(finding, lettering, 24),
      asset: lettering.words(begun(finding.asset_value, mostListed), 14),
    })),
  };
}

/** Where nothing was found, how far was looked. */
function figuresOf({ totals, scope }: ReportSnapshot): SummaryPart['figures'] {
  const { findings, standing, resolved, retests } = totals;
  if (findings === 0) {
    const { tested, completed } = reachOf(scope.in_scope);
    return [
      { value: findings, label: 'findings' },
      { value: scope.in_scope.length, label: 'in scope' },
      { value: tested, label: 'tested by the service' },
      { value: completed, label: 'checks completed' },
    ];
  }
  return [
    { value: findings, label: findings === 1 ? 'finding' : 'findings' },
    { value: standing, label: standing === 1 ? 'still stands' : 'still stand' },
    { value: resolved, label: 'resolved' },
    { value: retests, label: retests === 1 ? 'retest' : 'retests' },
  ];
}

function timelineOf({ timeline: stretches }: ReportSnapshot): SummaryPart['timeline'] {
  if (stretches.every(({ found, resolved }) => found === 0 && resolved === 0)) return null;
  const sum = (of: 'found' | 'resolved'): number => stretches.reduce((total, stretch) => total + stretch[of], 0);
  const alt = `Found and resolved over time, in ${counted(stretches.length, 'stretch', 'stretches')} from ${shortDayOf(stretches[0]?.from ?? '')}: ${sum('found')} found and ${sum('resolved')} resolved in all.`;
  const drawn = { title: alt, width: chartWidth, font: 'Noto Sans' };
  return {
    alt,
    svg: String(
      timeline(
        stretches.map(({ from, ...counts }) => ({ label: shortDayOf(from), ...counts })),
        drawn,
      ),
    ),
  };
}
