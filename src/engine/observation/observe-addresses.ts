import type { Transport, Via } from '../transport/transport';
import { dialPort } from './dial-port';
import type { HostSeen, PortSeen } from './host-seen';
import { type ObservationOptions, observeHost, OBSERVATION_PACES } from './observe-host';

/** An address in a block. */
export interface AddressToSearch {
  readonly address: string;
  /** The ports that earlier looks showed open; null if there was no host. */
  readonly known: readonly number[] | null;
}

export interface AddressesToObserve {
  readonly addresses: readonly AddressToSearch[];
  /** The few ports that are tried at each address. */
  readonly searched: readonly number[];
  /** The ports that are tried at addresses that answer. */
  readonly ports: readonly number[];
}

/** Hosts in a network answer within milliseconds. This allows one retransmission of a lost packet. */
const SEARCH_CONNECT_MS = 1_500;

/** More hosts would only wait for each other. */
const HOSTS_AT_ONCE = 8;

/** If a larger share of the addresses only refuses, a firewall refuses for all of them. */
const MOST_REFUSING = 0.5;

interface Found {
  readonly address: AddressToSearch;
  readonly ports: readonly PortSeen[];
}

const hasState = ({ ports }: Found, wanted: PortSeen['state']): boolean => ports.some(({ state }) => state === wanted);

const onlyRefuses = (found: Found): boolean => hasState(found, 'closed') && !hasState(found, 'open');

/**
 * Looks at the hosts among these addresses of a block. Silent addresses are returned with their silent ports, and addresses that
 * may not be dialled are left out.
 */
export async function observeAddresses(
  transport: Transport,
  { addresses, searched, ports }: AddressesToObserve,
  via: Via,
  options: ObservationOptions,
): Promise<HostSeen[]> {
  const found = await Promise.all(addresses.map((address) => search(transport, address, searched, via, options)));
  const isFirewall = found.filter(onlyRefuses).length > MOST_REFUSING * found.length;
  const isHost = (one: Found): boolean =>
    hasState(one, 'open') || (hasState(one, 'closed') && (!isFirewall || one.address.known !== null));
  const seen = new Map(found.map(({ address: { address }, ports: tried }) => [address, hostOf(address, tried)]));
  const hosts = found.filter(isHost).values();
  const lookAtEach = async (): Promise<void> => {
    for (let next = hosts.next(); next.done !== true; next = hosts.next()) {
      const { address } = next.value.address;
      seen.set(address, await observeHost(transport, { host: address, address, ports }, via, options));
    }
  };
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, lookAtEach));
  return [...seen.values()];
}

const hostOf = (address: string, ports: readonly PortSeen[]): HostSeen => ({ address, ports, stopped: null });

/** Tries ports until one is open. Sends nothing. */
async function search(
  transport: Transport,
  address: AddressToSearch,
  searched: readonly number[],
  via: Via,
  { paces = OBSERVATION_PACES, searchMs = SEARCH_CONNECT_MS }: ObservationOptions,
): Promise<Found> {
  const { address: host, known } = address;
  const ports: PortSeen[] = [];
  for (const port of new Set([...(known ?? []), ...searched])) {
    const through = { ...via, address: host, pace: paces, connectMs: searchMs };
    const dialled = await dialPort(transport, { host, port }, through, null);
    if ('refusal' in dialled) continue;
    const { state } = dialled;
    ports.push({ port, state, service: null, security: null, certificate: null, technologies: [] });
    if (state === 'open') break;
  }
  return { address, ports };
}
