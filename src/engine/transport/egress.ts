import { networkInterfaces } from 'node:os';
import { type IPv4, type IPv6, IPv6 as V6, parse } from 'ipaddr.js';
import { canonicalIp } from '../../kernel/cidr';
import { type Endpoint, endpointText } from './endpoint';
import type { Route } from './route';

/** The one block of IPv6 from which unicast addresses are given out; beyond it the parser says unicast for want of a name. */
const GLOBAL_V6: [IPv6, number] = [V6.parse('2000::'), 3];

/** Public by its number, private by its use: the host agent of a large cloud, which hands out credentials. */
const CLOUD_AGENTS = new Set(['168.63.129.16']);

function isGlobalUnicast(address: IPv4 | IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(...GLOBAL_V6);
}

/**
 * None of these names the address: a tenant reads them, and its name may lead to an address of a network that is none of
 * its business.
 */
const NOT_PUBLIC = 'its address is not a public address';
const OWN = 'its address belongs to this service';
const NOT_FOR_BEACONS = 'beacons may not connect to its address';
const OUTSIDE = 'its address is outside the blocks of the beacon';

/** Why nothing may be sent to this address from here, or null when it is globally routable unicast. */
export function unroutable(address: string): string | null {
  const canonical = canonicalIp(address);
  if (canonical === null) return `${address} is not an IP address`;
  if (CLOUD_AGENTS.has(canonical) || !isGlobalUnicast(parse(canonical))) {
    return NOT_PUBLIC;
  }
  return null;
}

/** What no beacon is asked to dial either, however wide its blocks are: there it would be the beacon itself. */
const NEVER_ROUTED = new Set(['loopback', 'linkLocal', 'multicast', 'broadcast', 'unspecified', 'reserved', 'rfc6052']);

const WILDCARDS = new Set(['0.0.0.0', '::']);

/** What this machine itself answers to, now: interfaces come and go while the service runs. */
const localAddresses = (): (string | null)[] =>
  Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map((entry) => canonicalIp(entry.address)));

/** Which endpoints may be dialled. Asked with the very address that the socket is about to be given. */
export class Egress {
  private readonly allowed: ReadonlySet<string>;

  constructor(
    allow: readonly Endpoint[] = [],
    private readonly ownListeners: readonly Endpoint[] = [],
  ) {
    this.allowed = new Set(allow.map(endpointText));
  }

  /** Why this endpoint may not be dialled, or null. */
  refusal(address: string, port: number): string | null {
    const canonical = canonicalIp(address);
    if (canonical === null) return `${address} is not an IP address`;
    if (this.allowed.has(endpointText({ address: canonical, port }))) return null;
    if (this.isOwn(canonical, port)) return OWN;
    return unroutable(canonical);
  }

  /** Why this endpoint may not be dialled through a beacon, or null. */
  refusalThrough(route: Route, address: string, port: number): string | null {
    const canonical = canonicalIp(address);
    if (canonical === null) return `${address} is not an IP address`;
    if (this.isOwn(canonical, port)) return OWN;
    if (NEVER_ROUTED.has(parse(canonical).range()) || CLOUD_AGENTS.has(canonical)) {
      return NOT_FOR_BEACONS;
    }
    if (route.cidrs.some((cidr) => cidr.contains(canonical))) return null;
    return OUTSIDE;
  }

  private isOwn(canonical: string, port: number): boolean {
    return this.ownListeners.some(
      (own) =>
        own.port === port &&
        (own.address === canonical || (WILDCARDS.has(own.address) && localAddresses().includes(canonical))),
    );
  }
}
