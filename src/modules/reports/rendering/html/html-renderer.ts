import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import { FORMATS } from '../formats';
import { type Markup, markup } from '../markup';
import { appendix } from './appendix';
import { assessment } from './assessment';
import { changes } from './changes';
import { contents } from './contents';
import { cover } from './cover';
import { findings } from './findings';
import { letter } from './letter';
import { methodology } from './methodology';
import { retests } from './retests';
import { scope } from './scope';
import { style } from './style';
import { summary } from './summary';
import { comparison, leftOut, plan } from './table-chapters';
import { chaptersOf, type SECTION_TITLES, WORDS } from '../report-words';
import { momentElement } from '../text-format';
import { titlePageOf } from '../title-page';

/** The file needs no scripts and no requests, so its policy forbids both wherever it is opened. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const written: Readonly<Record<keyof typeof SECTION_TITLES, (snapshot: ReportSnapshot) => Markup | null>> = {
  assessment,
  summary,
  plan,
  comparison,
  scope,
  changes,
  methodology,
  findings,
  left_out: leftOut,
  retests,
  appendix,
};

const title = (snapshot: ReportSnapshot): string => `${titlePageOf(snapshot).title}, ${snapshot.organization.name}`;

/** The summary, and after it the annex with its contents. */
function report(snapshot: ReportSnapshot): Markup {
  const annex = chaptersOf(snapshot).filter(([name]) => name !== 'summary');
  const hasSummary = snapshot.options.sections.includes('summary');
  return markup`
${cover(snapshot)}
<main>
${hasSummary && markup`<div class="board">${summary(snapshot)}</div>`}
<div class="page">
${contents(snapshot, annex)}
<div class="annex">
${hasSummary && annex.length > 0 && markup`<h2 class="part">${WORDS.annex}</h2>`}
${annex.map(([section]) => written[section](snapshot))}
</div>
</div>
</main>`;
}

export const htmlReport = (snapshot: ReportSnapshot): Markup => markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}">
<meta name="color-scheme" content="light">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title(snapshot)}</title>
<style>${style}</style>
</head>
<body>
${snapshot.options.kind === 'letter' ? letter(snapshot) : report(snapshot)}
<footer>${titlePageOf(snapshot).confidentiality}. ${snapshot.organization.name}. ${snapshot.report_id === null ? 'As of' : `Report ${snapshot.report_id}, as of`} ${momentElement(snapshot.taken)}. Made with Assay.</footer>
</body>
</html>
`;

/** One file with its style included: it has no scripts and makes no requests. */
export class HtmlRenderer implements ReportRenderer {
  readonly contentType = FORMATS.html.contentType;
  readonly extension = FORMATS.html.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    return Buffer.from(htmlReport(snapshot).toString());
  }
}
