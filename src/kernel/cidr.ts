import { isIP } from 'node:net';
import { fromByteArray, type IPv4, type IPv6, parse } from 'ipaddr.js';
import { invalid } from './domain-error';

type Address = IPv4 | IPv6;

/**
 * ipaddr.js also parses `127.1`, `0x7f.1` and `fe80::1%eth0`. This accepts only what `net.isIP` accepts, without zones, and
 * converts IPv4-mapped IPv6 addresses to IPv4, so that rules about addresses cannot be bypassed by spelling.
 */
function addressOf(text: string): Address | null {
  if (isIP(text) === 0 || text.includes('%')) return null;
  const address = parse(text);
  return 'isIPv4MappedAddress' in address && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** The canonical form of an address (RFC 5952 for IPv6), or null if the text is not an address. */
export function canonicalIp(text: string): string | null {
  return addressOf(text)?.toString() ?? null;
}

/** The canonical form of an address. Throws an error that names the field. */
export function requireIp(text: string, field: string): string {
  const ip = canonicalIp(text);
  if (ip === null) throw invalid(`${field} must be an IP address, such as 192.0.2.1 or 2001:db8::1.`);
  return ip;
}

/** The order of canonical addresses: IPv4 first, then by number. */
export function compareAddresses(one: string, other: string): number {
  const [first, second] = [one, other].map((address) => Buffer.from(parse(address).toByteArray()));
  if (first === undefined || second === undefined) return 0;
  return first.length - second.length || first.compare(second);
}

/** A mask for the first `bits` bits of a byte. Values outside of 0 to 8 are clamped. */
const mask = (bits: number): number => 0xff & (0xff << (8 - Math.min(Math.max(bits, 0), 8)));

function networkOf(address: Address, prefix: number): Address {
  return fromByteArray(address.toByteArray().map((byte, index) => byte & mask(prefix - 8 * index)));
}

/** An address block in canonical CIDR notation. */
export class Cidr {
  private constructor(
    private readonly network: Address,
    readonly prefix: number,
  ) {}

  /** Throws an error that names the field. Bits beyond the prefix are an error, because they are usually a typing error. */
  static parse(text: string, field: string): Cidr {
    const [, host = '', length = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
    const address = addressOf(host);
    // The prefix of an IPv4-mapped IPv6 block counts 96 bits more than that of the IPv4 block.
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

  /** The block that contains only this canonical address. */
  static ofAddress(address: string): Cidr {
    return Cidr.parse(`${address}/${address.includes(':') ? 128 : 32}`, 'address');
  }

  /** All blocks (of these prefixes) that contain an address, the largest first; none if the text is not an address. */
  static containing(ip: string, prefixes?: ReadonlySet<number>): Cidr[] {
    const address = addressOf(ip);
    if (address === null) return [];
    const bits = 8 * address.toByteArray().length;
    return Array.from({ length: bits + 1 }, (_none, prefix) => prefix)
      .filter((prefix) => prefixes?.has(prefix) !== false)
      .map((prefix) => new Cidr(networkOf(address, prefix), prefix));
  }

  get version(): 4 | 6 {
    return this.network.kind() === 'ipv4' ? 4 : 6;
  }

  /** The bytes of the first address. */
  get bytes(): number[] {
    return this.network.toByteArray();
  }

  get first(): string {
    return this.network.toString();
  }

  get last(): string {
    const bytes = this.network.toByteArray().map((byte, index) => byte | (0xff & ~mask(this.prefix - 8 * index)));
    return fromByteArray(bytes).toString();
  }

  /** The number of addresses. */
  get size(): bigint {
    return 1n << BigInt(8 * this.network.toByteArray().length - this.prefix);
  }

  /** The address at a position, which is 0 for the first one and less than `size`. */
  addressAt(position: number): string {
    let carry = position;
    const bytes = this.network.toByteArray();
    for (let index = bytes.length - 1; index >= 0 && carry > 0; index--) {
      const sum = (bytes[index] ?? 0) + carry;
      bytes[index] = sum % 256;
      carry = Math.floor(sum / 256);
    }
    return fromByteArray(bytes).toString();
  }

  /** False if the text is not an address. */
  contains(ip: string): boolean {
    const address = addressOf(ip);
    return address !== null && this.includes(address);
  }

  /** Whether this block contains every address of the other block. */
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
