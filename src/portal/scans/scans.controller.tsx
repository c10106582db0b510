import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { JobsService } from '../../modules/jobs';
import { attachmentOfJob, JobReportQuery, JobReportsService } from '../../modules/reports';
import type { Attachment } from '../../platform/http/attachment';
import { Fragment, Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { Changes } from '../http/route-metadata';
import { LiveStreams } from '../live/live-streams';
import { scanUrl } from '../urls';
import { isRunning, ScanPage } from './scan-page';
import { ScanReader } from './scan-reader';
import { ScansPage } from './scans-page';
import { ScanForm, ScansQuery } from './scans.requests';

const RELOAD_SECONDS = 5;

@Controller('o/:organization/scans')
export class ScansController {
  constructor(
    private readonly reader: ScanReader,
    private readonly jobs: JobsService,
    private readonly reports: JobReportsService,
    private readonly streams: LiveStreams,
  ) {}

  @Get()
  async list(
    @InOrganization() place: Place,
    @Query() { slice: page, failed: isFailed = false }: ScansQuery,
    @Req() { originalUrl: url, refusedForm }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.list(place, { page, isFailed }, refusedForm);
    return new Page('Scans', <ScansPage {...{ view, page, url, isFailed }} />, 'scans');
  }

  @Post()
  @Changes({ operation: 'job.launch', resource: 'job' })
  async launch(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { url, beacon_id: beaconId = null, selectedChecks: checks }: ScanForm,
  ): Promise<SeeOther> {
    const uuid = await this.jobs.launch(caller, { url, organizationId, beaconId, eventSlug: null, checks });
    return new SeeOther(scanUrl(organizationId, uuid));
  }

  @Get(':uuid')
  async show(@InOrganization() place: Place<'job'>): Promise<Page> {
    const view = await this.reader.read(place);
    return new Page('Scan', <ScanPage view={view} />, 'scans', {
      tabTitle: `Scan of ${view.summary.job.url}`,
      reloadSeconds: isRunning(view) ? RELOAD_SECONDS : undefined,
    });
  }

  /** The page below its title, for a page that is shown already. */
  @Get(':uuid/live')
  async live(@InOrganization() place: Place<'job'>): Promise<Fragment> {
    return new Fragment(<ScanPage view={await this.reader.read(place)} />);
  }

  @Get(':uuid/progress')
  async progress(
    @InOrganization() { organizationId, job: { uuid } }: Place<'job'>,
    @Req() request: PortalRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.streams.open(request, response, this.reader.follow(organizationId, uuid));
  }

  @Get(':uuid/report')
  async report(
    @InOrganization() { caller, job: { uuid } }: Place<'job'>,
    @Query() query: JobReportQuery,
  ): Promise<Attachment> {
    return attachmentOfJob(await this.reports.read(caller.scope, uuid, query));
  }

  @Post(':uuid/cancel')
  @Changes({ operation: 'job.cancel', resource: 'job', id: 'uuid' })
  async cancel(@InOrganization() { caller, organizationId, job: { uuid } }: Place<'job'>): Promise<SeeOther> {
    await this.jobs.cancel(caller, uuid);
    return new SeeOther(scanUrl(organizationId, uuid));
  }
}
