import { Attachment } from '../../../platform/http/attachment';
import type { ReportFormat } from '../domain/report-options';
import { FORMATS } from '../rendering/formats';
import type { ReadyReport } from '../reports.service';

/** If a browser opens the file, it runs no scripts and makes no requests. */
const CONTENT_SECURITY_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const headersOf = (format: ReportFormat): Record<string, string> =>
  format === 'html' ? { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } : {};

/** A report as a download. */
export function attachmentOf({ report, file, read }: ReadyReport): Attachment {
  const { format } = report.options;
  const { contentType, extension } = FORMATS[format];
  return new Attachment({
    contentType,
    name: `${report.eventName}, report ${report.id}.${extension}`,
    size: file.size,
    digest: file.sha256,
    headers: headersOf(format),
    read,
  });
}
