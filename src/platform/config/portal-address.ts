import type { Config } from './load-config';

/** The port of the portal; undefined if it is disabled. */
export function portalPort({ PORT, PORTAL_PORT }: Pick<Config, 'PORT' | 'PORTAL_PORT'>): number | undefined {
  if (PORTAL_PORT === 'off') return undefined;
  return PORTAL_PORT ?? (PORT === 0 ? 0 : PORT + 1);
}
