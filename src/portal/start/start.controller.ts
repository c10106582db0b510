import { Controller, Get, Redirect } from '@nestjs/common';
import { OrganizationsService } from '../../modules/organizations';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';

/** Leads to the first organization of a user; to the settings of one who has none. */
@Controller()
export class StartController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Redirect(undefined, 302)
  async show(@CurrentCaller() { scope }: Caller): Promise<{ readonly url: string }> {
    const first = await this.organizations.findFirst(scope);
    return { url: first === undefined ? '/settings/api' : `/o/${first.id}` };
  }
}
