import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import type { Report } from '../data/report.entity';
import { ReportsRepository } from '../data/reports.repository';
import { annexNotice } from '../domain/report-annex';
import type { ReportContents } from '../domain/report-comparison';
import { contentsOf } from '../domain/report-snapshot';
import { ReportGenerationError } from '../domain/report.errors';
import { vexNotice } from '../domain/vex-notice';
import { ReportFiles } from '../report-files';
import { REPORT_WORK_KIND } from '../reports.service';
import { Metrics } from '../../../platform/metrics/metrics';
import { isVex, REPORT_FORMATS } from '../domain/report-options';
import { SnapshotReader } from '../snapshot-reader';
import { RenderingProcess } from './rendering-process';

const scope = everything('a worker generates the reports of all organizations');

const INTERNAL_FAILURE = 'Something failed on our side. Order it again.';

/** Generates a report: reads one consistent snapshot, renders it and stores the file. */
@Injectable()
@WorkKind(REPORT_WORK_KIND)
export class ReportGeneration implements WorkHandler {
  /** Each report is in memory more than once while it is generated. */
  readonly maxConcurrent = 2;
  private readonly ended = this.metrics.counter({
    name: 'assay_reports_total',
    help: 'Reports that were generated, or that failed',
    labels: { format: REPORT_FORMATS, result: ['generated', 'failed'] },
  });

  constructor(
    private readonly reports: ReportsRepository,
    private readonly snapshots: SnapshotReader,
    private readonly rendering: RenderingProcess,
    private readonly files: ReportFiles,
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: Metrics,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const ordered = await this.reports.findPending(scope, Number(claim.reference));
    // The event or organization was deleted, or the report has ended: only the claim is left to release.
    if (ordered === undefined) return this.completion(claim, async () => undefined);
    try {
      const snapshot = await this.snapshots.read(ordered);
      const content = await this.rendering.render(snapshot, signal);
      const notice = isVex(ordered.options.format) ? vexNotice(snapshot.findings) : annexNotice(snapshot);
      const contents = contentsOf(snapshot);
      return this.completion(claim, (report) => this.keep(report, content, notice, contents));
    } catch (error) {
      if (error instanceof ReportGenerationError) return this.failure(claim, error.message);
      throw error;
    }
  }

  abandon(claim: Claim, error: string): Completion {
    return this.failure(claim, INTERNAL_FAILURE, { error });
  }

  private async keep(
    { id, organizationId, options }: Report,
    content: Buffer,
    notice: string | null,
    contents: ReportContents,
  ): Promise<void> {
    const { id: fileId, sha256, size } = await this.files.put(organizationId, content);
    await this.reports.saveGenerated(id, fileId, notice, contents);
    const { format } = options;
    this.unitOfWork.note({ metadata: { format, sha256, size, notice } });
    this.unitOfWork.afterCommit(() => this.ended({ format, result: 'generated' }));
  }

  private failure(claim: Claim, reason: string, metadata?: Record<string, unknown>): Completion {
    const fail = async ({ id, options: { format } }: Report): Promise<void> => {
      await this.reports.saveFailed(id, reason);
      this.unitOfWork.afterCommit(() => this.ended({ format, result: 'failed' }));
    };
    const { audit, apply } = this.completion(claim, fail, { reason, ...metadata });
    return { audit: { ...audit, outcome: 'failure' }, apply };
  }

  private completion(
    claim: Claim,
    write: (report: Report) => Promise<void>,
    metadata?: Record<string, unknown>,
  ): Completion {
    return {
      audit: workAudit(claim, { operation: 'report.generate', resourceType: 'report', metadata }),
      apply: async () => {
        const report = await this.reports.lockPending(scope, Number(claim.reference));
        if (report !== undefined) await write(report);
      },
    };
  }
}
