import { isIP } from 'node:net';
import { fromByteArray, type IPv4, type IPv6, parse } from 'ipaddr.js';
import { invalid } from './domain-error';

type Address = IPv4 | IPv6;

/**
 * The stack's parsers also read `127.1`, `0x7f.1` or `fe80::1%eth0`: spellings that a rule about addresses would then
 * miss. Only what Node itself calls an address is one, and IPv4 written as IPv6 is the IPv4 that it reaches.
 */
function addressOf(text: string): Address | null {
  if (isIP(text) === 0 || text.includes('%')) return null;
  const address = parse(text);
  return 'isIPv4MappedAddress' in address && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** The one spelling of an address (RFC 5952 where it is IPv6); null when the text is no address. */
export function canonicalIp(text: string): string | null {
  return addressOf(text)?.toString() ?? null;
}

/** The one spelling of an address, or a refusal that names the field it came in. */
export function requireIp(text: string, field: string): string {
  const ip = canonicalIp(text);
  if (ip === null) throw invalid(`${field} must be an IP address, such as 192.0.2.1 or 2001:db8::1.`);
  return ip;
}

/** The first `bits` bits of a byte; more than eight are all of it, fewer than none are nothing. */
const mask = (bits: number): number => 0xff & (0xff << (8 - Math.min(Math.max(bits, 0), 8)));

function networkOf(address: Address, prefix: number): Address {
  return fromByteArray(address.toByteArray().map((byte, index) => byte & mask(prefix - 8 * index)));
}

/** A block of addresses in its one spelling: the network's own address, a slash and the length of the prefix. */
export class Cidr {
  private constructor(
    private readonly network: Address,
    readonly prefix: number,
  ) {}

  /** Refuses, naming the field, what is no block or has bits set beyond its prefix: those are mostly a slip. */
  static parse(text: string, field: string): Cidr {
    const [, host = '', length = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
    const address = addressOf(host);
    // IPv4 written as IPv6 has 96 leading bits that the IPv4 block does not count.
    const prefix = Number(length) - (host.includes(':') && address?.kind() === 'ipv4' ? 96 : 0);
    if (address === null || prefix < 0 || prefix > 8 * address.toByteArray().length) {
      throw invalid(`${field} must be an address block in CIDR notation, such as 192.0.2.0/24 or 2001:db8::/48.`);
    }
    const network = networkOf(address, prefix);
    if (network.toString() !== address.toString()) {
      throw invalid(`${field} has bits set beyond its prefix (did you mean ${network.toString()}/${prefix}?).`);
    }
    return new Cidr(network, prefix);
  }

  /** Every block that an address lies in, the widest first; of what is no address there is none. */
  static containing(ip: string): Cidr[] {
    const address = addressOf(ip);
    if (address === null) return [];
    const bits = 8 * address.toByteArray().length;
    return Array.from({ length: bits + 1 }, (_none, prefix) => new Cidr(networkOf(address, prefix), prefix));
  }

  get version(): 4 | 6 {
    return this.network.kind() === 'ipv4' ? 4 : 6;
  }

  /** Whether the address lies in this block; what is no address lies nowhere. */
  contains(ip: string): boolean {
    const address = addressOf(ip);
    return address !== null && this.includes(address);
  }

  /** Whether every address of the other block lies in this one. */
  covers(other: Cidr): boolean {
    return other.prefix >= this.prefix && this.includes(other.network);
  }

  overlaps(other: Cidr): boolean {
    return this.covers(other) || other.covers(this);
  }

  toString(): string {
    return `${this.network.toString()}/${this.prefix}`;
  }

  private includes(address: Address): boolean {
    return address.kind() === this.network.kind() && address.match(this.network, this.prefix);
  }
}
