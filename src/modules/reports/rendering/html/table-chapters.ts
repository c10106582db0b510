import type { ReportSnapshot } from '../../domain/report-snapshot';
import { type Markup, markup } from '../markup';
import { SECTION_TITLES } from '../report-words';
import { type ChapterCell, comparisonOf, leftOutChapterOf, planOf, type TableChapter } from '../table-chapters';
import { anchorOf, severityBadge } from './badges';

/** The columns of texts share what these leave. */
const WIDTHS: Readonly<Record<string, string>> = {
  Priority: '5rem',
  Result: '6rem',
  Severity: '8.4rem',
  Asset: '13rem',
  Owner: '7rem',
  Due: '7rem',
  Then: '7.4rem',
  Now: '7.4rem',
};

function cell(one: ChapterCell): Markup {
  if ('severity' in one) return severityBadge(one.severity);
  if ('text' in one) return markup`<bdi>${one.text}</bdi>`;
  const words = markup`<b>${one.id}</b> <bdi>${one.title}</bdi>`;
  return one.isLinked ? markup`<a href="#${anchorOf(one)}">${words}</a>` : words;
}

const chapter = (id: keyof typeof SECTION_TITLES, one: TableChapter | null): Markup | null =>
  one &&
  markup`
<section id="${id}" class="chapter"><h2>${SECTION_TITLES[id]}</h2>
<p class="lead">${one.lead}</p>
${one.notes.length > 0 && markup`<ul class="limits">${one.notes.map((text) => markup`<li>${text}</li>`)}</ul>`}
${
  one.rows.length > 0 &&
  markup`<div class="wide"><table class="plain picked">
<thead><tr>${one.columns.map((name) => markup`<th scope="col" style="width:${WIDTHS[name] ?? 'auto'}">${name}</th>`)}</tr></thead>
<tbody>${one.rows.map((cells) => markup`<tr>${cells.map((each) => markup`<td>${cell(each)}</td>`)}</tr>`)}</tbody></table></div>`
}
${one.rest !== null && markup`<p class="note">${one.rest}</p>`}
</section>`;

export const plan = (snapshot: ReportSnapshot): Markup | null => chapter('plan', planOf(snapshot));

export const comparison = (snapshot: ReportSnapshot): Markup | null => chapter('comparison', comparisonOf(snapshot));

export const leftOut = (snapshot: ReportSnapshot): Markup | null => chapter('left_out', leftOutChapterOf(snapshot));
