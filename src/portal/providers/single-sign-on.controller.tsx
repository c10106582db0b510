import { Body, Controller, Get, Post, Req } from '@nestjs/common';
import { MembersService } from '../../modules/identity';
import {
  callbackPathOf,
  parseGroupRoles,
  ProviderSettingsService,
  SCIM_PATH,
  ScimTokens,
} from '../../modules/providers';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { Page, SeeOther } from '../frame/page';
import { apiUrlFor } from '../http/api-url';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { Changes, PostChange } from '../http/route-metadata';
import { singleSignOnUrl } from '../urls';
import { ProviderForm, RequirementForm, VerifiedEmailForm } from './providers.requests';
import { SingleSignOnPage } from './single-sign-on-page';

@Controller('o/:organization/settings/single-sign-on')
export class SingleSignOnController {
  constructor(
    private readonly config: Config,
    private readonly settings: ProviderSettingsService,
    private readonly members: MembersService,
    private readonly scimTokens: ScimTokens,
  ) {}

  @Get()
  show(@InOrganization() place: Place, @Req() request: PortalRequest): Promise<Page> {
    return this.page(place, request);
  }

  @PostChange('', { operation: 'identity_provider.change', resource: 'identity_provider', id: 'organization' })
  async save(@InOrganization() { caller, organizationId }: Place, @Body() form: ProviderForm): Promise<SeeOther> {
    const hasEndedToken = await this.settings.save(caller, organizationId, {
      issuer: form.issuer,
      clientId: form.client_id,
      clientSecret: form.client_secret,
      groupsClaim: form.groups_claim,
      roles: parseGroupRoles(form.roles ?? ''),
      defaultRole: form.default_role ?? null,
      createsUsers: form.creates_users ?? false,
    });
    const ended = ' The SCIM token of the earlier provider has ended: create one for this provider.';
    return new SeeOther(
      singleSignOnUrl(organizationId),
      `The provider answers, and was saved.${hasEndedToken ? ended : ''}`,
    );
  }

  @PostChange('delete', { operation: 'identity_provider.delete', resource: 'identity_provider', id: 'organization' })
  async remove(@InOrganization() { caller, organizationId }: Place): Promise<SeeOther> {
    await this.settings.remove(caller, organizationId);
    return new SeeOther(singleSignOnUrl(organizationId));
  }

  @PostChange('require', { operation: 'identity_provider.require', resource: 'identity_provider', id: 'organization' })
  async require(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { break_glass: breakGlass }: RequirementForm,
  ): Promise<SeeOther> {
    await this.settings.require(caller, organizationId, breakGlass);
    return new SeeOther(singleSignOnUrl(organizationId));
  }

  @Post('verified-email')
  @Changes({ operation: 'identity_provider.verified_email', resource: 'identity_provider', id: 'organization' })
  async needVerifiedEmail(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { is_needed: isNeeded = false }: VerifiedEmailForm,
  ): Promise<SeeOther> {
    await this.settings.changeNeedsVerifiedEmail(caller, organizationId, isNeeded);
    return new SeeOther(singleSignOnUrl(organizationId), 'The rule about addresses was saved.');
  }

  @Post('require-no-longer')
  @Changes({ operation: 'identity_provider.require_no_longer', resource: 'identity_provider', id: 'organization' })
  async requireNoLonger(@InOrganization() { caller, organizationId }: Place): Promise<SeeOther> {
    await this.settings.requireNoLonger(caller, organizationId);
    return new SeeOther(singleSignOnUrl(organizationId));
  }

  @Post('scim')
  @Changes({ operation: 'identity_provider.replace_scim_token', resource: 'identity_provider', id: 'organization' })
  async replaceScimToken(@InOrganization() place: Place, @Req() request: PortalRequest): Promise<Page> {
    return this.page(place, request, await this.scimTokens.replace(place.caller, place.organizationId));
  }

  @Post('scim/delete')
  @Changes({ operation: 'identity_provider.delete_scim_token', resource: 'identity_provider', id: 'organization' })
  async removeScimToken(@InOrganization() { caller, organizationId }: Place): Promise<SeeOther> {
    await this.scimTokens.remove(caller, organizationId);
    return new SeeOther(
      singleSignOnUrl(organizationId),
      'The token was removed. The provider changes no members any more.',
    );
  }

  private async page({ caller, organizationId }: Place, request: PortalRequest, newToken?: string): Promise<Page> {
    const settings = await this.settings.get(caller, organizationId);
    const members = await this.members.listOfVisible(organizationId);
    const owners = members.filter(({ role }) => role === 'owner');
    const url = portalUrl(this.config);
    const signInUrl = `${url}/sign-in/provider/${settings.provider?.id}`;
    const scim = {
      url: apiUrlFor(this.config, request) + SCIM_PATH,
      created: await this.scimTokens.createdOfVisible(organizationId),
      newToken,
    };
    return new Page(
      'Settings',
      <SingleSignOnPage
        {...{ organizationId, ...settings, owners, redirectUri: url + callbackPathOf(organizationId), signInUrl, scim }}
      />,
      'settings',
      { tabTitle: 'Single sign-on' },
    );
  }
}
