import type { ReportSnapshot } from '../../domain/report-snapshot';
import { activityOf } from '../activity';
import { type Board, boardOf, type Figure, GROUP_COLUMNS, SEVERITY_COLUMNS, type UrgentFinding } from '../board';
import { timeline } from '../charts';
import { jobResultOf } from '../job-result';
import { type Markup, markup } from '../markup';
import { SECTION_TITLES } from '../report-words';
import { comparisonOf } from '../table-chapters';
import { formatShortDay, grouped } from '../text-format';
import { anchorOf, severityBadge, verdictMark } from './badges';

const number = ({ value, label }: Figure): Markup =>
  markup`<div class="number"><b>${grouped(value)}</b><span>${label}</span></div>`;

const count = (value: string): Markup => markup`<td class="count">${value}</td>`;

/** The columns after the first `texts` have numbers. */
const table = (title: string, columns: readonly string[], texts: number, rows: readonly Markup[]): Markup => markup`
<section><h3>${title}</h3>
<div class="wide"><table class="plain numbered"><thead><tr>${columns.map((name, index) => markup`<th scope="col"${index >= texts && markup` class="count"`}>${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${row}</tr>`)}</tbody></table></div></section>`;

const severities = ({ severities: rows, statuses }: Board): Markup =>
  markup`${table(
    'Severity',
    SEVERITY_COLUMNS,
    1,
    rows.map(({ severity, cells }) => markup`<th scope="row">${severityBadge(severity)}</th>${cells.map(count)}`),
  )}<p class="note">By status: ${statuses}.</p>`;

const groups = ({ groups: rows, others }: Board): Markup =>
  markup`${table(
    'Equal findings of one rule',
    GROUP_COLUMNS,
    2,
    rows.map(
      ({ severity, title, findings, assets, proved }) =>
        markup`<td>${severityBadge(severity)}</td><th scope="row"><bdi>${title}</bdi></th>${[findings, assets, proved].map(grouped).map(count)}`,
    ),
  )}${others !== null && markup`<p class="note">${others}</p>`}`;

const urgentRow = (one: UrgentFinding, isLinked: boolean): Markup => {
  const title = markup`<bdi>${one.title}</bdi>`;
  return markup`<tr><td>${severityBadge(one.severity)}</td><th scope="row">${isLinked ? markup`<a href="#${anchorOf(one)}">${title}</a>` : title}</th><td><bdi class="place">${one.asset}</bdi>${one.more !== '' && markup`<p class="note">${one.more}</p>`}</td><td>${verdictMark(one.belief, one.label)}<p class="note" dir="auto">${one.why}</p></td></tr>`;
};

const mostUrgent = (findings: readonly UrgentFinding[], isLinked: boolean): Markup => markup`
<section><h3>Most urgent open findings</h3>
<table class="plain urgent"><thead><tr><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Asset</th><th scope="col">Why it is believed</th></tr></thead>
<tbody>${findings.map((finding) => urgentRow(finding, isLinked))}</tbody></table></section>`;

const chartOf = (intervals: ReportSnapshot['timeline']): Markup =>
  timeline(
    intervals.map(({ from, ...counts }) => ({ label: formatShortDay(from), ...counts })),
    { title: 'Found and resolved over time', width: 736 },
  );

/** For a board: printed, it has two pages. */
export function summary(snapshot: ReportSnapshot): Markup {
  const board = boardOf(snapshot);
  const result = jobResultOf(snapshot);
  const activity = snapshot.totals.findings > 0 ? activityOf(snapshot) : null;
  const comparison = comparisonOf(snapshot);
  return markup`
<section id="summary" class="chapter"><h2>${SECTION_TITLES.summary}</h2>
<p class="lead">${board.lead}</p>
${board.rating !== null && markup`<p dir="auto">${board.rating}</p>`}
${result !== null && markup`<div class="limits">${verdictMark(result.kind, result.label)}<p dir="auto">${result.text}</p></div>`}
<div class="numbers">${board.figures.map(number)}</div>
${activity !== null && markup`<section class="wide"><h3>Found and resolved</h3>${'sentence' in activity ? markup`<p>${activity.sentence}</p>` : chartOf(activity.intervals)}</section>`}
${comparison !== null && markup`<p>${comparison.lead}</p>`}
${board.severities.length > 0 && severities(board)}
${board.urgent.length > 0 && mostUrgent(board.urgent, snapshot.options.sections.includes('findings'))}
${board.groups.length > 0 && groups(board)}
${board.untested.length > 0 && markup`<section><h3>Not tested, and not in this report</h3><ul class="limits">${board.untested.map((text) => markup`<li dir="auto">${text}</li>`)}</ul></section>`}
${board.annex !== null && markup`<p class="note">${board.annex}</p>`}
</section>`;
}
