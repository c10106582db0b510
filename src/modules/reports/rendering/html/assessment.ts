import type { ReportSnapshot } from '../../domain/report-snapshot';
import { Markup, markup } from '../markup';
import { SECTION_TITLES, writtenBy } from '../report-words';

/** What a person wrote, apart from everything that the service states. The Markdown was sanitized like that of findings. */
export const assessment = ({ assessment: stated }: ReportSnapshot): Markup | null =>
  stated &&
  markup`
<section id="assessment" class="chapter"><h2>${SECTION_TITLES.assessment}</h2>
<p class="faint" dir="auto">${writtenBy(stated)}</p>
${stated.rating !== null && markup`<p class="lead"><b>Overall rating:</b> <bdi>${stated.rating}</bdi></p>`}
${stated.texts.map(({ title, html }) => markup`<h3>${title}</h3><div class="prose">${Markup.trusted(html)}</div>`)}
</section>`;
