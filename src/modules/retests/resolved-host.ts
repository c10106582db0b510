import {
  addressesOfName,
  hostedElsewhere,
  type NameAddresses,
  type Place,
  type Transport,
  type Via,
} from '../../engine';
import { canonicalIp } from '../../kernel/cidr';
import type { Hosting } from '../assets';

export interface ResolvedHost {
  /** The addresses that the egress rules allow. */
  readonly addresses: readonly string[];
  /** The addresses in the DNS, with the chain of aliases. */
  readonly records: NameAddresses;
  /** Who runs the host, if someone else does. */
  readonly hosting: Hosting | null;
}

/**
 * The addresses of a host, and who runs it, by the DNS now. Behind a beacon, and for an address that the operator gave the name,
 * nobody else does. Throws an `ExchangeError` or `ExchangeFailed` where that is unknown.
 */
export async function resolvedHost(
  transport: Transport,
  place: Place,
  via: Via,
  ownAmong: (names: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<ResolvedHost> {
  const { host } = place;
  const isGiven = transport.hasGivenAddress(place, via);
  const { addresses, records } = await addressesOf(transport, place, via, isGiven);
  if (canonicalIp(host) !== null || via.route !== undefined || isGiven) return { addresses, records, hosting: null };
  const { chain } = records;
  const own = await ownAmong([host, ...chain]);
  const hosting = hostedElsewhere({ name: host, chain, addresses, isOwn: (name) => own.has(name) });
  return { addresses, records, hosting };
}

async function addressesOf(
  transport: Transport,
  place: Place,
  via: Via,
  isGiven: boolean,
): Promise<Pick<ResolvedHost, 'addresses' | 'records'>> {
  const allowed = await transport.addresses(place, via);
  if (isGiven) return { addresses: allowed, records: { addresses: allowed, chain: [] } };
  const records = await addressesOfName(transport, place.host, via);
  return { addresses: records.addresses.filter((address) => allowed.includes(address)), records };
}
