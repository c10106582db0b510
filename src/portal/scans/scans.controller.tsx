import { Body, Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { JobComparisonsService, JobsService } from '../../modules/jobs';
import { attachmentOfJob, JobReportQuery, JobReportsService } from '../../modules/reports';
import type { Attachment } from '../../platform/http/attachment';
import { Fragment, Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { LiveStreams } from '../live/live-streams';
import { timeZoneOf } from '../http/view-of';
import { scanUrl } from '../urls';
import { typedIn } from './event-choices';
import { ScanComparisonPage } from './scan-comparison-page';
import { nameOfScan } from './scan-name';
import { isRunning, ScanPage } from './scan-page';
import { ScanReader } from './scan-reader';
import { ScansPage } from './scans-page';
import { CompareQuery, ScanAgainForm, ScanForm, ScansQuery } from './scans.requests';

const RELOAD_SECONDS = 5;

@Controller('o/:organization/scans')
export class ScansController {
  constructor(
    private readonly reader: ScanReader,
    private readonly comparisons: JobComparisonsService,
    private readonly jobs: JobsService,
    private readonly reports: JobReportsService,
    private readonly streams: LiveStreams,
  ) {}

  @Get()
  async list(
    @InOrganization() place: Place,
    @Query() { slice: page, failed: isFailed = false, ...query }: ScansQuery,
    @Req() { originalUrl: url, refusedForm }: PortalRequest,
  ): Promise<Page> {
    const typed = typedIn(refusedForm?.fields ?? query);
    const view = await this.reader.list(place, { page, isFailed, typed }, refusedForm);
    return new Page('Scans', <ScansPage {...{ view, page, url, isFailed }} />, 'scans');
  }

  @PostChange('', { operation: 'job.launch', resource: 'job' })
  async launch(
    @InOrganization() { caller, organizationId }: Place,
    @Body() form: ScanForm,
    @Req() { uploads }: PortalRequest,
  ): Promise<SeeOther> {
    const { url, beacon_id: beaconId = null, event_slug: eventSlug = null, selectedChecks: checks } = form;
    const har = uploads?.get('har')?.content.toString() ?? '';
    const seeds = { urls: form.seedUrls, har: har === '' ? null : har };
    const accounts = form.accounts ?? [];
    const order = {
      url,
      organizationId,
      beaconId,
      eventSlug,
      checks,
      depth: form.depth ?? 'standard',
      seeds,
      accounts,
    };
    const uuid = await this.jobs.launch(caller, order);
    return new SeeOther(scanUrl(organizationId, uuid));
  }

  @Get(':uuid')
  async show(@InOrganization() place: Place<'job'>, @Req() request: PortalRequest): Promise<Page> {
    const view = await this.reader.read(place);
    return new Page(nameOfScan(view.summary.job, timeZoneOf(request)), <ScanPage view={view} />, 'scans', {
      reloadSeconds: isRunning(view) ? RELOAD_SECONDS : undefined,
    });
  }

  @Get(':uuid/compare')
  async compare(
    @InOrganization() { caller, job }: Place<'job'>,
    @Query() { with: other }: CompareQuery,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const compared = await this.comparisons.compareVisible(caller.scope, job, other);
    const title = `What changed: ${nameOfScan(job, timeZoneOf(request))}`;
    return new Page(title, <ScanComparisonPage {...{ job, ...compared }} />, 'scans');
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

  /** The same target, with the same options. */
  @PostChange(':uuid/again', { operation: 'job.launch', resource: 'job' })
  async again(
    @InOrganization() { caller, organizationId, job }: Place<'job'>,
    @Body() { without_event: isWithoutEvent = false }: ScanAgainForm,
  ): Promise<SeeOther> {
    const { url, beaconId, checks, depth } = job;
    const accounts = (job.accounts ?? []).map(({ id }) => id);
    const event = isWithoutEvent ? null : await this.reader.eventOf(caller.scope, job);
    const eventSlug = event?.slug ?? null;
    const uuid = await this.jobs.launch(caller, { url, organizationId, beaconId, eventSlug, checks, depth, accounts });
    return new SeeOther(scanUrl(organizationId, uuid));
  }

  @PostChange(':uuid/cancel', { operation: 'job.cancel', resource: 'job', id: 'uuid' })
  async cancel(@InOrganization() { caller, organizationId, job: { uuid } }: Place<'job'>): Promise<SeeOther> {
    await this.jobs.cancel(caller, uuid);
    return new SeeOther(scanUrl(organizationId, uuid));
  }
}
