import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, created } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { OrganizationsService } from '../organizations.service';
import { CreateOrganizationRequest, ListOrganizationsQuery } from './organization.requests';
import { OrganizationListResponse, OrganizationResponse, presentOrganization } from './organization.responses';

@Controller()
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Operation('POST /v1/organizations/', {
    number: 14,
    id: 'createOrganization',
    tag: 'Organizations',
    summary: 'Create an organization',
    description: 'For integrators. The integrator acts as owner in each organization that it created.',
    role: 'whole_integrator',
    scope: 'write',
    body: { example: { name: 'Northwind Traders', assets_limit: 500 } },
    success: {
      status: 201,
      description: 'The organization was created.',
      body: Acknowledgement,
      example: { code: 201, description: 'Organization created.', id: 7, success: true },
      location: ({ id }: Acknowledgement) => `/v1/organizations/${id}/`,
    },
    errors: [400, 401, 403, 409, 422],
    audit: { operation: 'organization.create', resource: 'organization' },
  })
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateOrganizationRequest): Promise<Acknowledgement> {
    const id = await this.organizations.createFor(caller, { name: body.name, assetsLimit: body.assets_limit ?? null });
    return created('Organization', id);
  }

  @Operation('GET /v1/organizations/', {
    number: 15,
    id: 'listOrganizations',
    tag: 'Organizations',
    summary: 'List the organizations that the caller may access',
    role: 'any',
    scope: 'read',
    query: ListOrganizationsQuery,
    success: {
      description: 'The organizations, newest first.',
      body: OrganizationListResponse,
      example: { organizations: [{ id: 7, name: 'Northwind Traders' }] },
      paged: true,
    },
    errors: [401, 403],
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListOrganizationsQuery,
  ): Promise<PagedBody<OrganizationListResponse>> {
    const page = query.slice;
    const slice = await this.organizations.list(caller.scope, page);
    return new PagedBody({ organizations: slice.items.map(presentOrganization) }, page, slice);
  }

  @Operation('DELETE /v1/organizations/{organization_id}/', {
    number: 16,
    id: 'deleteOrganization',
    tag: 'Organizations',
    summary: 'Delete an organization and all its data',
    description:
      'For integrators. The organization is inaccessible at once, and its data is deleted in the background. Its audit log stays, and its integrator can read it.',
    role: 'integrator',
    scope: 'write',
    success: {
      description: 'The organization that was deleted.',
      body: OrganizationResponse,
      example: { id: 7, name: 'Northwind Traders' },
    },
    audit: { operation: 'organization.delete', resource: 'organization', id: 'organization_id' },
  })
  async delete(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<OrganizationResponse> {
    return presentOrganization(await this.organizations.delete(caller, id));
  }
}
