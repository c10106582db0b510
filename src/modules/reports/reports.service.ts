import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import { everything, type Scope } from '../../platform/api/scope';
import { StoredRows } from '../../platform/limits/stored-rows';
import { TenantTurns } from '../../platform/work/tenant-turns';
import { Scheduled } from '../../platform/work/work-handler';
import { Work } from '../../platform/work/work';
import { OrganizationsService } from '../organizations';
import type { Report } from './data/report.entity';
import { type ReportKey, ReportsRepository, type ReportWithFile, type StartedReport } from './data/reports.repository';
import type { ReportSubject } from './domain/report-subject';
import type { ReportContents } from './domain/report-comparison';
import {
  notComparable,
  reportFailed,
  reportNotFound,
  reportNotReady,
  tooManyUnfinishedReports,
} from './domain/report.errors';
import { completeOptions, type ReportOptions } from './domain/report-options';
import { type RequestedPeriod, periodOf } from './domain/report-period';
import { ReportFiles, type StoredFile } from './report-files';
import { ReportSubjects } from './report-subjects';

export const REPORT_WORK_KIND = 'report.generate';

/** Of one organization. */
const MAX_UNFINISHED = 20;
const MAX_COMPARABLE = 50;

const removal = everything('the files of all organizations are removed');

export interface ReportOrder extends RequestedPeriod {
  readonly options: ReportOptions;
}

/** A report that can be downloaded. */
export interface ReadyReport {
  readonly report: ReportWithFile;
  /** For the name of the file. */
  readonly subjectName: string;
  readonly file: StoredFile;
  read(range: { readonly from: number; readonly to: number }): AsyncIterable<Buffer>;
}

@Injectable()
export class ReportsService {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly files: ReportFiles,
    private readonly subjects: ReportSubjects,
    private readonly organizations: OrganizationsService,
    private readonly stored: StoredRows,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: TenantTurns,
  ) {}

  @OwnerOf('report')
  async ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return (await this.reports.findOne(scope, Number(id)))?.organizationId;
  }

  async get(scope: Scope, id: number): Promise<Report> {
    const report = await this.reports.findOne(scope, id);
    if (report === undefined) throw reportNotFound();
    return report;
  }

  list(scope: Scope, page: Page): Promise<Slice<Report>> {
    return this.reports.listFor(scope, page);
  }

  newestOfEvent(scope: Scope, eventId: number, limit: number): Promise<Report[]> {
    return this.reports.listNewestOfEvent(scope, eventId, limit);
  }

  /** Cancels its work before it locks the report, in the order of the worker that generates it. */
  async delete(caller: Caller, id: number): Promise<void> {
    const { organizationId } = await this.get(caller.scope, id);
    this.unitOfWork.note({ organizationId });
    caller.requireRole('admin', organizationId);
    await this.work.cancel(REPORT_WORK_KIND, String(id));
    const { options, generationDate } = orThrow(await this.reports.lockOne(caller.scope, id), reportNotFound);
    this.unitOfWork.note({
      metadata: { format: options.format, generation_date: generationDate?.toISOString() ?? null },
    });
    await this.reports.remove(id);
  }

  /** The file of a report, once it is generated. */
  async download(scope: Scope, id: number): Promise<ReadyReport> {
    const report = await this.reports.findWithFile(scope, id);
    if (report === undefined) throw reportNotFound();
    const { file, error } = report;
    if (error !== null) throw reportFailed(error);
    if (file === null) throw reportNotReady();
    const subjectName = await this.subjects.nameOf(scope, report);
    return { report, subjectName, file, read: (range) => this.files.read(file, range) };
  }

  /** Records a report with all its options. A worker generates it. */
  async create(caller: Caller, subject: ReportSubject, { options: sent, ...stated }: ReportOrder): Promise<number> {
    const options = completeOptions(sent);
    // The texts are in the report, and are too long for the audit log.
    const { texts: _texts, ...noted } = options;
    const { organizationId, eventId, jobUuid, metadata, defaultPeriod } = await this.subjects.find(
      caller.scope,
      subject,
    );
    this.unitOfWork.note({ organizationId, metadata: { ...metadata, options: noted } });
    caller.requireRole('member', organizationId);
    await this.subjects.requireOwner(organizationId, options.owner);
    const period = periodOf(stated, defaultPeriod());
    await this.requireComparable(caller.scope, { organizationId, eventId, jobUuid }, options.compare_with);
    await this.organizations.lockForCounting(caller.scope, organizationId);
    if ((await this.reports.countUnfinishedOfLocked(organizationId)) >= MAX_UNFINISHED) {
      throw tooManyUnfinishedReports(MAX_UNFINISHED);
    }
    if (await this.stored.isFull(organizationId, 'reports')) await this.reports.removeOldest(organizationId);
    const startedBy = caller.waitingUserId;
    const id = await this.reports.save({ organizationId, eventId, jobUuid, options, startedBy, ...period });
    await this.work.enqueue({
      kind: REPORT_WORK_KIND,
      reference: String(id),
      organizationId,
      ...(eventId !== null && { eventId }),
    });
    const { startDate: start_date, endDate: end_date } = period;
    this.unitOfWork.note({ resourceId: String(id), metadata: { start_date, end_date } });
    return id;
  }

  /** Reports that one of this subject can be compared with, newest first. */
  async listComparable(scope: Scope, subject: ReportSubject): Promise<Report[]> {
    return this.reports.listComparable(scope, await this.subjects.find(scope, subject), MAX_COMPARABLE);
  }

  /** What a generated report of the scope has. Earlier versions did not store it. */
  async contents(scope: Scope, id: number): Promise<ReportContents | undefined> {
    return (await this.reports.findEarlier(scope, id))?.contents;
  }

  private async requireComparable(scope: Scope, report: ReportKey, id: number | null): Promise<void> {
    if (id === null) return;
    const earlier = await this.reports.findEarlier(scope, id);
    const isSame = (['organizationId', 'eventId', 'jobUuid'] as const).every((key) => earlier?.[key] === report[key]);
    if (!isSame) throw notComparable(id);
  }

  /** Of an organization that the caller has checked. */
  listStartedOfVisible(organizationId: number, ids: readonly number[]): Promise<StartedReport[]> {
    return this.reports.listStartedOfVisible(organizationId, ids);
  }

  /** Reports are deleted with their events. Their files follow, unless another report uses the same file. */
  @Scheduled({ name: 'report.forget_files', everySeconds: 3_600 })
  async removeUnusedFiles(): Promise<void> {
    await this.turns.sweep('report.forget_files', removal, (part) => this.files.removeUnusedBatch(part));
  }
}
