import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import { Unrenderable } from '../../domain/unrenderable';
import { formats } from '../formats';
import { mono, text } from './fonts';
import { Lettering } from './lettering';
import { documentOf } from './report-document';
import { typeset, type TypesettingLimits, TypesettingTooLarge } from './typesetting';

/** More pages than these come to are read by nobody, and need more memory than one report may have. */
const mostFindings = 3_000;

const usualLimits: TypesettingLimits = { mostMegabytes: 1_024, longestMs: 240_000 };

const tooLarge =
  'It is too large for a PDF. Leave out the evidence (include_evidence) or sections, narrow it (a shorter period, a higher min_severity, fewer statuses), or order it as HTML or JSON.';

/** A report to be printed, sent and filed: tagged for those who have it read out to them, PDF/UA-1. */
export class PdfRenderer implements ReportRenderer {
  readonly contentType = formats.pdf.contentType;
  readonly extension = formats.pdf.extension;

  constructor(private readonly limits = usualLimits) {}

  async render(snapshot: ReportSnapshot, signal?: AbortSignal): Promise<Buffer> {
    if (snapshot.findings.length > mostFindings) throw new Unrenderable(tooLarge);
    const lettering = new Lettering();
    const document = documentOf(snapshot, lettering);
    const fonts = [text, mono, ...lettering.families].flatMap(({ folders }) => folders);
    try {
      return await typeset(document, fonts, this.limits, signal);
    } catch (error) {
      throw error instanceof TypesettingTooLarge ? new Unrenderable(tooLarge, { cause: error }) : error;
    }
  }
}
