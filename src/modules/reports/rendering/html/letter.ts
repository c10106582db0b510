import type { ReportSnapshot } from '../../domain/report-snapshot';
import { LETTER_COLUMNS, letterOf } from '../letter';
import { type Markup, markup } from '../markup';
import { severityBadge } from './badges';
import { labeledList, logo } from './cover';

export function letter(snapshot: ReportSnapshot): Markup {
  const { kind, title, organization, date, paragraphs, counts, facts, signatory, notice } = letterOf(snapshot);
  const count = (value: number): Markup => markup`<td class="count">${value}</td>`;
  return markup`
<main class="letter">
<p class="kind">${kind}</p>
${logo(snapshot)}
<header><p class="owner" dir="auto">${organization}</p><h1 dir="auto">${title}</h1><p class="faint">${date}</p></header>
${paragraphs.map((text) => markup`<p dir="auto">${text}</p>`)}
<table class="plain"><thead><tr>${LETTER_COLUMNS.map((name, index) => markup`<th scope="col"${index > 0 && markup` class="count"`}>${name}</th>`)}</tr></thead>
<tbody>${counts.map(
    ({ severity, open, resolved, set_aside, all }) =>
      markup`<tr><th scope="row">${severity === null ? markup`<b>All</b>` : severityBadge(severity)}</th>${[open, resolved, set_aside, all].map(count)}</tr>`,
  )}</tbody></table>
${labeledList(facts)}
<p class="signature"><bdi>${signatory}</bdi>, date</p>
<p class="note">${notice}</p>
</main>`;
}
