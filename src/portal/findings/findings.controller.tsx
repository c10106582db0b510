import { Controller, Get, Query, Req } from '@nestjs/common';
import { FindingsService } from '../../modules/findings';
import { RetestSummaryService } from '../../modules/retests';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { countText } from '../frame/count';
import { Page } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { FindingsPage } from './findings-page';
import { FindingsQuery } from './findings.requests';

@Controller('o/:organization/findings')
export class FindingsController {
  constructor(
    private readonly findings: FindingsService,
    private readonly retests: RetestSummaryService,
  ) {}

  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Query() query: FindingsQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const { slice: page, order } = query;
    const { scope } = caller;
    const filter = query.filterFor(caller);
    const slice = await this.findings.list(scope, organizationId, filter, order, page);
    const counts = await this.findings.countByStatus(scope, organizationId);
    const ids = slice.items.map(({ id }) => id);
    const lastRetests = await this.retests.lastOf(scope, ids);
    return new Page(
      'Findings',
      <FindingsPage {...{ organizationId, query, page, slice, counts, lastRetests, url }} />,
      'findings',
      { tabTitle: `Findings (${countText(slice.total ?? 0)})` },
    );
  }
}
