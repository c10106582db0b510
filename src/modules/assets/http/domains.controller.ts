import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { DomainsService } from '../domains.service';
import { CreateDomainRequest } from './domain.requests';
import { CreatedDomain, DomainListResponse, DomainResponse, presentDomain } from './domain.responses';
import * as operations from './domains.operations';

@Controller()
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @operations.createDomain
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateDomainRequest): Promise<CreatedDomain> {
    const draft = { value: body.value, organizationId: body.organization_id ?? null };
    const { id, organizationId } = await this.domains.create(caller, draft);
    return new CreatedDomain(id, organizationId);
  }

  @operations.getDomain
  async get(@InOrganization('domain_id') { caller, organizationId, id }: RecordPlace): Promise<DomainResponse> {
    return presentDomain(await this.domains.get(caller.scope, organizationId, id));
  }

  @operations.listDomains
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: PageQuery,
  ): Promise<PagedBody<DomainListResponse>> {
    const page = query.slice;
    const slice = await this.domains.listFor(caller.scope, organizationId, page);
    return new PagedBody({ domains: slice.items.map(presentDomain) }, page, slice);
  }

  @operations.verifyDomain
  async verify(@InOrganization('domain_id') { caller, organizationId, id }: RecordPlace): Promise<DomainResponse> {
    return presentDomain(await this.domains.verify(caller, organizationId, id));
  }

  @operations.deleteDomain
  async delete(@InOrganization('domain_id') { caller, organizationId, id }: RecordPlace): Promise<Acknowledgement> {
    await this.domains.delete(caller, organizationId, id);
    return deleted('Domain', id);
  }
}
