import { canonicalIp } from '../../../kernel/cidr';
import type { Asset } from '../../assets';
import type { HostWithPorts } from '../../observations';

/** What observations call services that speak HTTP. */
const WEB: ReadonlySet<string> = new Set([
  'http',
  'https',
  'docker',
  'kubernetes',
  'elasticsearch',
  'etcd-client',
  'prometheus',
]);

const DEFAULT_PORTS: ReadonlySet<string> = new Set(['http:80', 'https:443']);

/** More than this on one asset is most likely a host that shows the same on every port. */
export const MAX_ORIGINS = 20;

interface PlannedOrigins {
  readonly origins: readonly string[];
  /** More than an event tests of one asset. */
  readonly leftOut: readonly string[];
}

/** A URL is its own page, and a block has none. */
export const isTestedByHosts = ({ type }: Pick<Asset, 'type'>): boolean => type === 'domain' || type === 'ip';

/** The pages of an asset that jobs test: the URL itself, or each web origin that was observed on its host. */
export function originsOf(
  { type, value }: Pick<Asset, 'type' | 'value'>,
  hosts: readonly HostWithPorts[],
): PlannedOrigins {
  if (type === 'url') return { origins: [value], leftOut: [] };
  if (type === 'cidr') return { origins: [], leftOut: [] };
  const host = canonicalIp(value)?.includes(':') === true ? `[${value}]` : value;
  const open = hosts.filter(({ isGone }) => !isGone).flatMap(({ ports }) => ports);
  const observed = open
    .filter(({ state, service }) => state === 'open' && service !== null && WEB.has(service))
    .map(({ port, service, security }) => {
      const scheme = security === 'tls' || service === 'https' ? 'https' : 'http';
      return `${scheme}://${host}${DEFAULT_PORTS.has(`${scheme}:${port}`) ? '' : `:${port}`}/`;
    });
  const origins = [...new Set(observed)];
  return { origins: origins.slice(0, MAX_ORIGINS), leftOut: origins.slice(MAX_ORIGINS) };
}
