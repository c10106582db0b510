import { Controller, Get, Query, Req } from '@nestjs/common';
import { type Finding, FindingLists, SavedViewsService } from '../../modules/findings';
import { BeaconNames, RetestSummaryService } from '../../modules/retests';
import { countText } from '../frame/words';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { findingUrl } from '../urls';
import { FindingsPage } from './findings-page';
import { FindingsQuery } from './findings.requests';
import { People } from './people';

@Controller('o/:organization/findings')
export class FindingsController {
  constructor(
    private readonly findings: FindingLists,
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
  ): Promise<Page | SeeOther> {
    const { slice: page, order, searchedId } = query;
    const { scope } = caller;
    if (searchedId !== undefined && (await this.findings.ownerOf(scope, String(searchedId))) === organizationId)
      return new SeeOther(findingUrl(organizationId, searchedId));
    const filter = query.filterFor(caller);
    const [slice, counts, views, assignable] = await Promise.all([
      this.findings.list(scope, organizationId, filter, order, page),
      this.findings.countByStatus(scope, organizationId),
      this.savedViews.list(caller, organizationId),
      this.people.assignable(scope, organizationId),
    ]);
    const shown = <Member extends keyof Finding>(member: Member) => slice.items.map((finding) => finding[member]);
    const [lastRetests, assigned, beacons] = await Promise.all([
      this.retests.lastOf(scope, shown('id')),
      this.people.namesOf(shown('assigneeId')),
      this.beacons.namesOf(scope, organizationId, shown('beaconId')),
    ]);
    const people = new Map([...assignable, ...assigned]);
    const mayChange = caller.hasRole('member', organizationId);
    const mayDecide = caller.hasRole('admin', organizationId);
    const lists = { slice, counts, lastRetests, views, people, assignable, beacons };
    return new Page(
      'Findings',
      <FindingsPage {...{ organizationId, query, page, ...lists, mayChange, mayDecide, url }} />,
      'findings',
      { tabTitle: slice.total === undefined ? undefined : `Findings (${countText(slice.total)})` },
    );
  }
}
