import { lookup as systemLookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { parse } from 'ipaddr.js';
import { isClosedToBeacons, isInBlockRanges, isPrivateAddress, isPublicAddress } from '../../kernel/address-ranges';
import { canonicalIp } from '../../kernel/cidr';
import { type EgressEntry, isEntryFor } from '../../kernel/egress-entry';
import type { Endpoint } from './endpoint';
import { ExchangeError } from './exchange';
import type { Route } from './route';

/** None of these contain the address. A tenant reads them, and the tenant's name may lead to an address in another network. */
const NOT_PUBLIC = 'its address is not a public address';
const OWN = 'its address belongs to this service';
const NOT_FOR_BEACONS = 'beacons may not connect to its address';
const OUTSIDE = 'its address is outside the blocks of the beacon';
const NOT_PROVEN =
  'its address behind the beacon is not private, and its domain is not verified: verify the domain, or let the name lead to a private address';

const OF_CALLBACKS = 'its name is for calls of targets, and Assay never resolves it';

const REFUSALS = {
  [OF_CALLBACKS]: 'callbacks',
  [NOT_PUBLIC]: 'not_public',
  [OWN]: 'own_listener',
  [NOT_FOR_BEACONS]: 'not_for_beacons',
  [OUTSIDE]: 'outside_beacon',
  [NOT_PROVEN]: 'not_proven',
} as const;

const INVALID = 'invalid';

/** The reason for a refusal, for metrics. */
export type EgressRefusal = (typeof REFUSALS)[keyof typeof REFUSALS] | typeof INVALID;

export const EGRESS_REFUSALS: readonly EgressRefusal[] = [...Object.values(REFUSALS), INVALID];

/** Why nothing may be sent to this address from here, or null if it is globally routable unicast. */
export function unroutable(address: string): string | null {
  const canonical = canonicalIp(address);
  if (canonical === null) return `${address} is not an IP address`;
  return isPublicAddress(canonical) ? null : NOT_PUBLIC;
}

const WILDCARDS = new Set(['0.0.0.0', '::']);

/** The current addresses of this machine: interfaces may change while the service runs. */
const localAddresses = (): (string | null)[] =>
  Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map((entry) => canonicalIp(entry.address)));

/** A listener of this service, or a server that it uses. */
export interface OwnListener {
  /** An address, or a name that the operating system resolves. 0.0.0.0 and :: stand for every interface. */
  readonly host: string;
  readonly port: number;
}

export interface EgressRules {
  /** The domain of the listener of callbacks. Only targets may resolve its names. */
  readonly callbackDomain?: string | undefined;
  /** Endpoints that are allowed although no rule allows them. */
  readonly allow?: readonly EgressEntry[];
  readonly ownListeners?: readonly OwnListener[];
  /** Whether entries with one address may name any address, including our own listeners. Otherwise they count as blocks. */
  readonly trustSingleAddresses?: boolean;
  /** Called for each refused address. */
  readonly onRefusal?: (reason: EgressRefusal) => void;
  /** Resolves the names of our own listeners. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
}

const lookupAll = async (host: string): Promise<string[]> =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);

/** Decides which endpoints may be dialled. It is called with the exact address that the socket will use. */
export class Egress {
  private readonly allow: readonly EgressEntry[];
  private readonly ownListeners: readonly OwnListener[];
  private readonly trustSingleAddresses: boolean;
  private readonly lookup: (host: string) => Promise<readonly string[]>;
  private readonly onRefusal: EgressRules['onRefusal'];
  private readonly callbackDomain: string | undefined;

  constructor({
    allow = [],
    ownListeners = [],
    trustSingleAddresses = true,
    lookup = lookupAll,
    onRefusal,
    callbackDomain,
  }: EgressRules = {}) {
    this.callbackDomain = callbackDomain;
    this.onRefusal = onRefusal;
    this.allow = allow;
    this.ownListeners = ownListeners;
    this.trustSingleAddresses = trustSingleAddresses;
    this.lookup = lookup;
  }

  /** Why this endpoint may not be dialled for an organization, or null. */
  async refusal(endpoint: Endpoint, organizationId?: number): Promise<string | null> {
    return this.counted(await this.refusalFromHere(endpoint, organizationId));
  }

  /** Why this endpoint of a host may not be dialled through a beacon, or null. */
  async refusalThrough(route: Route, endpoint: Endpoint, host = endpoint.address): Promise<string | null> {
    return this.counted(await this.refusalAtBeacon(route, endpoint, host));
  }

  /** Why this name may not be resolved, or null. */
  refusalOfName(name: string): string | null {
    const host = name.toLowerCase().replace(/\.$/, '');
    const { callbackDomain: domain } = this;
    const isCallback = domain !== undefined && (host === domain || host.endsWith(`.${domain}`));
    return isCallback ? this.counted(OF_CALLBACKS) : null;
  }

  requireName(name: string): void {
    const refusal = this.refusalOfName(name);
    if (refusal !== null) throw new ExchangeError('egress', refusal);
  }

  private counted(refusal: string | null): string | null {
    if (refusal !== null) this.onRefusal?.((REFUSALS as Partial<Record<string, EgressRefusal>>)[refusal] ?? INVALID);
    return refusal;
  }

  private async refusalFromHere({ address, port }: Endpoint, organizationId?: number): Promise<string | null> {
    const canonical = canonicalIp(address);
    if (canonical === null) return `${address} is not an IP address`;
    const entries = this.allow.filter((entry) => entry.port === port && isEntryFor(entry, organizationId));
    if (this.trustSingleAddresses && entries.some((entry) => entry.address === canonical)) return null;
    if (await this.isOwn(canonical, port)) return OWN;
    if (isInBlockRanges(canonical) && entries.some((entry) => contains(entry, canonical))) return null;
    return unroutable(canonical);
  }

  private async refusalAtBeacon(route: Route, { address, port }: Endpoint, host: string): Promise<string | null> {
    const canonical = canonicalIp(address);
    if (canonical === null) return `${address} is not an IP address`;
    if (await this.isOwn(canonical, port)) return OWN;
    if (isClosedToBeacons(canonical)) return NOT_FOR_BEACONS;
    if (!route.cidrs.some((cidr) => cidr.contains(canonical))) return OUTSIDE;
    return isPrivateAddress(canonical) || (await route.isProven({ host, port })) ? null : NOT_PROVEN;
  }

  /** The addresses that the operator configured for this name and organization. If empty, the DNS is queried. */
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

  /** A name that cannot be resolved at the moment could have any address. */
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
