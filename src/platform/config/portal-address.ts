import type { Config } from './load-config';

/** The port of the portal: the API's port + 1, unless `PORTAL_PORT` names another. */
export const portalPort = ({ PORT, PORTAL_PORT }: Pick<Config, 'PORT' | 'PORTAL_PORT'>): number =>
  PORTAL_PORT ?? (PORT === 0 ? 0 : PORT + 1);

/** The address of the portal in links, without a slash at its end. */
export const portalUrl = (config: Pick<Config, 'PORT' | 'PORTAL_PORT' | 'PORTAL_URL'>): string =>
  config.PORTAL_URL ?? `http://localhost:${portalPort(config)}`;
