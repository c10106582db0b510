import type { ReportFormat } from '../domain/report-options';
import type { ReportRenderer } from '../domain/report-snapshot';
import { CsvRenderer } from './csv/csv-renderer';
import { HtmlRenderer } from './html/html-renderer';
import { JsonRenderer } from './json/json-renderer';
import { PdfRenderer } from './pdf/pdf-renderer';
import { SarifRenderer } from './sarif/sarif-renderer';
import { VexRenderer } from './vex/vex-renderer';

/** The renderer of each format. */
export const RENDERERS: Readonly<Record<ReportFormat, ReportRenderer>> = {
  pdf: new PdfRenderer(),
  html: new HtmlRenderer(),
  json: new JsonRenderer(),
  csv: new CsvRenderer(),
  sarif: new SarifRenderer(),
  vex: new VexRenderer(),
};
