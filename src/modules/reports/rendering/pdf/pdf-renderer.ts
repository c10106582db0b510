import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import { ReportGenerationError } from '../../domain/report.errors';
import { formats } from '../formats';
import { mono, text } from './fonts';
import { FontFallback } from './font-fallback';
import { documentOf } from './report-document';
import { typeset } from './typeset';

/** The layout of more findings exceeds the memory limit of a report. */
const mostFindings = 3_000;

const tooManyFindings = `A PDF holds at most ${mostFindings} findings. Narrow it (a shorter period, a higher min_severity, fewer statuses), or order it as HTML or JSON.`;

/** A document to print, send and file, tagged for screen readers (PDF/UA-1). */
export class PdfRenderer implements ReportRenderer {
  readonly contentType = formats.pdf.contentType;
  readonly extension = formats.pdf.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    if (snapshot.findings.length > mostFindings) throw new ReportGenerationError(tooManyFindings);
    const fonts = new FontFallback();
    const document = documentOf(snapshot, fonts);
    return typeset(
      document,
      [text, mono, ...fonts.families].flatMap(({ fonts }) => fonts()),
    );
  }
}
