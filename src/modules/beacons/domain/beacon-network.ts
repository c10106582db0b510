import { Cidr, requireIp } from '../../../kernel/cidr';
import { invalid } from '../../../kernel/domain-error';

export const MAX_CIDRS = 64;

/** Addresses that are invalid as targets, or belong to the beacon itself or its link. Cloud metadata is link-local. */
const REFUSED: readonly (readonly [string, Cidr])[] = (
  [
    ['the unspecified addresses', '0.0.0.0/8'],
    ['loopback', '127.0.0.0/8'],
    ['link-local', '169.254.0.0/16'],
    ['multicast', '224.0.0.0/4'],
    ['broadcast', '255.255.255.255/32'],
    ['the unspecified address', '::/128'],
    ['loopback', '::1/128'],
    ['link-local', 'fe80::/10'],
    ['multicast', 'ff00::/8'],
  ] as const
).map(([name, block]) => [name, Cidr.parse(block, name)]);

export function requireBeaconName(name: string): string {
  if (/^[A-Za-z0-9_-]{1,63}$/.test(name)) return name;
  throw invalid('name must be 1 to 63 letters, digits, underscores and hyphens.');
}

/** The blocks of a beacon in canonical form, without duplicates. */
export function requireAllowedCidrs(texts: readonly string[]): string[] {
  if (texts.length < 1 || texts.length > MAX_CIDRS) throw invalid(`allowed_cidrs must have 1 to ${MAX_CIDRS} blocks.`);
  return [...new Set(texts.map(requireAllowedCidr))];
}

function requireAllowedCidr(text: string): string {
  const block = Cidr.parse(text, 'allowed_cidrs');
  if (block.prefix === 0) throw invalid(`allowed_cidrs must not be the whole address space: ${block.toString()}.`);
  const refused = REFUSED.find(([, other]) => block.overlaps(other));
  if (refused)
    throw invalid(`allowed_cidrs must not include ${refused[0]} (${refused[1].toString()}), as ${text} does.`);
  return block.toString();
}

export const requireDnsServer = (text: string): string => requireIp(text, 'dns_server');

/** The names that Linux allows for network interfaces. It does not allow `.` and `..`, which are folders. */
export function requireInterfaceName(name: string): string {
  if (/^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,15}$/.test(name)) return name;
  throw invalid('interface_name must be 1 to 15 letters, digits, dots, underscores and hyphens.');
}

/** Blocks of any network: only what they share with the networks of a beacon counts. */
export const requireNetworks = (texts: readonly string[]): string[] =>
  texts.map((text) => Cidr.parse(text, 'networks').toString());

/** The part of each network that is inside another one of the second list. */
export function commonNetworks(allowedCidrs: readonly string[], networks: readonly string[]): string[] {
  const others = networks.map((text) => Cidr.parse(text, 'networks'));
  const common = allowedBlocks(allowedCidrs).flatMap((block) =>
    others.filter((other) => other.overlaps(block)).map((other) => (block.covers(other) ? other : block).toString()),
  );
  return [...new Set(common)];
}

/** The stored networks of a beacon as blocks. */
export const allowedBlocks = (allowedCidrs: readonly string[]): Cidr[] =>
  allowedCidrs.map((cidr) => Cidr.parse(cidr, 'allowed_cidrs'));
