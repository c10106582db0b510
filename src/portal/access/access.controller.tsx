import { Body, Controller, Get, Query, Req } from '@nestjs/common';
import { SignInRulesService } from '../../modules/identity';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { PostChange } from '../http/route-metadata';
import { accessUrl } from '../urls';
import { AccessPage } from './access-page';
import { AccessQuery, RulesForm } from './access.requests';

/** What owners require of sign-ins, sessions and API keys. */
@Controller('o/:organization/settings/access')
export class AccessController {
  constructor(private readonly rules: SignInRulesService) {}

  @Get()
  async show(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { slice: page }: AccessQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const rules = await this.rules.get(caller, organizationId);
    const keys = await this.rules.listKeys(caller, organizationId, page);
    const unused = await this.rules.listUnusedKeys(caller, organizationId);
    const shown = <AccessPage {...{ organizationId, rules, page, keys, unused, url }} />;
    return new Page('Settings', shown, 'settings', { tabTitle: 'Access' });
  }

  @PostChange('', { operation: 'settings.sign_in_rules_change', resource: 'settings' })
  async change(@InOrganization() { caller, organizationId }: Place, @Body() form: RulesForm): Promise<SeeOther> {
    const draft = {
      secondFactor: form.second_factor,
      secondFactorFrom: form.second_factor_from ?? null,
      idleMinutes: form.idle_minutes ?? null,
      sessionMinutes: form.session_minutes ?? null,
      keyDays: form.key_days ?? null,
      allowedScopes: form.allowedScopes,
    };
    await this.rules.change(caller, organizationId, draft, form.keys_end ?? null);
    return new SeeOther(accessUrl(organizationId), 'The rules were saved.');
  }

  @PostChange('end-unused-keys', { operation: 'api_key.end_unused', resource: 'organization', id: 'organization' })
  async endUnused(@InOrganization() { caller, organizationId }: Place): Promise<SeeOther> {
    await this.rules.endUnusedKeys(caller, organizationId);
    return new SeeOther(accessUrl(organizationId), 'The keys that nobody used were ended.');
  }
}
