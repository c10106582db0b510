import type { ApiRequest } from '../api/api-request';
import type { Config } from '../config/load-config';
import { requestArgument } from './request-argument';

type Settings = Pick<Config, 'API_URL' | 'BASE_PATH' | 'PORT'>;

const SETTING = 'api url settings';

/** When the API is created. */
export const setApiUrl = (
  app: { set(name: string, value: Settings): unknown },
  { API_URL, BASE_PATH, PORT }: Settings,
): unknown => app.set(SETTING, { API_URL, BASE_PATH, PORT });

export function apiUrlOf(request: ApiRequest): string {
  const { API_URL, BASE_PATH, PORT } = request.app.get(SETTING) as Settings;
  // HTTP 1.0 has requests without a host.
  const host = (request.host as string | undefined) ?? `localhost:${PORT}`;
  return API_URL ?? `${request.protocol}://${host}${BASE_PATH}`;
}

/** The address of the API for absolute links: as configured, else as this caller named it. */
export const ApiUrl = requestArgument<void>(apiUrlOf);
