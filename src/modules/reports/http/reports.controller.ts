import { Body, Controller, Query } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Caller } from '../../../platform/api/caller';
import { retryWhileUnavailable } from '../../../platform/database/retry-while-unavailable';
import { Acknowledgement, accepted } from '../../../platform/http/acknowledgement';
import type { Attachment } from '../../../platform/http/attachment';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { PathSlug } from '../../../platform/http/path-slug';
import { PathUuid } from '../../../platform/http/path-uuid';
import { PageQuery } from '../../../platform/http/page-query';
import { RetryDeadline } from '../../../platform/http/retry-deadline';
import { JobReportsService } from '../job-reports.service';
import { ReportsService } from '../reports.service';
import { attachmentOf, attachmentOfJob } from './report-attachment';
import { CreateJobReportRequest, CreateReportRequest, jobOrderOf, JobReportQuery, orderOf } from './report.requests';
import { ReportListResponse, ReportResponse, presentReport } from './report.responses';
import * as operations from './reports.operations';
import { GENERATING } from './reports.operations';

@Controller()
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly jobReports: JobReportsService,
  ) {}

  @operations.listReports
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<PagedBody<ReportListResponse>> {
    const slice = await this.reports.list(caller.scope, query.slice);
    return new PagedBody({ reports: slice.items.map(presentReport) }, query.slice, slice);
  }

  @operations.getReport
  async get(@CurrentCaller() caller: Caller, @PathId('report_id') id: number): Promise<ReportResponse> {
    return presentReport(await this.reports.get(caller.scope, id));
  }

  @operations.downloadReport
  @ApiHeader({ name: 'Range', required: false, description: 'One range of bytes, such as bytes=0-1023.' })
  @ApiHeader({ name: 'If-Range', required: false, description: 'The ETag of the file that the range belongs to.' })
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'An ETag. The response is 304 if the file still has it.',
  })
  async download(@CurrentCaller() caller: Caller, @PathId('report_id') id: number): Promise<Attachment> {
    return attachmentOf(await this.reports.download(caller.scope, id));
  }

  @operations.createReport
  async create(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @Body() body: CreateReportRequest,
  ): Promise<Acknowledgement> {
    return accepted(GENERATING, await this.reports.create(caller, { kind: 'event', slug }, orderOf(body)));
  }

  @operations.createOrganizationReport
  async createForOrganization(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @Body() body: CreateReportRequest,
  ): Promise<Acknowledgement> {
    return accepted(GENERATING, await this.reports.create(caller, { kind: 'organization', id }, orderOf(body)));
  }

  @operations.createJobReport
  async createForJob(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') uuid: string,
    @Body() body: CreateJobReportRequest,
  ): Promise<Acknowledgement> {
    return accepted(GENERATING, await this.reports.create(caller, { kind: 'job', uuid }, jobOrderOf(body)));
  }

  @operations.getJobReport
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'An ETag. The response is 304 if the file still has it.',
  })
  async getForJob(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') uuid: string,
    @Query() { format, severity }: JobReportQuery,
    @RetryDeadline() deadline: number,
  ): Promise<Attachment> {
    const read = () => this.jobReports.read(caller.scope, uuid, { format, severity });
    return attachmentOfJob(await retryWhileUnavailable(read, deadline));
  }
}
