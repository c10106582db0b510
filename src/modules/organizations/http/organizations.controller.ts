import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, created } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { OrganizationsService } from '../organizations.service';
import { CreateOrganizationRequest, ListOrganizationsQuery } from './organization.requests';
import { OrganizationListResponse, OrganizationResponse, presentOrganization } from './organization.responses';
import * as operations from './organizations.operations';

@Controller()
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @operations.createOrganization
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateOrganizationRequest): Promise<Acknowledgement> {
    const id = await this.organizations.createFor(caller, { name: body.name, assetsLimit: body.assets_limit ?? null });
    return created('Organization', id);
  }

  @operations.listOrganizations
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListOrganizationsQuery,
  ): Promise<PagedBody<OrganizationListResponse>> {
    const page = query.slice;
    const slice = await this.organizations.list(caller.scope, page);
    return new PagedBody({ organizations: slice.items.map(presentOrganization) }, page, slice);
  }

  @operations.deleteOrganization
  async delete(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<OrganizationResponse> {
    return presentOrganization(await this.organizations.delete(caller, id));
  }
}
