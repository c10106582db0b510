import { Controller, Get, Redirect, Req } from '@nestjs/common';
import { ApiKeysService } from '../../modules/identity';
import { OrganizationsService } from '../../modules/organizations';
import { LinkedProviders } from '../../modules/providers';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import type { PortalRequest } from '../http/portal-request';
import { homeUrl } from '../urls';

/** Leads to the first organization of a user; to the keys of one who has none, or to the keys or providers that the user is asked about. */
@Controller()
export class StartController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly keys: ApiKeysService,
    private readonly linked: LinkedProviders,
  ) {}

  @Get()
  @Redirect(undefined, 302)
  async show(
    @CurrentCaller() caller: Caller,
    @Req() { portalSession }: PortalRequest,
  ): Promise<{ readonly url: string }> {
    if (await this.linked.hasToReview(caller)) return { url: '/settings/providers' };
    const hasToReview = await this.keys.hasToReview(caller);
    const first = await this.organizations.findFirst(caller.scope);
    // Its page says what is missing.
    const closed = portalSession?.unmet.find(({ isClosed }) => isClosed);
    if (first === undefined && closed !== undefined) return { url: homeUrl(closed.organizationId) };
    return { url: first === undefined || hasToReview ? '/settings/api' : homeUrl(first.id) };
  }
}
