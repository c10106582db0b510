import type { ReportSnapshot, SnapshotCheck } from '../../domain/report-snapshot';
import { type Markup, markup } from '../markup';
import {
  checksOf,
  checkTitle,
  cweAddress,
  methodologyOf,
  type MethodologyPart,
  owaspText,
  STANDARDS,
} from '../methodology';
import { SECTION_TITLES } from '../report-words';

const part = ({ title, paragraphs, items }: MethodologyPart): Markup => markup`
<h3>${title}</h3>
${paragraphs.map((text) => markup`<p>${text}</p>`)}
${items.length > 0 && markup`<ul class="points">${items.map((text) => markup`<li>${text}</li>`)}</ul>`}`;

const row = (check: SnapshotCheck): Markup => markup`
<tr><th scope="row"><bdi>${checkTitle(check)}</bdi><p class="note"><code>${check.id}</code></p></th><td>${
  check.cwe !== null && markup`<a href="${cweAddress(check.cwe)}" rel="noreferrer">${check.cwe}</a>`
}</td><td>${owaspText(check)}</td><td class="count">${check.completed}</td><td class="count">${check.not_completed}</td></tr>`;

const checkTable = (checks: readonly SnapshotCheck[]): Markup => markup`
<h3>Checks that ran</h3>
<div class="wide"><table class="plain checks"><thead><tr><th scope="col">Check</th><th scope="col">CWE</th><th scope="col">OWASP Top 10</th><th scope="col" class="count">Completed</th><th scope="col" class="count">Incomplete</th></tr></thead>
<tbody>${checks.map(row)}</tbody></table></div>`;

const standardTable = markup`
<h3>Standards</h3>
<table class="plain"><thead><tr><th scope="col">Standard</th><th scope="col">Use in this report</th></tr></thead><tbody>${STANDARDS.map(
  ({ name, address, use }) =>
    markup`<tr><th scope="row"><a href="${address}" rel="noreferrer">${name}</a></th><td>${use}</td></tr>`,
)}</tbody></table>`;

/** What was tested, with which checks, and how a verdict is reached. */
export const methodology = (snapshot: ReportSnapshot): Markup => markup`
<section id="methodology" class="chapter"><h2>${SECTION_TITLES.methodology}</h2>
${methodologyOf(snapshot).map(part)}
${checksOf(snapshot).length > 0 && checkTable(checksOf(snapshot))}
${standardTable}
</section>`;
