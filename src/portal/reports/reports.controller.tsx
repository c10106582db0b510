import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { attachmentOf, previewOf, ReportsService } from '../../modules/reports';
import type { Caller } from '../../platform/api/caller';
import type { Attachment } from '../../platform/http/attachment';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Fragment, Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { Changes } from '../http/route-metadata';
import { reportsUrl, reportUrl } from '../urls';
import { isGenerating, LiveReport, ReportPage } from './report-page';
import { ReportReader } from './report-reader';
import { ReportsPage, subjectText } from './reports-page';
import { orderOfForm, ReportForm, ReportsQuery, subjectOf } from './reports.requests';

const RELOAD_SECONDS = 5;

@Controller('o/:organization/reports')
export class ReportsController {
  constructor(
    private readonly reader: ReportReader,
    private readonly reports: ReportsService,
  ) {}

  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Query() query: ReportsQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.list(caller, organizationId, query.slice);
    return new Page('Reports', <ReportsPage {...{ view, query, page: query.slice, url }} />, 'reports');
  }

  @Post()
  @Changes({ operation: 'report.create', resource: 'report' })
  async create(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Body() form: ReportForm,
  ): Promise<SeeOther> {
    const subject = subjectOf(form, organizationId);
    await this.reader.requireSubject(caller, organizationId, subject);
    const id = await this.reports.create(caller, subject, orderOfForm(form));
    return new SeeOther(reportUrl(organizationId, id));
  }

  @Get(':report_id')
  async show(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('report_id') id: number,
  ): Promise<Page> {
    const view = await this.reader.read(caller, organizationId, id);
    const title = view.report.options.title_page.title ?? subjectText(view.report, view.event ? [view.event] : []);
    return new Page(title, <ReportPage view={view} />, 'reports', {
      tabTitle: `Report ${id}`,
      reloadSeconds: isGenerating(view) ? RELOAD_SECONDS : undefined,
    });
  }

  @Get(':report_id/live')
  async live(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('report_id') id: number,
  ): Promise<Fragment> {
    return new Fragment(<LiveReport view={await this.reader.read(caller, organizationId, id)} />);
  }

  @Get(':report_id/download')
  async download(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('report_id') id: number,
  ): Promise<Attachment> {
    await this.reader.requireReport(caller, organizationId, id);
    return attachmentOf(await this.reports.download(caller.scope, id));
  }

  /** An HTML report in a tab of its own, with a policy of its own. */
  @Get(':report_id/preview')
  async preview(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('report_id') id: number,
  ): Promise<Attachment> {
    await this.reader.requireReport(caller, organizationId, id);
    return previewOf(await this.reports.download(caller.scope, id));
  }

  @Post(':report_id/delete')
  @Changes({ operation: 'report.delete', resource: 'report', id: 'report_id' })
  async delete(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('report_id') id: number,
  ): Promise<SeeOther> {
    await this.reader.requireReport(caller, organizationId, id);
    await this.reports.delete(caller, id);
    return new SeeOther(reportsUrl(organizationId));
  }
}
