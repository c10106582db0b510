import { Body, Controller, Get, Query, Req, Res } from '@nestjs/common';
import { type EvidenceKeyListResponse, presentEvidenceKey, SigningKeysService } from '../../modules/evidence';
import type { Response } from 'express';
import { ChangeFindingStatusRequest, FindingAttachmentsService, FindingsService } from '../../modules/findings';
import {
  GiveVerdictRequest,
  presentEvidence,
  type RetestEvidenceResponse,
  RetestsService,
} from '../../modules/retests';
import { TicketsService, TrackersService } from '../../modules/trackers';
import { PageQuery } from '../../platform/http/page-query';
import { Fragment, Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { LiveStreams } from '../live/live-streams';
import { findingUrl } from '../urls';
import { FindingActions, FindingPage, LiveFinding } from './finding-page';
import { FindingReader } from './finding-reader';
import { SightingsPage } from './sightings';
import { followedRetest } from './retest-progress';
import { isUnderWay } from './retest-panel';

const RELOAD_SECONDS = 5;

@Controller('o/:organization/findings/:finding_id')
export class FindingController {
  constructor(
    private readonly reader: FindingReader,
    private readonly findings: FindingsService,
    private readonly attachments: FindingAttachmentsService,
    private readonly retests: RetestsService,
    private readonly keys: SigningKeysService,
    private readonly streams: LiveStreams,
    private readonly tickets: TicketsService,
    private readonly trackers: TrackersService,
  ) {}

  @Get()
  async show(@InOrganization() place: Place<'finding'>): Promise<Page> {
    const view = await this.reader.read(place);
    const { id, title } = view.finding;
    const { caller, organizationId } = place;
    const attachments = await this.attachments.list(caller.scope, { organizationId, findingId: id });
    const ticket = await this.tickets.find(caller.scope, id);
    const trackers = await this.trackers.listUsableOfVisible(organizationId, caller.scope);
    const tickets = { ticket, trackers };
    return new Page(title, <FindingPage {...{ view, attachments, tickets }} />, 'findings', {
      actions: <FindingActions view={view} />,
      tabTitle: `#${id} ${title}`,
      reloadSeconds: isUnderWay(view) ? RELOAD_SECONDS : undefined,
    });
  }

  @Get('sightings')
  async sightings(
    @InOrganization() place: Place<'finding'>,
    @Query() { slice: page }: PageQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.readSightings(place, page);
    return new Page('Sightings', <SightingsPage {...{ view, page, url }} />, 'findings', {
      tabTitle: `Sightings of #${place.finding.id}`,
      within: { label: place.finding.title, href: findingUrl(place.organizationId, place.finding.id) },
    });
  }

  /** The part of the page that changes while a retest runs. */
  @Get('live')
  async live(@InOrganization() place: Place<'finding'>): Promise<Fragment> {
    return new Fragment(<LiveFinding view={await this.reader.read(place)} />);
  }

  @Get('progress')
  async progress(
    @InOrganization() { organizationId, finding: { id } }: Place<'finding'>,
    @Req() request: PortalRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.streams.open(request, response, followedRetest(this.retests, organizationId, id));
  }

  @Get('evidence.json')
  async evidence(@InOrganization() { caller, finding: { id } }: Place<'finding'>): Promise<RetestEvidenceResponse> {
    const { retest, evidence } = await this.retests.evidence(caller.scope, id);
    return presentEvidence(retest, evidence);
  }

  /** The public keys that verify the evidence. */
  @Get('keys.json')
  async evidenceKeys(): Promise<EvidenceKeyListResponse> {
    return { keys: (await this.keys.list()).map(presentEvidenceKey) };
  }

  @PostChange('status', { operation: 'finding.status_update', resource: 'finding', id: 'finding_id' })
  async changeStatus(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
    @Body() change: ChangeFindingStatusRequest,
  ): Promise<SeeOther> {
    await this.findings.changeStatus(caller, id, change);
    return new SeeOther(findingUrl(organizationId, id));
  }

  @PostChange('retest', { operation: 'retest.start', resource: 'retest' })
  async startRetest(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
  ): Promise<SeeOther> {
    await this.retests.start(caller, { findingId: id });
    return new SeeOther(findingUrl(organizationId, id));
  }

  @PostChange('retest/verdict', { operation: 'retest.verdict', resource: 'retest' })
  async giveVerdict(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
    @Body() { result, comment = null }: GiveVerdictRequest,
  ): Promise<SeeOther> {
    await this.retests.giveVerdict(caller, id, { result, comment });
    return new SeeOther(findingUrl(organizationId, id));
  }

  @PostChange('retest/cancel', { operation: 'retest.cancel', resource: 'retest' })
  async cancelRetest(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
  ): Promise<SeeOther> {
    await this.retests.cancel(caller, id);
    return new SeeOther(findingUrl(organizationId, id));
  }
}
