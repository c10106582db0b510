import { isAtLeast, SEVERITIES } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { bars, timeline } from '../charts';
import { type Markup, markup } from '../markup';
import { SEVERITY_COLORS } from '../palette';
import { severityBadge } from './badges';
import { dispositionOf } from '../disposition';
import { subjectTexts } from '../subject-texts';
import {
  capitalize,
  formatDay,
  formatDuration,
  formatShortDay,
  pluralize,
  severityLabel,
  withSpaces,
} from '../text-format';

/** The summary, which must be understood without the other sections. */
function sentences(snapshot: ReportSnapshot): string[] {
  const { totals, findings, start_date, end_date, taken, scope } = snapshot;
  const { open, resolved, left_out } = totals;
  // A period that has not ended yet ends with the snapshot.
  const until = taken < end_date ? taken : end_date;
  const urgent = findings.filter(
    ({ status, severity }) => dispositionOf(status) === 'open' && isAtLeast(severity, 'high'),
  ).length;
  const tested = scope.in_scope.filter(({ last_tested }) => last_tested !== null).length;
  const seen =
    findings.length === 0
      ? 'No finding was'
      : findings.length === 1
        ? 'One finding was'
        : `${findings.length} findings were`;
  return [
    `${seen} seen between ${formatDay(start_date)} and ${formatDay(until)}, on a scope of ${pluralize(scope.in_scope.length, 'asset')}, of which ${tested} ${tested === 1 ? 'was' : 'were'} tested by the service in that time.`,
    ...(findings.length === 0
      ? []
      : [
          `${open} of them ${open === 1 ? 'is' : 'are'} open${open > 0 ? `, ${urgent} with a severity of high or more` : ''}; ${resolved} ${resolved === 1 ? 'is' : 'are'} resolved.`,
        ]),
    ...(left_out === 0
      ? []
      : [
          `${pluralize(left_out, 'finding')} of this ${subjectTexts(snapshot).noun} ${left_out === 1 ? 'is' : 'are'} left out by the period or the options of this report.`,
        ]),
  ];
}

const number = (value: number, label: string, kind = ''): Markup =>
  markup`<div class="number ${kind}"><b>${value}</b><span>${label}</span></div>`;

const fixTable = ({ time_to_fix }: ReportSnapshot): Markup => markup`
<section><h3>Time to fix</h3>
<table class="plain"><thead><tr><th scope="col">Severity</th><th scope="col" class="count">Resolved</th><th scope="col" class="count">Median</th><th scope="col" class="count">Longest</th></tr></thead>
<tbody>${time_to_fix.map(
  ({ severity, count, median_hours, longest_hours }) =>
    markup`<tr><td>${severityBadge(severity)}</td><td class="count">${count}</td><td class="count">${formatDuration(median_hours)}</td><td class="count">${formatDuration(longest_hours)}</td></tr>`,
)}</tbody></table></section>`;

const statusTable = ({ totals }: ReportSnapshot): Markup => markup`
<section><h3>By status</h3>
<table class="plain"><tbody>${totals.by_status.map(
  ({ name, count }) =>
    markup`<tr><th scope="row">${capitalize(withSpaces(name))}</th><td class="count">${count}</td></tr>`,
)}</tbody></table></section>`;

export function summary(snapshot: ReportSnapshot): Markup {
  const { totals, time_to_fix } = snapshot;
  const severities = SEVERITIES.toReversed()
    .filter((severity) => totals.by_severity[severity] > 0)
    .map((severity) => ({
      label: severityLabel(severity),
      value: totals.by_severity[severity],
      colour: SEVERITY_COLORS[severity],
    }));
  const stretches = snapshot.timeline.map(({ from, ...counts }) => ({ label: formatShortDay(from), ...counts }));
  return markup`
<section id="summary" class="chapter"><h2>Executive summary</h2>
<p class="lead">${sentences(snapshot).join(' ')}</p>
<div class="numbers">${number(totals.findings, 'findings')}${number(totals.open, 'open', 'bad')}${number(totals.resolved, 'resolved', 'good')}${number(totals.retests, totals.retests === 1 ? 'retest' : 'retests')}</div>
<div class="pair">
${severities.length > 0 && markup`<section><h3>By severity</h3>${bars(severities, { title: 'Findings by severity', width: 352 })}</section>`}
${totals.by_status.length > 0 && statusTable(snapshot)}
</div>
${stretches.length > 0 && totals.findings > 0 && markup`<section class="wide"><h3>Found and resolved over time</h3>${timeline(stretches, { title: 'Found and resolved over time', width: 736 })}</section>`}
${time_to_fix.length > 0 && fixTable(snapshot)}
</section>`;
}
