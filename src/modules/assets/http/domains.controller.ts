import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { PathId } from '../../../platform/http/path-id';
import { DomainsService } from '../domains.service';
import { CreateDomainRequest } from './domain.requests';
import { CreatedDomain, DomainListResponse, DomainResponse, domainExample, presentDomain } from './domain.responses';

@Controller()
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Operation('POST /v1/domains/', {
    number: 17,
    id: 'createDomain',
    tag: 'Domains',
    summary: 'Add a domain',
    description:
      'The asset of type `domain` is also added if it does not exist. The response of a read contains the TXT record that verifies the domain. A verified domain covers its subdomains.',
    role: 'member',
    scope: 'write',
    body: { example: { value: 'example.com', organization_id: null } },
    success: {
      status: 201,
      description: 'The domain was added.',
      body: Acknowledgement,
      example: { code: 201, description: 'Domain created.', id: 9, success: true },
      location: ({ path }: CreatedDomain) => path,
    },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'domain.create', resource: 'domain' },
  })
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateDomainRequest): Promise<CreatedDomain> {
    const draft = { value: body.value, organizationId: body.organization_id ?? null };
    const { id, organizationId } = await this.domains.create(caller, draft);
    return new CreatedDomain(id, organizationId);
  }

  @Operation('GET /v1/organizations/{organization_id}/domains/{domain_id}', {
    number: 18,
    id: 'getDomain',
    tag: 'Domains',
    summary: 'Read a domain and its verification status',
    role: 'viewer',
    scope: 'read',
    entityTag: true,
    success: { description: 'The domain.', body: DomainResponse, example: domainExample },
  })
  async get(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('domain_id') id: number,
  ): Promise<DomainResponse> {
    return presentDomain(await this.domains.get(caller.scope, organizationId, id));
  }

  @Operation('GET /v1/organizations/{organization_id}/domains/', {
    id: 'listDomains',
    tag: 'Domains',
    summary: 'List the domains of an organization',
    role: 'viewer',
    scope: 'read',
    query: PageQuery,
    success: {
      description: 'The domains, newest first.',
      body: DomainListResponse,
      example: { domains: [domainExample] },
      paged: true,
    },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Query() query: PageQuery,
  ): Promise<PagedBody<DomainListResponse>> {
    const page = query.slice;
    const slice = await this.domains.listFor(caller.scope, organizationId, page);
    return new PagedBody({ domains: slice.items.map(presentDomain) }, page, slice);
  }

  @Operation('POST /v1/organizations/{organization_id}/domains/{domain_id}/verify', {
    id: 'verifyDomain',
    tag: 'Domains',
    summary: 'Look up the TXT record of a domain now',
    description:
      'Assay also looks it up in the background. Only one organization holds a domain. While the record of another organization for this domain, a parent domain or a subdomain exists, the domain stays unverified.',
    role: 'member',
    scope: 'write',
    success: {
      description: 'The domain. `verification_result` is the result of the lookup.',
      body: DomainResponse,
      example: domainExample,
    },
    audit: { operation: 'domain.verify', resource: 'domain', id: 'domain_id' },
  })
  async verify(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('domain_id') id: number,
  ): Promise<DomainResponse> {
    return presentDomain(await this.domains.verify(caller, organizationId, id));
  }

  @Operation('DELETE /v1/organizations/{organization_id}/domains/{domain_id}', {
    id: 'deleteDomain',
    tag: 'Domains',
    summary: 'Delete a domain',
    description: 'The asset of the domain is not deleted.',
    role: 'admin',
    scope: 'write',
    ifMatch: 'getDomain',
    success: {
      description: 'The domain was deleted.',
      body: Acknowledgement,
      example: { code: 200, description: 'Domain deleted.', id: 9, success: true },
    },
    audit: { operation: 'domain.delete', resource: 'domain', id: 'domain_id' },
  })
  async delete(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('domain_id') id: number,
  ): Promise<Acknowledgement> {
    await this.domains.delete(caller, organizationId, id);
    return deleted('Domain', id);
  }
}
