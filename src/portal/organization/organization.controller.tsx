import { Body, Controller, Get, Post, Redirect, Req, Res, type StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { Flag, Name } from '../../platform/http/fields';
import { invalid } from '../../kernel/domain-error';
import { PICTURE_MEDIA_TYPES } from '../../kernel/picture';
import { ChangeObservationSettingsRequest, ObservationSettings } from '../../modules/observations';
import { LogosService, OrganizationsService } from '../../modules/organizations';
import { AgentWrites } from '../../modules/settings';
import { Page, SEE_OTHER, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { pictureResponse } from '../http/picture-response';
import { Changes, PostChange } from '../http/route-metadata';
import { requireUpload } from '../http/uploads';
import { organizationUrl } from '../urls';
import { OrganizationPage } from './organization-page';

class AgentsForm {
  @Flag({ optional: true })
  write?: boolean;
}

class DeleteOrganizationForm {
  @Name(200)
  name!: string;
}

@Controller('o/:organization/settings/organization')
export class OrganizationPageController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly logos: LogosService,
    private readonly observation: ObservationSettings,
    private readonly agents: AgentWrites,
  ) {}

  @Get()
  async show(@InOrganization() { caller, organizationId: id }: Place): Promise<Page> {
    const { name, assetsLimit } = await this.organizations.get(caller.scope, id);
    const observation = await this.observation.ofOrganization(caller.scope, id);
    const hasLogo = (await this.logos.find(caller.scope, id)) !== undefined;
    const mayAgentsWrite = await this.agents.get(caller.scope, id);
    const { userId, memberships, integrator } = caller.facts;
    const rights = {
      isAdmin: caller.hasRole('admin', id),
      isOwner: caller.hasRole('owner', id),
      isMember: memberships.has(id),
      isIntegrator: integrator !== null,
    };
    return new Page(
      'Settings',
      <OrganizationPage {...{ id, name, assetsLimit, hasLogo, observation, mayAgentsWrite, userId, ...rights }} />,
      'settings',
      { tabTitle: 'Organization' },
    );
  }

  /** An empty interval means the default. */
  @PostChange('observation', { operation: 'settings.observation_change', resource: 'settings' })
  async changeObservation(
    @InOrganization() { caller, organizationId: id }: Place,
    @Body() { enabled: isEnabled, every_hours: everyHours = null }: ChangeObservationSettingsRequest,
  ): Promise<SeeOther> {
    await this.observation.changeOrganization(caller, id, { isEnabled, everyHours });
    return new SeeOther(organizationUrl(id));
  }

  @PostChange('agents', { operation: 'settings.agents_change', resource: 'settings' })
  async changeAgents(
    @InOrganization() { caller, organizationId: id }: Place,
    @Body() { write = false }: AgentsForm,
  ): Promise<SeeOther> {
    await this.agents.change(caller, id, write);
    return new SeeOther(organizationUrl(id), 'The setting was saved.');
  }

  @Get('logo')
  async logo(
    @InOrganization() { caller: { scope }, organizationId: id }: Place,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return pictureResponse(await this.logos.get(scope, id), response);
  }

  @PostChange('logo', { operation: 'organization.logo_change', resource: 'organization', id: 'organization' })
  async replaceLogo(
    @InOrganization() { caller, organizationId: id }: Place,
    @Req() request: PortalRequest,
  ): Promise<SeeOther> {
    const { mediaType, content } = requireUpload(request, 'logo', PICTURE_MEDIA_TYPES);
    await this.logos.replace(caller, id, mediaType, content);
    return new SeeOther(organizationUrl(id));
  }

  @PostChange('logo/delete', { operation: 'organization.logo_delete', resource: 'organization', id: 'organization' })
  async deleteLogo(@InOrganization() { caller, organizationId: id }: Place): Promise<SeeOther> {
    await this.logos.remove(caller, id);
    return new SeeOther(organizationUrl(id));
  }

  @Post('delete')
  @Redirect('/', SEE_OTHER)
  @Changes({ operation: 'organization.delete', resource: 'organization', id: 'organization' })
  async delete(
    @InOrganization() { caller, organizationId: id }: Place,
    @Body() { name }: DeleteOrganizationForm,
  ): Promise<void> {
    const { name: expected } = await this.organizations.get(caller.scope, id);
    if (name !== expected.trim()) throw invalid(`Type the name of the organization to delete it: ${expected}`);
    await this.organizations.deleteFor(caller, id);
  }
}
