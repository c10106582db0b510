import type { Duplex } from 'node:stream';
import type { Cidr } from '../../kernel/cidr';
import type { Endpoint } from './endpoint';

/** Decides which rules apply to a connection. */
export interface DialRules {
  /** Connects only through this beacon. */
  readonly route?: Route;
  /** The organization for which the target is tested: allowed endpoints may be limited to one organization. */
  readonly organizationId?: number;
  readonly pinned?: PinnedAddresses;
  /** Uses an odd source port if this machine dials. Linux uses even ones, and a balancer may choose by the port. */
  readonly fromOddPort?: boolean;
  /** The time for an address to accept the connection; by default that of the transport. */
  readonly connectMs?: number;
}

/** The addresses of an active job, by host. It never dials other addresses, whatever the DNS returns later. */
export interface PinnedAddresses {
  /** Pins these addresses, unless the host already has pinned ones. */
  keep(host: string, found: readonly string[]): Promise<void>;
  has(host: string, address: string): boolean;
}

/** A tested name or address, and its port. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

export type Scheme = 'http' | 'https' | 'tcp' | 'dns';

/** The place of a request: a page, a service on a port, or the zone of a name. */
export interface RequestedPlace extends Place {
  readonly scheme: Scheme;
  /** In lower case and ASCII; an IPv6 address has no brackets. */
  readonly host: string;
  /** Without query and fragment; `/` if there are no paths. */
  readonly path: string;
}

/**
 * The connection to targets through a beacon. Without it, nothing that a tenant records makes the service dial a private address.
 */
export interface Route {
  /** Unique for each beacon: the same address behind two beacons is two hosts. */
  readonly key: string;
  /** The blocks that the beacon serves. Nothing outside of them is dialled through it. */
  readonly cidrs: readonly Cidr[];
  /** Whether the organization has proved that it may test this place at addresses that are not private. */
  isProven(place: Place): Promise<boolean>;
  /** The addresses of a host as resolved behind the beacon. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  /** A stream to exactly this endpoint. */
  connect(endpoint: Endpoint, signal: AbortSignal): Promise<Duplex>;
}
