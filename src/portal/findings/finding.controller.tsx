import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { type EvidenceKeyListResponse, presentEvidenceKey, SigningKeysService } from '../../modules/evidence';
import type { Response } from 'express';
import { ChangeFindingStatusRequest, FindingsService } from '../../modules/findings';
import {
  GiveVerdictRequest,
  presentEvidence,
  type RetestEvidenceResponse,
  RetestsService,
} from '../../modules/retests';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PageQuery } from '../../platform/http/page-query';
import { PathId } from '../../platform/http/path-id';
import { Fragment, Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { Changes } from '../http/route-metadata';
import { LiveStreams } from '../live/live-streams';
import { findingUrl } from '../urls';
import { FindingPage, LiveFinding } from './finding-page';
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
    private readonly retests: RetestsService,
    private readonly keys: SigningKeysService,
    private readonly streams: LiveStreams,
  ) {}

  @Get()
  async show(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
  ): Promise<Page> {
    const view = await this.reader.read(caller, organizationId, id);
    return new Page(view.finding.title, <FindingPage view={view} />, 'findings', {
      tabTitle: `#${id} ${view.finding.title}`,
      reloadSeconds: isUnderWay(view) ? RELOAD_SECONDS : undefined,
    });
  }

  @Get('sightings')
  async sightings(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Query() { slice: page }: PageQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.readSightings(caller, organizationId, id, page);
    return new Page('Sightings', <SightingsPage {...{ view, page, url }} />, 'findings', {
      tabTitle: `Sightings of #${id}`,
    });
  }

  /** The part of the page that changes while a retest runs. */
  @Get('live')
  async live(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
  ): Promise<Fragment> {
    return new Fragment(<LiveFinding view={await this.reader.read(caller, organizationId, id)} />);
  }

  @Get('progress')
  async progress(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Req() request: PortalRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.reader.requireFinding(caller, organizationId, id);
    this.streams.open(request, response, followedRetest(this.retests, this.reader, organizationId, id));
  }

  @Get('evidence.json')
  async evidence(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
  ): Promise<RetestEvidenceResponse> {
    await this.reader.requireFinding(caller, organizationId, id);
    const { retest, evidence } = await this.retests.evidence(caller.scope, id);
    return presentEvidence(retest, evidence);
  }

  /** The public keys that verify the evidence. */
  @Get('keys.json')
  async evidenceKeys(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
  ): Promise<EvidenceKeyListResponse> {
    await this.reader.requireFinding(caller, organizationId, id);
    return { keys: (await this.keys.list()).map(presentEvidenceKey) };
  }

  @Post('status')
  @Changes({ operation: 'finding.status_update', resource: 'finding', id: 'finding_id' })
  async changeStatus(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() change: ChangeFindingStatusRequest,
  ): Promise<SeeOther> {
    await this.reader.requireFinding(caller, organizationId, id);
    await this.findings.changeStatus(caller, id, change);
    return new SeeOther(findingUrl(organizationId, id));
  }

  @Post('retest')
  @Changes({ operation: 'retest.start', resource: 'retest' })
  async startRetest(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
  ): Promise<SeeOther> {
    await this.reader.requireFinding(caller, organizationId, id);
    await this.retests.start(caller, { findingId: id });
    return new SeeOther(findingUrl(organizationId, id));
  }

  @Post('retest/verdict')
  @Changes({ operation: 'retest.verdict', resource: 'retest' })
  async giveVerdict(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
    @Body() { result, comment = null }: GiveVerdictRequest,
  ): Promise<SeeOther> {
    await this.reader.requireFinding(caller, organizationId, id);
    await this.retests.giveVerdict(caller, id, { result, comment });
    return new SeeOther(findingUrl(organizationId, id));
  }

  @Post('retest/cancel')
  @Changes({ operation: 'retest.cancel', resource: 'retest' })
  async cancelRetest(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('finding_id') id: number,
  ): Promise<SeeOther> {
    await this.reader.requireFinding(caller, organizationId, id);
    await this.retests.cancel(caller, id);
    return new SeeOther(findingUrl(organizationId, id));
  }
}
