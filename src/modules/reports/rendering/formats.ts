import type { ReportFormat } from '../domain/report-options';

interface FormatOfFile {
  readonly contentType: string;
  readonly extension: string;
}

/** The media type and file extension of each format, without its renderer. */
export const FORMATS: Readonly<Record<ReportFormat, FormatOfFile>> = {
  pdf: { contentType: 'application/pdf', extension: 'pdf' },
  html: { contentType: 'text/html; charset=utf-8', extension: 'html' },
  json: { contentType: 'application/json', extension: 'json' },
  csv: { contentType: 'text/csv; charset=utf-8', extension: 'csv' },
  sarif: { contentType: 'application/sarif+json', extension: 'sarif' },
  vex: { contentType: 'application/json', extension: 'openvex.json' },
  csaf: { contentType: 'application/json', extension: 'csaf.json' },
  gitlab: { contentType: 'application/json', extension: 'gl-dast-report.json' },
  junit: { contentType: 'application/xml', extension: 'junit.xml' },
};
