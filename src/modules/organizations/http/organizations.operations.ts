import { operationsTagged } from '../../../platform/http/operation';
import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { ListOrganizationsQuery } from './organization.requests';
import { OrganizationListResponse, OrganizationResponse } from './organization.responses';

const operation = operationsTagged('Organizations');

export const createOrganization = operation('POST /v1/organizations/', {
  number: 14,
  id: 'createOrganization',
  summary: 'Create an organization',
  description: 'For integrators. The integrator acts as owner in each organization that it created.',
  role: 'whole_integrator',
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
});

export const listOrganizations = operation('GET /v1/organizations/', {
  number: 15,
  id: 'listOrganizations',
  summary: 'List the organizations that the caller may access',
  role: 'any',
  query: ListOrganizationsQuery,
  success: {
    description: 'The organizations, newest first.',
    body: OrganizationListResponse,
    example: { organizations: [{ id: 7, name: 'Northwind Traders' }] },
    paged: true,
  },
  errors: [401, 403],
});

export const deleteOrganization = operation('DELETE /v1/organizations/{organization_id}/', {
  number: 16,
  id: 'deleteOrganization',
  summary: 'Delete an organization and all its data',
  description:
    'For integrators. The organization is inaccessible at once, and its data is deleted in the background. Its audit log stays, and its integrator can read it.',
  role: 'integrator',
  success: {
    description: 'The organization that was deleted.',
    body: OrganizationResponse,
    example: { id: 7, name: 'Northwind Traders' },
  },
  audit: { operation: 'organization.delete', resource: 'organization', id: 'organization_id' },
});
