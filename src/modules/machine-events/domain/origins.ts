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

/** More than this on one asset is a host that shows the same on every port. */
const MAX_ORIGINS = 20;

/** The pages of an asset that jobs test: the URL itself, or each web origin that was observed on its host. */
export function originsOf({ type, value }: Pick<Asset, 'type' | 'value'>, hosts: readonly HostWithPorts[]): string[] {
  if (type === 'url') return [value];
  if (type === 'cidr') return [];
  const host = canonicalIp(value)?.includes(':') === true ? `[${value}]` : value;
  const open = hosts.filter(({ isGone }) => !isGone).flatMap(({ ports }) => ports);
  const origins = open
    .filter(({ state, service }) => state === 'open' && service !== null && WEB.has(service))
    .map(({ port, service, security }) => {
      const scheme = security === 'tls' || service === 'https' ? 'https' : 'http';
      return `${scheme}://${host}${DEFAULT_PORTS.has(`${scheme}:${port}`) ? '' : `:${port}`}/`;
    });
  return [...new Set(origins)].slice(0, MAX_ORIGINS);
}
