import { canonicalIp, compareAddresses } from '../../../kernel/cidr';
import { ExchangeError } from '../../transport/exchange';
import type { DnsType } from '../../transport/resolver';
import type { Transport, Via } from '../../transport/transport';

/** A chain with more aliases counts as a circle. */
const MOST_ALIASES = 8;

export interface NameAddresses {
  /** All addresses, IPv4 first, always in the same order. */
  readonly addresses: readonly string[];
  /** The aliases after the name, in their order. */
  readonly chain: readonly string[];
}

/** Throws if a name server did not answer: an address that is unknown at the moment has not been removed. */
export async function addressesOfName(transport: Transport, name: string, via: Via): Promise<NameAddresses> {
  const literal = canonicalIp(name);
  if (literal !== null) return { addresses: [literal], chain: [] };
  // A beacon only returns the addresses that a name has behind it.
  if (via.route !== undefined) return { addresses: sorted(await via.route.resolve(name, via.signal)), chain: [] };
  const records = async (type: DnsType, of: string): Promise<readonly string[]> => {
    const { state, records: found } = (await transport.dns(of, type, { ...via, authority: undefined })).value;
    if (state === 'found' || state === 'none') return found;
    throw new ExchangeError('unresolved', `the name servers did not answer for ${of} (${type})`);
  };
  const [v4, v6] = await Promise.all([records('A', name), records('AAAA', name)]);
  const chain: string[] = [];
  for (let next = await aliasOf(name); next !== undefined; next = await aliasOf(next)) {
    if (chain.length === MOST_ALIASES) throw new ExchangeError('unresolved', `the aliases of ${name} have no end`);
    chain.push(next);
  }
  return { addresses: sorted([...v4, ...v6]), chain };

  async function aliasOf(alias: string): Promise<string | undefined> {
    return (await records('CNAME', alias))[0]?.toLowerCase().replace(/\.$/, '');
  }
}

const sorted = (addresses: readonly string[]): string[] =>
  [...new Set(addresses.map(canonicalIp).filter((address) => address !== null))].sort(compareAddresses);
