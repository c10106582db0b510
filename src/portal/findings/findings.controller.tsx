import { Controller, Get, Query, Req } from '@nestjs/common';
import { FindingsService, SavedViewsService } from '../../modules/findings';
import { BeaconNames, RetestSummaryService } from '../../modules/retests';
import { countText } from '../frame/words';
import { Page } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { FindingsPage } from './findings-page';
import { FindingsQuery } from './findings.requests';
import { People } from './people';

@Controller('o/:organization/findings')
export class FindingsController {
  constructor(
    private readonly findings: FindingsService,
    private readonly retests: RetestSummaryService,
    private readonly savedViews: SavedViewsService,
    private readonly people: People,
    private readonly beacons: BeaconNames,
  ) {}

  @Get()
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: FindingsQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const { slice: page, order } = query;
    const { scope } = caller;
    const filter = query.filterFor(caller);
    const slice = await this.findings.list(scope, organizationId, filter, order, page);
    const counts = await this.findings.countByStatus(scope, organizationId);
    const lastRetests = await this.retests.lastOf(
      scope,
      slice.items.map(({ id }) => id),
    );
    const views = await this.savedViews.list(caller, organizationId);
    const assignable = await this.people.assignable(scope, organizationId);
    const assigned = slice.items.map(({ assigneeId }) => assigneeId);
    const people = new Map([...assignable, ...(await this.people.namesOf(assigned))]);
    const behind = slice.items.map(({ beaconId }) => beaconId);
    const beacons = await this.beacons.namesOf(scope, organizationId, behind);
    const mayChange = caller.hasRole('member', organizationId);
    const mayDecide = caller.hasRole('admin', organizationId);
    const lists = { slice, counts, lastRetests, views, people, assignable, beacons };
    return new Page(
      'Findings',
      <FindingsPage {...{ organizationId, query, page, ...lists, mayChange, mayDecide, url }} />,
      'findings',
      { tabTitle: `Findings (${countText(slice.total ?? 0)})` },
    );
  }
}
