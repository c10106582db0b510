import type { HostSeen } from '../../../engine';
import type { KnownHost, KnownPort } from './asset-change';

/** How many more hosts and ports an organization may store. */
export interface Capacity {
  readonly hosts: number;
  readonly ports: number;
}

/** A host or port to store, and whether the look showed it. */
export type Seen<T> = T & { readonly isSeen: boolean };

export interface HostToStore extends Seen<KnownHost> {
  readonly ports: readonly Seen<KnownPort>[];
}

export interface StoredHosts {
  readonly hosts: readonly HostToStore[];
  /** New hosts and ports beyond the capacity. */
  readonly notStored: number;
}

/** The hosts and ports to store: those that are stored already, and new ones up to the capacity of the organization. */
export function withinCapacity(
  known: readonly KnownHost[],
  hosts: readonly KnownHost[],
  seen: readonly HostSeen[],
  capacity: Capacity,
): StoredHosts {
  const portsOf = new Map(known.map(({ address, ports }) => [address, new Set(ports.map(({ port }) => port))]));
  const seenOf = new Map(seen.map((host) => [host.address, host]));
  let { hosts: freeHosts, ports: freePorts } = capacity;
  let notStored = 0;
  const stored: HostToStore[] = [];
  for (const host of hosts) {
    const stays = portsOf.get(host.address);
    if (stays === undefined && freeHosts === 0) {
      notStored += 1 + host.ports.length;
      continue;
    }
    if (stays === undefined) freeHosts -= 1;
    const open = new Set(
      seenOf.get(host.address)?.ports.flatMap(({ port, state }) => (state === 'open' ? [port] : [])),
    );
    const isSeen = seenOf.get(host.address)?.ports.some(({ state }) => state !== 'filtered') ?? false;
    const ports = host.ports.filter(({ port }) => {
      if (stays?.has(port) === true) return true;
      if (freePorts === 0) return false;
      freePorts -= 1;
      return true;
    });
    notStored += host.ports.length - ports.length;
    stored.push({ ...host, isSeen, ports: ports.map((port) => ({ ...port, isSeen: open.has(port.port) })) });
  }
  return { hosts: stored, notStored };
}
