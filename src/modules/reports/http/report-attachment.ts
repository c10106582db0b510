import { notFound } from '../../../kernel/domain-error';
import { Attachment, piecesOf } from '../../../platform/http/attachment';
import type { JobReportFormat, ReportFormat } from '../domain/report-options';
import { FORMATS } from '../rendering/formats';
import type { JobReport } from '../job-reports.service';
import type { ReadyReport } from '../reports.service';

/** If a browser opens the file, it runs no scripts and makes no requests. */
const CONTENT_SECURITY_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const headersOf = (format: ReportFormat): Record<string, string> =>
  format === 'html' ? { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } : {};

/** A report as a download. */
export function attachmentOf({ report, subjectName, file, read }: ReadyReport): Attachment {
  const { format } = report.options;
  const { contentType, extension } = FORMATS[format];
  return new Attachment({
    contentType,
    name: `${subjectName}, report ${report.id}.${extension}`,
    size: file.size,
    digest: file.sha256,
    headers: headersOf(format),
    read,
  });
}

/**
 * An HTML report to show in a browser. The sandbox of its policy gives it an origin of its own, so that it has none of the
 * rights of the site that shows it.
 */
export function previewOf({ report, subjectName, file, read }: ReadyReport): Attachment {
  if (report.options.format !== 'html') throw notFound('Preview');
  return new Attachment({
    contentType: FORMATS.html.contentType,
    name: `${subjectName}, report ${report.id}.html`,
    isInline: true,
    size: file.size,
    digest: file.sha256,
    headers: headersOf('html'),
    read,
  });
}

/** The names that other systems expect. examples/pipeline.sh uses the same. */
const JOB_FILE_NAMES: Readonly<Record<JobReportFormat, string>> = {
  json: 'assay.json',
  sarif: 'assay.sarif',
  gitlab: 'gl-dast-report.json',
  junit: 'assay-junit.xml',
  csv: 'assay.csv',
};

/** The report of a job, which is not stored. */
export function attachmentOfJob({ format, content, sha256 }: JobReport): Attachment {
  return new Attachment({
    contentType: FORMATS[format].contentType,
    name: JOB_FILE_NAMES[format],
    size: content.length,
    digest: sha256,
    read: (range) => piecesOf(content, range),
  });
}
