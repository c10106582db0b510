import { operationsTagged } from '../../../platform/http/operation';
import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { PageQuery } from '../../../platform/http/page-query';
import { CreatedDomain, DomainListResponse, DomainResponse, domainExample } from './domain.responses';

const operation = operationsTagged('Domains');

export const createDomain = operation('POST /v1/domains/', {
  number: 17,
  id: 'createDomain',
  summary: 'Add a domain',
  description:
    'The asset of type `domain` is also added if it does not exist. The response of a read contains the TXT record that verifies the domain. A verified domain covers its subdomains.',
  role: 'member',
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
});

export const getDomain = operation('GET /v1/organizations/{organization_id}/domains/{domain_id}', {
  number: 18,
  id: 'getDomain',
  summary: 'Read a domain and its verification status',
  role: 'viewer',
  entityTag: true,
  success: { description: 'The domain.', body: DomainResponse, example: domainExample },
});

export const listDomains = operation('GET /v1/organizations/{organization_id}/domains/', {
  id: 'listDomains',
  summary: 'List the domains of an organization',
  role: 'viewer',
  query: PageQuery,
  success: {
    description: 'The domains, newest first.',
    body: DomainListResponse,
    example: { domains: [domainExample] },
    paged: true,
  },
});

export const verifyDomain = operation('POST /v1/organizations/{organization_id}/domains/{domain_id}/verify', {
  id: 'verifyDomain',
  summary: 'Look up the TXT record of a domain now',
  description:
    'Assay also looks it up in the background. Only one organization holds a domain. While the record of another organization for this domain, a parent domain or a subdomain exists, the domain stays unverified.',
  role: 'member',
  success: {
    description: 'The domain. `verification_result` is the result of the lookup.',
    body: DomainResponse,
    example: domainExample,
  },
  audit: { operation: 'domain.verify', resource: 'domain', id: 'domain_id' },
});

export const deleteDomain = operation('DELETE /v1/organizations/{organization_id}/domains/{domain_id}', {
  id: 'deleteDomain',
  summary: 'Delete a domain',
  description: 'The asset of the domain is not deleted.',
  role: 'admin',
  ifMatch: 'getDomain',
  success: {
    description: 'The domain was deleted.',
    body: Acknowledgement,
    example: { code: 200, description: 'Domain deleted.', id: 9, success: true },
  },
  audit: { operation: 'domain.delete', resource: 'domain', id: 'domain_id' },
});
