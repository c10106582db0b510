import type { Duplex } from 'node:stream';
import type { Cidr } from '../../kernel/cidr';
import type { Endpoint } from './endpoint';

/** Decides which rules apply to a connection. */
export interface DialRules {
  /** Through this beacon and nowhere else. */
  readonly route?: Route;
  /** The organization that the target is tested for: allowed endpoints may be for one organization. */
  readonly organizationId?: number;
  readonly pinned?: PinnedAddresses;
  /** From an odd port, if we dial ourselves. Linux takes even ones, and a balancer may choose by the port. */
  readonly fromOddPort?: boolean;
  /** Until an address has taken the connection; as the transport is limited by default. */
  readonly connectMs?: number;
}

/** The addresses of an active job, by host: it never dials others, whatever the DNS says later. */
export interface PinnedAddresses {
  /** Pins them, unless the host has pinned ones. */
  keep(host: string, found: readonly string[]): Promise<void>;
  has(host: string, address: string): boolean;
}

/** A name or an address as it is tested, and its port. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

export type Scheme = 'http' | 'https' | 'tcp' | 'dns';

/** What a request asks for: a page, a service on a port, or the zone of a name. */
export interface RequestedPlace extends Place {
  readonly scheme: Scheme;
  /** Lower case, ASCII, an IPv6 address without brackets. */
  readonly host: string;
  /** Without query and fragment; `/` where there are no paths. */
  readonly path: string;
}

/** The way to targets through a beacon. Without one, nothing that a tenant records makes the service dial a private address. */
export interface Route {
  /** Differs for each beacon: the same address behind two beacons is two hosts. */
  readonly key: string;
  /** The blocks that the beacon serves: nothing outside them is dialled through it. */
  readonly cidrs: readonly Cidr[];
  /** Whether the organization has proved that it may test this place at addresses that are not private. */
  isProven(place: Place): Promise<boolean>;
  /** The addresses of a host as they are known behind the beacon. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  /** A connected stream to this very endpoint; it never chooses another. */
  connect(endpoint: Endpoint, signal: AbortSignal): Promise<Duplex>;
}
