import { Controller, Get, Query, Req } from '@nestjs/common';
import { AssetsService } from '../../modules/assets';
import { ActiveTestsService, PointsQuery, presentRequests } from '../../modules/jobs';
import type { Attachment } from '../../platform/http/attachment';
import { PageQuery } from '../../platform/http/page-query';
import { Page } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { timeZoneOf } from '../http/view-of';
import { LeftOutPage } from './left-out-page';
import { PointsPage } from './points-page';
import { WrittenPage } from './written-page';
import { nameOfScan } from './scan-name';

/** What an active scan has found and sent. */
@Controller('o/:organization/scans/:uuid')
export class ActiveScansController {
  constructor(
    private readonly tests: ActiveTestsService,
    private readonly assets: AssetsService,
  ) {}

  @Get('points')
  async points(
    @InOrganization() { caller, organizationId, job }: Place<'job'>,
    @Query() query: PointsQuery,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const { uuid } = job;
    const { slice: page, tested } = query;
    const slice = await this.tests.pointsOf(caller.scope, uuid, tested, page);
    const title = `Points of the site: ${nameOfScan(job, timeZoneOf(request))}`;
    return new Page(
      title,
      <PointsPage {...{ organizationId, uuid, slice, page, url: request.originalUrl }} />,
      'scans',
    );
  }

  @Get('left-out')
  async leftOut(
    @InOrganization() { caller, organizationId, job }: Place<'job'>,
    @Query() { slice: page }: PageQuery,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const { uuid, assetId } = job;
    const slice = await this.tests.leftOutOf(caller.scope, uuid, page);
    const title = `Left out of the site: ${nameOfScan(job, timeZoneOf(request))}`;
    const asset =
      assetId !== null && caller.hasRole('admin', organizationId) ? await this.assets.get(caller.scope, assetId) : null;
    return new Page(
      title,
      <LeftOutPage {...{ organizationId, uuid, slice, page, url: request.originalUrl, asset }} />,
      'scans',
    );
  }

  @Get('written')
  async written(
    @InOrganization() { caller, organizationId, job }: Place<'job'>,
    @Query() { slice: page }: PageQuery,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const { uuid } = job;
    const slice = await this.tests.writtenBy(caller.scope, uuid, page);
    const title = `Written to the site: ${nameOfScan(job, timeZoneOf(request))}`;
    return new Page(
      title,
      <WrittenPage {...{ organizationId, uuid, slice, page, url: request.originalUrl }} />,
      'scans',
    );
  }

  @Get('requests')
  async requests(@InOrganization() { caller, job: { uuid } }: Place<'job'>): Promise<Attachment> {
    return presentRequests(uuid, await this.tests.requestsOf(caller.scope, uuid));
  }
}
