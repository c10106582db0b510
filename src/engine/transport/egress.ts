import { lookup as systemLookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { parse } from 'ipaddr.js';
import { isClosedToBeacons, isInBlockRanges, isPrivateAddress, isPublicAddress } from '../../kernel/address-ranges';
import { canonicalIp } from '../../kernel/cidr';
import { type EgressEntry, isEntryFor } from '../../kernel/egress-entry';
import type { Endpoint } from './endpoint';
import type { Route } from './route';

/**
 * None of these names the address: a tenant reads them, and its name may lead to an address of a network that is none of
 * its business.
 */
const NOT_PUBLIC = 'its address is not a public address';
const OWN = 'its address belongs to this service';
const NOT_FOR_BEACONS = 'beacons may not connect to its address';
const OUTSIDE = 'its address is outside the blocks of the beacon';
const NOT_PROVEN =
  'its address behind the beacon is not private, and its domain is not verified: verify the domain, or let the name lead to a private address';

/** Why nothing may be sent to this address from here, or null when it is globally routable unicast. */
export function unroutable(address: string): string | null {
  const canonical = canonicalIp(address);
  if (canonical === null) return `${address} is not an IP address`;
  return isPublicAddress(canonical) ? null : NOT_PUBLIC;
}

const WILDCARDS = new Set(['0.0.0.0', '::']);

/** What this machine itself answers to, now: interfaces come and go while the service runs. */
const localAddresses = (): (string | null)[] =>
  Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map((entry) => canonicalIp(entry.address)));

/** Where this service listens, or a server that it uses. */
export interface OwnListener {
  /** An address, or a name as the operating system resolves it. 0.0.0.0 and :: stand for every interface. */
  readonly host: string;
  readonly port: number;
}

export interface EgressRules {
  /** What is reachable although no rule allows it. */
  readonly allow?: readonly EgressEntry[];
  readonly ownListeners?: readonly OwnListener[];
  /** Whether entries with one address may name any address, also our own listeners. Otherwise they count as blocks. */
  readonly trustSingleAddresses?: boolean;
  /** Resolves the names of own listeners. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
}

const lookupAll = async (host: string): Promise<string[]> =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);

/** Which endpoints may be dialled. Asked with the very address that the socket is about to be given. */
export class Egress {
  private readonly allow: readonly EgressEntry[];
  private readonly ownListeners: readonly OwnListener[];
  private readonly trustSingleAddresses: boolean;
  private readonly lookup: (host: string) => Promise<readonly string[]>;

  constructor({ allow = [], ownListeners = [], trustSingleAddresses = true, lookup = lookupAll }: EgressRules = {}) {
    this.allow = allow;
    this.ownListeners = ownListeners;
    this.trustSingleAddresses = trustSingleAddresses;
    this.lookup = lookup;
  }

  /** Why this endpoint may not be dialled for an organization, or null. */
  async refusal({ address, port }: Endpoint, organizationId?: number): Promise<string | null> {
    const canonical = canonicalIp(address);
    if (canonical === null) return `${address} is not an IP address`;
    const entries = this.allow.filter((entry) => entry.port === port && isEntryFor(entry, organizationId));
    if (this.trustSingleAddresses && entries.some((entry) => entry.address === canonical)) return null;
    if (await this.isOwn(canonical, port)) return OWN;
    if (isInBlockRanges(canonical) && entries.some((entry) => contains(entry, canonical))) return null;
    return unroutable(canonical);
  }

  /** Why this endpoint of a host may not be dialled through a beacon, or null. */
  async refusalThrough(route: Route, { address, port }: Endpoint, host = address): Promise<string | null> {
    const canonical = canonicalIp(address);
    if (canonical === null) return `${address} is not an IP address`;
    if (await this.isOwn(canonical, port)) return OWN;
    if (isClosedToBeacons(canonical)) return NOT_FOR_BEACONS;
    if (!route.cidrs.some((cidr) => cidr.contains(canonical))) return OUTSIDE;
    return isPrivateAddress(canonical) || (await route.isProven({ host, port })) ? null : NOT_PROVEN;
  }

  /** The addresses that the operator gave this name for an organization. Without any, the DNS knows them. */
  addressesOf(name: string, port: number, organizationId?: number): string[] {
    return this.allow
      .filter((entry) => entry.name === name && entry.port === port && isEntryFor(entry, organizationId))
      .map(({ address }) => String(address));
  }

  /** Whether the service itself, or a server that it uses, listens at this canonical address. */
  async isOwn(canonical: string, port: number): Promise<boolean> {
    for (const own of this.ownListeners) {
      if (own.port === port && (await this.listensAt(own, canonical))) return true;
    }
    return false;
  }

  private async listensAt({ host }: OwnListener, canonical: string): Promise<boolean> {
    const literal = canonicalIp(host);
    if (literal === null) return this.isAddressOf(host, canonical);
    if (!WILDCARDS.has(literal)) return literal === canonical;
    return parse(canonical).range() === 'loopback' || localAddresses().includes(canonical);
  }

  /** A name that cannot be resolved now could have any address. */
  private async isAddressOf(name: string, canonical: string): Promise<boolean> {
    try {
      return (await this.lookup(name)).some((address) => canonicalIp(address) === canonical);
    } catch {
      return true;
    }
  }
}

const contains = ({ address }: EgressEntry, canonical: string): boolean =>
  typeof address === 'string' ? address === canonical : address.contains(canonical);
