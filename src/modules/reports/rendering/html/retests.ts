import type { ReportSnapshot } from '../../domain/report-snapshot';
import { type Markup, markup } from '../markup';
import { SECTION_TITLES, WORDS } from '../report-words';
import { type RetestRow, retestRowsOf, retestsSentence, shownRetests } from '../retest-rows';
import { anchorOf, verdictMark } from './badges';

const finding = ({ findingId: id, findingTitle }: RetestRow, isLinked: boolean): Markup => {
  const words = markup`<b>${id}</b> <bdi>${findingTitle}</bdi>`;
  return isLinked ? markup`<a href="#${anchorOf({ id })}">${words}</a>` : words;
};

const row = (one: RetestRow, isLinked: boolean): Markup => markup`
<tr><th scope="row">${finding(one, isLinked)}</th><td>${one.date}</td><td>${verdictMark(one.verdict, one.verdictLabel)}${
  one.reason !== null && markup`<p class="note" dir="auto">${one.reason}</p>`
}</td><td><bdi>${one.by}</bdi></td><td class="count">${one.requests ?? '–'}</td></tr>`;

/** The results of all retests. */
export function retests(snapshot: ReportSnapshot): Markup {
  const rows = retestRowsOf(snapshot);
  const isLinked = snapshot.options.sections.includes('findings');
  return markup`
<section id="retests" class="chapter"><h2>${SECTION_TITLES.retests}</h2>
<p class="lead">${rows.length === 0 ? WORDS.noRetests : retestsSentence(rows)}</p>
${
  rows.length > 0 &&
  markup`<div class="wide"><table class="plain retests"><thead><tr><th scope="col">Finding</th><th scope="col">Date</th><th scope="col">Verdict and reason</th><th scope="col">By</th><th scope="col" class="count">Requests</th></tr></thead>
<tbody>${shownRetests(rows).map((one) => row(one, isLinked))}</tbody></table></div>`
}
</section>`;
}
