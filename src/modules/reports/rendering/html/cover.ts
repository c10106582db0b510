import type { ReportSnapshot } from '../../domain/report-snapshot';
import { strip } from '../charts';
import { type Markup, markup } from '../markup';
import { SEVERITY_COLORS } from '../palette';
import { grouped, isolated, severityLabel } from '../text-format';
import { type LabeledText, titlePageOf } from '../title-page';

const lines = (text: string): Markup[] =>
  text.split('\n').map((line, index) => markup`${index > 0 && markup`<br>`}${isolated(line)}`);

export const labeledList = (entries: readonly LabeledText[]): Markup =>
  markup`<dl class="labels">${entries.map(
    ([label, text]) => markup`<div><dt>${label}</dt><dd>${lines(text)}</dd></div>`,
  )}</dl>`;

/** The file contains the picture, because it fetches nothing. The media type and the Base64 text are our own. */
export const logo = ({ logo: picture, organization }: ReportSnapshot): Markup | false =>
  picture !== null &&
  markup`<p class="logo"><img alt="Logo of ${organization.name}" width="${picture.width}" height="${picture.height}" src="data:${picture.media_type};base64,${picture.base64}"></p>`;

/** The title page: for whom and by whom the report is, and the findings by severity. */
export function cover(snapshot: ReportSnapshot): Markup {
  const { kind, title, subtitle, organization, facts } = titlePageOf(snapshot);
  const open = snapshot.summary.severities.filter((row) => row.open > 0);
  return markup`
<header class="cover">
  <p class="kind">${kind}</p>
  ${logo(snapshot)}
  <div class="title">
    <p class="owner" dir="auto">${organization}</p>
    <h1 dir="auto">${title}</h1>
    ${subtitle !== null && markup`<p class="subtitle" dir="auto">${subtitle}</p>`}
  </div>
  <div class="glance">
    ${strip(
      open.map(({ severity, open: value }) => ({
        label: severityLabel(severity),
        value,
        colour: SEVERITY_COLORS[severity],
      })),
      { title: 'Open findings by severity', width: 720 },
    )}
    <ul>${open.map((row) => markup`<li class="ink-${row.severity}"><b>${grouped(row.open)}</b> ${severityLabel(row.severity)} open</li>`)}</ul>
  </div>
  ${labeledList(facts)}
</header>`;
}
