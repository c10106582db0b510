import { SEVERITIES, type Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { timeline } from '../charts';
import { counted, lasting, shortDayOf } from '../html/words';
import type { Lettering, Pieces, Shown } from './lettering';
import { titleOf } from './finding-part';
import { enumerated, wordsOf } from './phrases';
import { testedOf } from './scope-part';
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
    lead: leadOf(
      snapshot,
      standing.map(({ finding }) => finding.severity),
    ),
    notes: notesOf(snapshot),
    figures: [
      { value: totals.findings, label: totals.findings === 1 ? 'finding' : 'findings' },
      { value: totals.standing, label: totals.standing === 1 ? 'still stands' : 'still stand' },
      { value: totals.resolved, label: 'resolved' },
      { value: totals.retests, label: totals.retests === 1 ? 'retest' : 'retests' },
    ],
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
      asset: lettering.words(finding.asset_value, 14),
    })),
  };
}

function leadOf({ totals }: ReportSnapshot, standing: readonly Severity[]): string {
  if (totals.findings === 0) return 'This report has no findings.';
  const aside = totals.findings - totals.standing - totals.resolved;
  const parts = [
    `${counted(totals.standing, 'stands', 'stand')}`,
    `${counted(totals.resolved, 'is', 'are')} resolved`,
    ...(aside > 0 ? [`${counted(aside, 'is', 'are')} set aside by a decision`] : []),
  ];
  const all = `Of ${counted(totals.findings, 'finding')}, ${enumerated(parts)}.`;
  const worst = SEVERITIES.toReversed()
    .map((severity) => [severity, standing.filter((one) => one === severity).length] as const)
    .filter(([, count]) => count > 0)
    .slice(0, 3)
    .map(([severity, count]) => `${count} ${severity}`);
  return worst.length === 0
    ? `${all} Nothing that was found still stands.`
    : `${all} The most severe that stand: ${enumerated(worst)}.`;
}

/** What a reader has to know so as not to take this for more than it is. */
function notesOf({ totals, scope }: ReportSnapshot): readonly string[] {
  const { tested, untested, incomplete } = testedOf(scope.in_scope);
  const notes: string[] = [];
  if (totals.left_out > 0) {
    notes.push(
      `${counted(totals.left_out, 'finding')} of this event ${totals.left_out === 1 ? 'is' : 'are'} not in this report: its period or its options leave ${totals.left_out === 1 ? 'it' : 'them'} out.`,
    );
  }
  if (scope.in_scope.length === 0)
    notes.push('No asset is in the scope of this event, so nothing was tested by the service.');
  else if (untested > 0) {
    notes.push(
      `Of ${counted(scope.in_scope.length, 'asset')} in scope, ${tested} ${tested === 1 ? 'was' : 'were'} tested by the service and ${untested} ${untested === 1 ? 'was' : 'were'} not. Of what was not tested, the lack of findings says nothing.`,
    );
  }
  if (incomplete > 0)
    notes.push(
      `${counted(incomplete, 'check')} could not be completed. The scope names each of them, with the reason.`,
    );
  return notes;
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
