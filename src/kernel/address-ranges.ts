import { IPv6 as V6, type IPv4, type IPv6, parse } from 'ipaddr.js';
import { Cidr } from './cidr';

/** The one block of IPv6 from which unicast addresses are assigned. Outside of it the parser says unicast because it has no name. */
const GLOBAL_V6: [IPv6, number] = [V6.parse('2000::'), 3];

/**
 * Services of clouds that give credentials to every local client, at addresses outside of the link-local ranges: Azure,
 * Alibaba, AWS (instances, EKS), Google, Oracle, Scaleway.
 */
const METADATA_ADDRESSES = new Set([
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
]);

/** Networks of organizations. No other range that is not public can be allowed as a block. */
const PRIVATE_BLOCKS = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map((block) =>
  Cidr.parse(block, 'block'),
);

/** Ranges in which a beacon would reach itself or several hosts, or whose addresses contain an IPv4 address of any range. */
const RANGES_CLOSED_TO_BEACONS = new Set([
  'loopback',
  'linkLocal',
  'multicast',
  'broadcast',
  'unspecified',
  'reserved',
  'rfc6052',
  '6to4',
  'teredo',
]);

function isGlobalUnicast(address: IPv4 | IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(...GLOBAL_V6);
}

/** All of these take canonical addresses. */
export const isMetadataAddress = (address: string): boolean => METADATA_ADDRESSES.has(address);

export const isLoopbackAddress = (address: string): boolean => parse(address).range() === 'loopback';

/** Whether no beacon may connect to this address, however wide its blocks are. */
export const isClosedToBeacons = (address: string): boolean =>
  isMetadataAddress(address) || RANGES_CLOSED_TO_BEACONS.has(parse(address).range());

export const isPublicAddress = (address: string): boolean =>
  !isMetadataAddress(address) && isGlobalUnicast(parse(address));

/** Whether the address belongs to a network of an organization. */
export const isPrivateAddress = (address: string): boolean => PRIVATE_BLOCKS.some((block) => block.contains(address));

/** Whether a block may allow this address: never loopback, link-local and metadata addresses, whatever block contains them. */
export const isInBlockRanges = (address: string): boolean =>
  isPublicAddress(address) || (!isMetadataAddress(address) && isPrivateAddress(address));

/** Whether the block lies in ranges that no block may allow, so that it would allow nothing. */
export function isUselessBlock(block: Cidr): boolean {
  const [first, last] = [block.first, block.last];
  if (first === last) return !isInBlockRanges(first);
  if (PRIVATE_BLOCKS.some((range) => range.overlaps(block))) return false;
  return !isPublicAddress(first) && !isPublicAddress(last) && parse(first).range() === parse(last).range();
}
