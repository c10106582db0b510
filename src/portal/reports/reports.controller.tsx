import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { attachmentOf, previewOf, ReportsService } from '../../modules/reports';
import { Scope } from '../../platform/api/scope';
import { PageQuery } from '../../platform/http/page-query';
import type { Attachment } from '../../platform/http/attachment';
import { Fragment, Page, SeeOther } from '../frame/page';
import { keepTyped } from '../http/form-again';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { ChangesNothing, PostChange } from '../http/route-metadata';
import { LiveStreams } from '../live/live-streams';
import { reportsUrl, reportUrl } from '../urls';
import { GeneratingPart, isGenerating, LiveReport, ReportPage } from './report-page';
import { type NewReportView, ReportReader } from './report-reader';
import { NewReport, ReportsPage, stateOf, subjectText } from './reports-page';
import { NewReportPage } from './new-report-page';
import { ReportSize } from './report-content';
import {
  aboutTyped,
  keptFields,
  NewReportQuery,
  orderOfForm,
  orderTyped,
  ReportForm,
  subjectOf,
} from './reports.requests';

const RELOAD_SECONDS = 5;

const newReportPage = (view: NewReportView): Page => new Page('New report', <NewReportPage view={view} />, 'reports');

@Controller('o/:organization/reports')
export class ReportsController {
  constructor(
    private readonly reader: ReportReader,
    private readonly reports: ReportsService,
    private readonly streams: LiveStreams,
  ) {}

  @Get()
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { slice: page }: PageQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.list(caller, organizationId, page);
    return new Page('Reports', <ReportsPage {...{ view, page, url }} />, 'reports', {
      actions: view.mayOrder && <NewReport organizationId={organizationId} />,
    });
  }

  @Get('new')
  async prepare(
    @InOrganization() place: Place,
    @Query() query: NewReportQuery,
    @Req() { refusedForm }: PortalRequest,
  ): Promise<Page> {
    const typed = refusedForm?.fields;
    const order = typed && (await orderTyped(typed));
    return newReportPage(await this.reader.prepare(place, aboutTyped(query, typed ?? {}), order));
  }

  /** For another subject or kind, or with a draft. What was typed stays. With scripts, only what the report will have. */
  @Post('new')
  @ChangesNothing()
  async prepareAgain(
    @InOrganization() place: Place,
    @Query() query: NewReportQuery,
    @Req() request: PortalRequest,
  ): Promise<Page | Fragment> {
    const typed = (request.body ?? {}) as Record<string, unknown>;
    const kept = keptFields(typed, query);
    const view = await this.reader.prepare(place, aboutTyped(query, typed), await orderTyped(kept));
    if (request.get('hx-request') !== undefined) return new Fragment(<ReportSize facts={view.facts} />);
    keepTyped(request, reportsUrl(place.organizationId), kept);
    return newReportPage(view);
  }

  @PostChange('', { operation: 'report.create', resource: 'report' })
  async create(@InOrganization() { caller, organizationId }: Place, @Body() form: ReportForm): Promise<SeeOther> {
    const subject = subjectOf(form, organizationId);
    await this.reader.requireSubject(caller, organizationId, subject);
    const id = await this.reports.create(caller, subject, orderOfForm(form));
    return new SeeOther(reportUrl(organizationId, id));
  }

  @Get(':report_id')
  async show(@InOrganization() place: Place<'report'>): Promise<Page> {
    const view = await this.reader.read(place);
    const title = view.report.options.title_page.title ?? subjectText(view.report, view.event ? [view.event] : []);
    return new Page(title, <ReportPage view={view} />, 'reports', {
      tabTitle: `Report ${view.report.id}`,
      reloadSeconds: isGenerating(view) ? RELOAD_SECONDS : undefined,
    });
  }

  @Get(':report_id/live')
  async live(@InOrganization() place: Place<'report'>): Promise<Fragment> {
    return new Fragment(<LiveReport view={await this.reader.read(place)} />);
  }

  @Get(':report_id/progress')
  follow(
    @InOrganization() { organizationId, report: { id } }: Place<'report'>,
    @Req() request: PortalRequest,
    @Res() response: Response,
  ): void {
    const scope = Scope.organizations([organizationId]);
    this.streams.open(request, response, {
      key: `report ${id}`,
      organizationId,
      read: async () => {
        const state = stateOf(await this.reports.get(scope, id));
        return { state, isOver: state !== 'being_generated', isMoving: false };
      },
      render: () => <GeneratingPart />,
    });
  }

  @Get(':report_id/download')
  async download(@InOrganization() { caller, report: { id } }: Place<'report'>): Promise<Attachment> {
    return attachmentOf(await this.reports.download(caller.scope, id));
  }

  /** An HTML report in a tab of its own, with a policy of its own. */
  @Get(':report_id/preview')
  async preview(@InOrganization() { caller, report: { id } }: Place<'report'>): Promise<Attachment> {
    return previewOf(await this.reports.download(caller.scope, id));
  }

  @PostChange(':report_id/delete', { operation: 'report.delete', resource: 'report', id: 'report_id' })
  async delete(@InOrganization() { caller, organizationId, report: { id } }: Place<'report'>): Promise<SeeOther> {
    await this.reports.delete(caller, id);
    return new SeeOther(reportsUrl(organizationId));
  }
}
