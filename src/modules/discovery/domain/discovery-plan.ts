import { isMetadataAddress, isPrivateAddress } from '../../../kernel/address-ranges';
import { Cidr } from '../../../kernel/cidr';
import { cidrNotAllowed, cidrNotPrivate, noPrivateCidr, tooManyHosts } from './discovery.errors';
import { HostList } from './host-list';

export const MAX_HOSTS = 4_096;
export const MAX_PORTS = 20;

/** SSH, HTTP, HTTPS, MySQL, PostgreSQL, Redis, and the usual second ports of web servers. */
export const DEFAULT_PORTS: readonly number[] = [22, 80, 443, 3306, 5432, 6379, 8080, 8443];

export interface DiscoveryPlan {
  readonly cidrs: readonly string[];
  readonly ports: readonly number[];
  readonly hosts: number;
}

export interface DiscoveryRequest {
  /** By default all private blocks of the beacon. */
  readonly cidrs?: readonly string[];
  readonly ports?: readonly number[];
}

const isPrivate = (address: string): boolean => isPrivateAddress(address) && !isMetadataAddress(address);

/** Private networks are much larger than the blocks of a discovery, so checking the first and the last address is enough. */
const isPrivateBlock = ({ first, last }: Cidr): boolean => isPrivate(first) && isPrivate(last);

/** Whether a discovery may try an address now. Public hosts need a verified domain, which a discovery does not know. */
export const mayTry = (address: string, allowed: readonly Cidr[]): boolean =>
  isPrivate(address) && allowed.some((block) => block.contains(address));

export function planOf(allowed: readonly Cidr[], { cidrs, ports = DEFAULT_PORTS }: DiscoveryRequest): DiscoveryPlan {
  const blocks = cidrs === undefined ? privateBlocksOf(allowed) : cidrs.map((text) => requireInside(text, allowed));
  const { size } = new HostList(blocks);
  if (size > BigInt(MAX_HOSTS))
    throw tooManyHosts(formatted(size), formatted(BigInt(MAX_HOSTS)), smallerBlockOf(blocks));
  return { cidrs: blocks.map(String), ports: [...ports], hosts: Number(size) };
}

function privateBlocksOf(allowed: readonly Cidr[]): Cidr[] {
  const blocks = allowed.filter(isPrivateBlock);
  if (blocks.length === 0) throw noPrivateCidr();
  return blocks;
}

function requireInside(text: string, allowed: readonly Cidr[]): Cidr {
  const block = Cidr.parse(text, 'cidrs');
  if (!allowed.some((one) => one.covers(block))) throw cidrNotAllowed(text);
  if (!isPrivateBlock(block)) throw cidrNotPrivate(text);
  return block;
}

const formatted = (count: bigint): string => new Intl.NumberFormat('en').format(count);

/** A part of the largest block that one discovery can try. */
function smallerBlockOf(blocks: readonly Cidr[]): string {
  const [largest] = blocks.toSorted((one, other) => Number(other.size > one.size) - Number(other.size < one.size));
  if (largest === undefined) return '10.20.0.0/20';
  const longest = largest.version === 4 ? 20 : 116;
  return `${largest.first}/${Math.max(longest, largest.prefix)}`;
}
