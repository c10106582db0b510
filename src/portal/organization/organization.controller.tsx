import { Body, Controller, Get, Post, Redirect, Req, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { invalid } from '../../kernel/domain-error';
import { LogosService, OrganizationsService } from '../../modules/organizations';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SEE_OTHER, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { Changes } from '../http/route-metadata';
import { requireUpload } from '../http/uploads';
import { organizationUrl } from '../urls';
import { OrganizationPage } from './organization-page';
import { DeleteOrganizationForm } from './organization.requests';

@Controller('o/:organization/settings/organization')
export class OrganizationPageController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly logos: LogosService,
  ) {}

  @Get()
  async show(@CurrentCaller() caller: Caller, @PathId('organization') id: number): Promise<Page> {
    const { name, assetsLimit } = await this.organizations.get(caller.scope, id);
    const hasLogo = (await this.logos.find(caller.scope, id)) !== undefined;
    const { userId, memberships, integrator } = caller.facts;
    const rights = {
      isAdmin: caller.hasRole('admin', id),
      isMember: memberships.has(id),
      isIntegrator: integrator !== null,
    };
    return new Page(
      'Settings',
      <OrganizationPage {...{ id, name, assetsLimit, hasLogo, userId, ...rights }} />,
      'settings',
      { tabTitle: 'Organization' },
    );
  }

  @Get('logo')
  async logo(
    @CurrentCaller() { scope }: Caller,
    @PathId('organization') id: number,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const { content, mediaType } = await this.logos.get(scope, id);
    response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
    return new StreamableFile(content, { type: mediaType, length: content.length });
  }

  @Post('logo')
  @Changes({ operation: 'organization.logo_change', resource: 'organization', id: 'organization' })
  async replaceLogo(
    @CurrentCaller() caller: Caller,
    @PathId('organization') id: number,
    @Req() request: PortalRequest,
  ): Promise<SeeOther> {
    const { mediaType, content } = requireUpload(request, 'logo', ['image/png', 'image/jpeg']);
    await this.logos.replace(caller, id, mediaType, content);
    return new SeeOther(organizationUrl(id));
  }

  @Post('logo/delete')
  @Changes({ operation: 'organization.logo_delete', resource: 'organization', id: 'organization' })
  async deleteLogo(@CurrentCaller() caller: Caller, @PathId('organization') id: number): Promise<SeeOther> {
    await this.logos.remove(caller, id);
    return new SeeOther(organizationUrl(id));
  }

  @Post('delete')
  @Redirect('/', SEE_OTHER)
  @Changes({ operation: 'organization.delete', resource: 'organization', id: 'organization' })
  async delete(
    @CurrentCaller() caller: Caller,
    @PathId('organization') id: number,
    @Body() { name }: DeleteOrganizationForm,
  ): Promise<void> {
    const { name: expected } = await this.organizations.get(caller.scope, id);
    if (name !== expected.trim()) throw invalid(`Type the name of the organization to delete it: ${expected}`);
    await this.organizations.deleteFor(caller, id);
  }
}
