import type { Config } from './load-config';

/** The port of the portal; undefined if it is disabled. */
export function portalPort({ PORT, PORTAL_PORT }: Pick<Config, 'PORT' | 'PORTAL_PORT'>): number | undefined {
  if (PORTAL_PORT === 'off') return undefined;
  return PORTAL_PORT ?? (PORT === 0 ? 0 : PORT + 1);
}

/** The address of the portal in links, without a slash at its end. A portal that runs elsewhere needs `PORTAL_URL`. */
export const portalUrl = (config: Pick<Config, 'PORT' | 'PORTAL_PORT' | 'PORTAL_URL'>): string =>
  config.PORTAL_URL ?? `http://localhost:${portalPort(config) ?? config.PORT + 1}`;
