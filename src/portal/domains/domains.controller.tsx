import { Body, Controller, Get, Query, Req } from '@nestjs/common';
import { DomainsService } from '../../modules/assets';
import { Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { domainsUrl } from '../urls';
import { AddDomain, DomainsPage } from './domains-page';
import { DomainForm, DomainsQuery } from './domains.requests';

@Controller('o/:organization/domains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Get()
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { slice: page, value, unproven: isUnproven = false }: DomainsQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const slice = await (isUnproven
      ? this.domains.listUnproven(caller.scope, organizationId, page)
      : this.domains.listFor(caller.scope, organizationId, page));
    const mayChange = caller.hasRole('member', organizationId);
    const mayDelete = caller.hasRole('admin', organizationId);
    return new Page(
      'Domains',
      <DomainsPage {...{ organizationId, slice, page, url, isUnproven, mayChange, mayDelete }} />,
      'domains',
      { actions: mayChange && <AddDomain {...{ organizationId, value }} /> },
    );
  }

  @PostChange('', { operation: 'domain.create', resource: 'domain' })
  async create(@InOrganization() { caller, organizationId }: Place, @Body() { value }: DomainForm): Promise<SeeOther> {
    await this.domains.create(caller, { organizationId, value });
    return new SeeOther(domainsUrl(organizationId));
  }

  @PostChange(':domain_id/verify', { operation: 'domain.verify', resource: 'domain', id: 'domain_id' })
  async verify(@InOrganization('domain_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.domains.verify(caller, organizationId, id);
    return new SeeOther(domainsUrl(organizationId));
  }

  @PostChange(':domain_id/delete', { operation: 'domain.delete', resource: 'domain', id: 'domain_id' })
  async delete(@InOrganization('domain_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.domains.delete(caller, organizationId, id);
    return new SeeOther(domainsUrl(organizationId));
  }
}
