import type { ReportSnapshot } from '../../domain/report-snapshot';
import { type ChangeRow, changesOf } from '../changes';
import { type Markup, markup } from '../markup';
import { SECTION_TITLES } from '../report-words';

const row = ({ date, asset, text }: ChangeRow): Markup => markup`
<tr><th scope="row"><bdi class="place">${asset}</bdi></th><td dir="auto">${text}</td><td>${date}</td></tr>`;

/** What observations of the assets have shown. */
export function changes(snapshot: ReportSnapshot): Markup | null {
  const found = changesOf(snapshot);
  return (
    found &&
    markup`
<section id="changes" class="chapter"><h2>${SECTION_TITLES.changes}</h2>
<p class="lead">${found.lead}</p>
${
  found.rows.length > 0 &&
  markup`<div class="wide"><table class="plain changes"><thead><tr><th scope="col">Asset</th><th scope="col">Change</th><th scope="col">Date</th></tr></thead>
<tbody>${found.rows.map(row)}</tbody></table></div>`
}
</section>`
  );
}
