import type { Config } from '../../platform/config/load-config';
import type { PortalRequest } from './portal-request';

/** The address of the API in examples; without a configured one, that of the portal with the port of the API. */
export function apiUrlFor(config: Pick<Config, 'API_URL' | 'BASE_PATH' | 'PORT'>, request: PortalRequest): string {
  const { API_URL, BASE_PATH, PORT } = config;
  return API_URL ?? `${request.protocol}://${request.hostname}:${PORT}${BASE_PATH}`;
}
