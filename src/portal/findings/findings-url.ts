import type { FindingsParameters } from './findings.requests';

/** The list from its first page. */
export function findingsUrl(organizationId: number, parameters: FindingsParameters = {}): string {
  const { status, severity, asset_id, q, sort } = parameters;
  const given = Object.entries({ status, severity, asset_id, q, sort }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = new URLSearchParams(given).toString();
  return `/o/${organizationId}/findings${query === '' ? '' : `?${query}`}`;
}

export const findingUrl = (organizationId: number, findingId: number): string =>
  `/o/${organizationId}/findings/${findingId}`;
