import { Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/auth/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { PageQuery } from '../../../platform/http/query-fields';
import { defaultReportOptions } from '../domain/report-options';
import { ReportsService } from '../reports.service';
import { ReportListResponse, ReportResponse, presentReport } from './report.responses';

const example: ReportResponse = {
  id: 3,
  generation_date: null,
  start_date: '2026-01-01T00:00:00.000Z',
  end_date: '2026-01-31T23:59:59.999Z',
  created: '2026-02-01T09:00:00.000Z',
  options: defaultReportOptions,
  event_id: 5,
  error: null,
};

@Controller()
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Operation('GET /v1/reports/', {
    number: 'addition',
    id: 'listReports',
    tag: 'Reports',
    summary: 'List the reports that the caller may access',
    role: 'viewer',
    scope: 'read',
    success: {
      status: 200,
      description: 'The reports, newest first.',
      body: ReportListResponse,
      example: { reports: [example] },
      paged: true,
    },
    errors: [401, 403],
  })
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<PagedBody<ReportListResponse>> {
    const { items, more } = await this.reports.list(caller.scope, query.slice);
    return new PagedBody({ reports: items.map(presentReport) }, query.slice, more);
  }

  @Operation('GET /v1/reports/{report_id}/', {
    number: 22,
    id: 'getReport',
    tag: 'Reports',
    summary: 'Read the record of a report',
    role: 'viewer',
    scope: 'read',
    success: { status: 200, description: 'The report.', body: ReportResponse, example },
    errors: [401, 403, 404],
  })
  async get(@CurrentCaller() caller: Caller, @PathId('report_id') id: number): Promise<ReportResponse> {
    return presentReport(await this.reports.get(caller.scope, id));
  }
}
