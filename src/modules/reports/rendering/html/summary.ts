import { SEVERITIES } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { bars, timeline } from '../charts';
import { type Markup, markup } from '../markup';
import { SEVERITY_COLORS } from '../palette';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { SECTION_TITLES } from '../report-words';
import { type Figure, figuresOf, findingsSentence, limitationsOf, mostUrgentOf } from '../sentences';
import { jobResultOf } from '../job-result';
import { anchorOf, severityBadge, verdictMark } from './badges';
import { activityOf } from '../activity';
import { placeText } from '../finding-location';
import { formatDuration, formatShortDay, severityLabel, statusLabel } from '../text-format';

const number = ({ value, label }: Figure): Markup =>
  markup`<div class="number"><b>${value}</b><span>${label}</span></div>`;

const urgentRow = (finding: SnapshotFinding, isLinked: boolean): Markup => {
  const title = markup`<bdi>${finding.title}</bdi>`;
  return markup`<tr><td>${severityBadge(finding.severity)}</td><th scope="row">${isLinked ? markup`<a href="#${anchorOf(finding)}">${title}</a>` : title}</th><td><bdi class="place">${placeText(finding.asset_value, finding.beacon)}</bdi></td></tr>`;
};

const mostUrgent = (findings: readonly SnapshotFinding[], isLinked: boolean): Markup => markup`
<section><h3>Most urgent open findings</h3>
<table class="plain urgent"><thead><tr><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Asset</th></tr></thead>
<tbody>${findings.map((finding) => urgentRow(finding, isLinked))}</tbody></table></section>`;

const fixTable = ({ time_to_fix }: ReportSnapshot): Markup => markup`
<section><h3>Time to fix</h3>
<table class="plain"><thead><tr><th scope="col">Severity</th><th scope="col" class="count">Resolved</th><th scope="col" class="count">Median</th><th scope="col" class="count">Longest</th></tr></thead>
<tbody>${time_to_fix.map(
  ({ severity, count, median_hours, longest_hours }) =>
    markup`<tr><td>${severityBadge(severity)}</td><td class="count">${count}</td><td class="count">${formatDuration(median_hours)}</td><td class="count">${formatDuration(longest_hours)}</td></tr>`,
)}</tbody></table></section>`;

const statusTable = ({ totals }: ReportSnapshot): Markup => markup`
<section><h3>Status</h3>
<table class="plain"><tbody>${totals.by_status.map(
  ({ name, count }) => markup`<tr><th scope="row">${statusLabel(name)}</th><td class="count">${count}</td></tr>`,
)}</tbody></table></section>`;

const chartOf = (intervals: ReportSnapshot['timeline']): Markup =>
  timeline(
    intervals.map(({ from, ...counts }) => ({ label: formatShortDay(from), ...counts })),
    { title: 'Found and resolved over time', width: 736 },
  );

export function summary(snapshot: ReportSnapshot): Markup {
  const { totals, time_to_fix } = snapshot;
  const notes = limitationsOf(snapshot);
  const result = jobResultOf(snapshot);
  const urgent = mostUrgentOf(snapshot);
  const severities = SEVERITIES.toReversed()
    .filter((severity) => totals.by_severity[severity] > 0)
    .map((severity) => ({
      label: severityLabel(severity),
      value: totals.by_severity[severity],
      colour: SEVERITY_COLORS[severity],
    }));
  const activity = totals.findings > 0 ? activityOf(snapshot) : null;
  return markup`
<section id="summary" class="chapter"><h2>${SECTION_TITLES.summary}</h2>
<p class="lead">${findingsSentence(snapshot)}</p>
<div class="numbers">${figuresOf(snapshot).map(number)}</div>
${result !== null && markup`<div class="limits">${verdictMark(result.kind, result.label)}<p dir="auto">${result.text}</p></div>`}
${notes.length > 0 && markup`<ul class="limits">${notes.map((text) => markup`<li>${text}</li>`)}</ul>`}
${urgent.length > 0 && mostUrgent(urgent, snapshot.options.sections.includes('findings'))}
<div class="pair">
${severities.length > 0 && markup`<section><h3>Severity</h3>${bars(severities, { title: 'Findings by severity', width: 352 })}</section>`}
${totals.by_status.length > 0 && statusTable(snapshot)}
</div>
${activity !== null && markup`<section class="wide"><h3>Found and resolved</h3>${'sentence' in activity ? markup`<p>${activity.sentence}</p>` : chartOf(activity.intervals)}</section>`}
${time_to_fix.length > 0 && fixTable(snapshot)}
</section>`;
}
