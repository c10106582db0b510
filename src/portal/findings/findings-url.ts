import { type FindingsParameters, queryStringOf } from './findings.requests';

/** The list from its first page. */
export const findingsUrl = (organizationId: number, parameters: FindingsParameters = {}): string =>
  findingsUrlOf(organizationId, queryStringOf(parameters));

export const findingsUrlOf = (organizationId: number, query: string): string =>
  `/o/${organizationId}/findings${query === '' ? '' : `?${query}`}`;

export const bulkUrl = (organizationId: number): string => `/o/${organizationId}/findings/bulk`;

export const findingUrl = (organizationId: number, findingId: number): string =>
  `/o/${organizationId}/findings/${findingId}`;
