import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { ReportSnapshot } from '../domain/report-snapshot';
import type { JobReportFormat } from '../domain/report-options';
import { JOB_REPORT_RENDERERS } from './job-report-renderers';

export interface JobReportOrder {
  readonly format: JobReportFormat;
  readonly snapshot: ReportSnapshot;
}

export interface RenderedJobReport {
  readonly content: Uint8Array;
  /** In hex. */
  readonly sha256: string;
}

async function render({ format, snapshot }: JobReportOrder): Promise<RenderedJobReport> {
  const content = await JOB_REPORT_RENDERERS[format].render(snapshot);
  return { content, sha256: createHash('sha256').update(content).digest('hex') };
}

/** The program of the threads of `JobReportRendering`. */
parentPort?.on('message', (order: JobReportOrder) => {
  void render(order).then((rendered) => parentPort?.postMessage(rendered, []));
});
parentPort?.postMessage('ready', []);
