import { Injectable } from '@nestjs/common';
import type { Severity } from '../../kernel/severity';
import type { Scope } from '../../platform/api/scope';
import { type Job, JobsService } from '../jobs';
import {
  ReportGenerationError,
  jobCanceled,
  jobIncomplete,
  jobNotOver,
  tooLargeForOneResponse,
} from './domain/report.errors';
import { defaultReportOptions, type JobReportFormat, type ReportOptions } from './domain/report-options';
import { JobReportRendering } from './job-report-rendering';
import { type SnapshotLimits, SnapshotReader } from './snapshot-reader';

export interface JobReport {
  readonly format: JobReportFormat;
  readonly content: Buffer;
  /** In hex. */
  readonly sha256: string;
}

/** Generated while a client waits, so far less than a worker may generate. */
const LIMITS: SnapshotLimits = { findings: 2_000, characters: 8 * 2 ** 20 };

const OPEN_STATUSES = [1, 2, 3, 4];

/** Their readers show every finding as open, whatever the document says of it. */
const LISTS_OPEN_FINDINGS: ReadonlySet<JobReportFormat> = new Set(['sarif', 'gitlab']);

const optionsFor = (format: JobReportFormat): ReportOptions => ({
  ...defaultReportOptions,
  format,
  include_evidence: false,
  statuses: LISTS_OPEN_FINDINGS.has(format) ? OPEN_STATUSES : [],
});

/** The reports of jobs that pipelines read. They are not stored: the same job and findings give the same bytes. */
@Injectable()
export class JobReportsService {
  constructor(
    private readonly jobs: JobsService,
    private readonly snapshots: SnapshotReader,
    private readonly rendering: JobReportRendering,
  ) {}

  async read(
    scope: Scope,
    uuid: string,
    { format, severity }: { readonly format: JobReportFormat; readonly severity?: Severity },
  ): Promise<JobReport> {
    const job = await this.jobs.get(scope, uuid);
    const { organizationId, created: startDate } = job;
    const endDate = endOf(job);
    const options = optionsFor(format);
    try {
      const subject = { id: null, organizationId, eventSlug: null, jobUuid: uuid, gateSeverity: severity };
      const order = { ...subject, options, startDate, endDate, taken: endDate };
      const snapshot = await this.snapshots.read(order, LIMITS);
      const rendered = await this.rendering.render({ format, snapshot }, `organization ${organizationId}`);
      return { format, ...rendered };
    } catch (error) {
      if (error instanceof ReportGenerationError) throw tooLargeForOneResponse(error.message);
      throw error;
    }
  }
}

/** The end of a finished job; an incomplete result would read as if the rest were fixed. */
function endOf({ status, finished, error }: Job): Date {
  if (status === 'CANCELED') throw jobCanceled();
  if (status === 'ERROR') throw jobIncomplete(error);
  if (finished === null) throw jobNotOver(status);
  return finished;
}
