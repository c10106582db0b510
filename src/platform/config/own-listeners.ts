import { canonicalIp } from '../../kernel/cidr';
import type { Config } from './load-config';
import { portalPort } from './portal-address';
import { hostUrls } from './postgres-hosts';
import { tracesEndpoint } from './traces-endpoint';

/** Where a process of the service listens, or a server that it uses: never a target. */
export interface Listener {
  /** What it is, as part of a sentence. */
  readonly name: string;
  /** An address, or a name. 0.0.0.0 and :: stand for every interface. */
  readonly host: string;
  readonly port: number;
}

/** A server of a URL; null for a Unix socket. */
function serverOf(name: string, text: string | undefined, defaultPort: number): Listener | null {
  if (text === undefined) return null;
  // `pg` takes host and port from the query first. Without a host of its own the URL is not valid, so it gets one.
  const url = new URL(text.replace(/^([a-z]+:\/\/(?:[^/@]*@)?)(?=\/)/, '$1localhost'));
  const host = url.searchParams.get('host') || decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  if (host.startsWith('/')) return null;
  return { name, host: host || 'localhost', port: Number(url.searchParams.get('port') || url.port || defaultPort) };
}

/** A HOST that is a name could be any of our interfaces, so it counts as all of them, like a METRICS_HOST. */
export function ownListeners(config: Config): Listener[] {
  const host = canonicalIp(config.HOST) ?? '0.0.0.0';
  const portal = portalPort(config);
  const collector = tracesEndpoint(config);
  const {
    PORT,
    METRICS_PORT,
    METRICS_HOST,
    RELAY_PORT,
    RELAY_ADVERTISE,
    DATABASE_URL,
    DATABASE_REPLICA_URLS,
    MIGRATION_DATABASE_URL,
    REDIS_URL,
    SMTP_URL,
    EPSS_URL,
    KEV_URL,
    EGRESS_DENY,
    CALLBACK_ADDRESSES,
    CALLBACK_HTTP_PORT,
    CALLBACK_HTTPS_PORT,
  } = config;
  return [
    { name: 'the API', host, port: PORT },
    portal === undefined ? null : { name: 'the portal', host, port: portal },
    METRICS_PORT === 'off'
      ? null
      : { name: 'the metrics', host: canonicalIp(METRICS_HOST) ?? '0.0.0.0', port: METRICS_PORT },
    // Other machines can reach the relay only at an address that is advertised.
    RELAY_PORT === 'off' || RELAY_ADVERTISE === undefined ? null : { name: 'the relay', host, port: RELAY_PORT },
    ...[DATABASE_URL, MIGRATION_DATABASE_URL ?? []]
      .flat()
      .flatMap(hostUrls)
      .map((url) => serverOf('the database', url, 5432)),
    ...DATABASE_REPLICA_URLS.map((url) => serverOf('a replica of the database', url, 5432)),
    serverOf('Redis', REDIS_URL, 6379),
    serverOf('the mail server', SMTP_URL, SMTP_URL?.startsWith('smtps:') ? 465 : 587),
    serverOf('the collector of traces', collector, collector?.startsWith('https:') ? 443 : 80),
    serverOf('the server of the EPSS scores', EPSS_URL, EPSS_URL?.startsWith('https:') ? 443 : 80),
    serverOf('the server of the KEV catalog', KEV_URL, KEV_URL?.startsWith('https:') ? 443 : 80),
    ...CALLBACK_ADDRESSES.flatMap((address) =>
      [...new Set([80, 443, CALLBACK_HTTP_PORT, CALLBACK_HTTPS_PORT])].map((port) => ({
        name: 'the listener of callbacks',
        host: address,
        port,
      })),
    ),
    ...EGRESS_DENY.map((place) => ({ name: 'a server in EGRESS_DENY', ...place })),
  ].filter((listener) => listener !== null);
}
