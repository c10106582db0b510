import { Body, Controller, Get, Post, Req, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { invalid } from '../../kernel/domain-error';
import { LogosService, OrganizationsService } from '../../modules/organizations';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SeeOther } from '../frame/page';
import { GivenForm } from '../http/given-form';
import type { PortalRequest } from '../http/portal-request';
import { orShowAgain } from '../http/refused-form';
import { Changes } from '../http/route-metadata';
import { requireUpload } from '../http/uploads';
import { OrganizationPage } from './organization-page';
import { DeleteOrganizationForm } from './organization.requests';

const pageUrl = (id: number): string => `/o/${id}/settings/organization`;

@Controller('o/:organization/settings/organization')
export class OrganizationPageController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly logos: LogosService,
  ) {}

  @Get()
  show(@CurrentCaller() caller: Caller, @PathId('organization') id: number): Promise<Page> {
    return this.page(caller, id);
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
  replaceLogo(
    @CurrentCaller() caller: Caller,
    @PathId('organization') id: number,
    @Req() request: PortalRequest,
  ): Promise<Page | SeeOther> {
    return this.orAgain(caller, id, async () => {
      const { mediaType, content } = requireUpload(request, 'logo', ['image/png', 'image/jpeg']);
      await this.logos.replace(caller, id, mediaType, content);
    });
  }

  @Post('logo/delete')
  @Changes({ operation: 'organization.logo_delete', resource: 'organization', id: 'organization' })
  deleteLogo(@CurrentCaller() caller: Caller, @PathId('organization') id: number): Promise<Page | SeeOther> {
    return this.orAgain(caller, id, () => this.logos.remove(caller, id));
  }

  @Post('delete')
  @Changes({ operation: 'organization.delete', resource: 'organization', id: 'organization' })
  delete(
    @CurrentCaller() caller: Caller,
    @PathId('organization') id: number,
    @Body() given: GivenForm,
  ): Promise<Page | SeeOther> {
    return this.orAgain(
      caller,
      id,
      async () => {
        const { name } = await given.read(DeleteOrganizationForm);
        const { name: expected } = await this.organizations.get(caller.scope, id);
        if (name !== expected.trim()) throw invalid(`Type the name of the organization to delete it: ${expected}`);
        await this.organizations.deleteFor(caller, id);
      },
      '/',
    );
  }

  private orAgain(
    caller: Caller,
    id: number,
    work: () => Promise<unknown>,
    next = pageUrl(id),
  ): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        await work();
        return new SeeOther(next);
      },
      (problem) => this.page(caller, id, problem),
    );
  }

  private async page(caller: Caller, id: number, problem?: string): Promise<Page> {
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
      <OrganizationPage {...{ id, name, assetsLimit, hasLogo, userId, problem, ...rights }} />,
      'settings',
      { tabTitle: 'Organization' },
    );
  }
}
