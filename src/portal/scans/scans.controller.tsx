import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { JobsService } from '../../modules/jobs';
import { attachmentOfJob, JobReportQuery, JobReportsService } from '../../modules/reports';
import type { Caller } from '../../platform/api/caller';
import type { Attachment } from '../../platform/http/attachment';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { PathUuid } from '../../platform/http/path-uuid';
import { Fragment, Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
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
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Query() { slice: page }: ScansQuery,
    @Req() { originalUrl: url, refusedForm }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.list(caller, organizationId, page, refusedForm);
    return new Page('Scans', <ScansPage {...{ view, page, url }} />, 'scans');
  }

  @Post()
  @Changes({ operation: 'job.launch', resource: 'job' })
  async launch(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Body() { url, beacon_id: beaconId = null, selectedChecks: checks }: ScanForm,
  ): Promise<SeeOther> {
    const uuid = await this.jobs.launch(caller, { url, organizationId, beaconId, eventSlug: null, checks });
    return new SeeOther(scanUrl(organizationId, uuid));
  }

  @Get(':uuid')
  async show(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathUuid('uuid') uuid: string,
  ): Promise<Page> {
    const view = await this.reader.read(caller, organizationId, uuid);
    return new Page('Scan', <ScanPage view={view} />, 'scans', {
      tabTitle: `Scan of ${view.summary.job.url}`,
      reloadSeconds: isRunning(view) ? RELOAD_SECONDS : undefined,
    });
  }

  /** The page below its title, for a page that is shown already. */
  @Get(':uuid/live')
  async live(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathUuid('uuid') uuid: string,
  ): Promise<Fragment> {
    return new Fragment(<ScanPage view={await this.reader.read(caller, organizationId, uuid)} />);
  }

  @Get(':uuid/progress')
  async progress(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathUuid('uuid') uuid: string,
    @Req() request: PortalRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.reader.requireScan(caller, organizationId, uuid);
    this.streams.open(request, response, this.reader.follow(organizationId, uuid));
  }

  @Get(':uuid/report')
  async report(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathUuid('uuid') uuid: string,
    @Query() query: JobReportQuery,
  ): Promise<Attachment> {
    await this.reader.requireScan(caller, organizationId, uuid);
    return attachmentOfJob(await this.reports.read(caller.scope, uuid, query));
  }

  @Post(':uuid/cancel')
  @Changes({ operation: 'job.cancel', resource: 'job', id: 'uuid' })
  async cancel(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathUuid('uuid') uuid: string,
  ): Promise<SeeOther> {
    await this.reader.requireScan(caller, organizationId, uuid);
    await this.jobs.cancel(caller, uuid);
    return new SeeOther(scanUrl(organizationId, uuid));
  }
}
