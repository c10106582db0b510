import type { ReportFormat } from '../domain/report-options';
import type { ReportRenderer } from '../domain/report-snapshot';
import { HtmlRenderer } from './html/html-renderer';
import { JOB_REPORT_RENDERERS } from './job-report-renderers';
import { PdfRenderer } from './pdf/pdf-renderer';
import { CsafRenderer } from './vex/csaf-renderer';
import { VexRenderer } from './vex/vex-renderer';

/** The renderer of each format. */
export const RENDERERS: Readonly<Record<ReportFormat, ReportRenderer>> = {
  ...JOB_REPORT_RENDERERS,
  pdf: new PdfRenderer(),
  html: new HtmlRenderer(),
  vex: new VexRenderer(),
  csaf: new CsafRenderer(),
};
