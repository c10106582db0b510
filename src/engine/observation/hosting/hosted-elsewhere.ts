import { getDomain } from 'tldts';
import { canonicalIp, Cidr } from '../../../kernel/cidr';
import { HOSTING_SERVICES } from './hosting-services';
import { PUBLISHED_RANGES } from './published-ranges';

export interface ResolvedName {
  readonly name: string;
  /** The aliases after the name, in their order; none if it has its own addresses. */
  readonly chain: readonly string[];
  readonly addresses: readonly string[];
  /** Whether a name or a canonical address is in the verified domains or blocks of the organization. */
  readonly isOwn: (nameOrAddress: string) => boolean;
}

export interface HostedElsewhere {
  /** The service, or the domain of the alias if the service is unknown. */
  readonly by: string;
  /** Compared after a person has confirmed it: the first alias that belongs to someone else, or the published block. */
  readonly target: string;
}

interface Range extends HostedElsewhere {
  readonly first: Buffer;
  readonly last: Buffer;
}

function rangeOf(block: string, by: string): Range {
  const cidr = block.includes('/') ? Cidr.parse(block, 'block') : Cidr.ofAddress(block);
  return { by, target: block, first: bytesOf(cidr.first), last: bytesOf(cidr.last) };
}

const bytesOf = (address: string): Buffer => Buffer.from(Cidr.ofAddress(address).bytes);

/** IPv4 first, then numerically. */
const compare = (one: Buffer, other: Buffer): number => one.length - other.length || one.compare(other);

let sortedRanges: readonly Range[] | undefined;

/** Sorted and disjoint, which a test checks. Parsed on first use, because most processes never need it. */
const ranges = (): readonly Range[] =>
  (sortedRanges ??= PUBLISHED_RANGES.flatMap(({ by, blocks }) =>
    blocks
      .trim()
      .split(/\s+/)
      .map((block) => rangeOf(block, by)),
  ).sort((one, other) => compare(one.first, other.first)));

/** The published range that contains a canonical address, if any. */
function rangeAt(address: string): Range | undefined {
  const bytes = bytesOf(address);
  const all = ranges();
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = all[middle];
    if (range === undefined || compare(range.first, bytes) > 0) high = middle;
    else low = middle + 1;
  }
  const before = all[low - 1];
  return before !== undefined && compare(bytes, before.last) <= 0 ? before : undefined;
}

/** Whether the address is in a range that a CDN or a hosting service has published. */
export const isInPublishedRange = (address: string): boolean => rangeAt(address) !== undefined;

function serviceOf(name: string): string | undefined {
  const labels = name.split('.');
  return labels
    .map((_label, at) => HOSTING_SERVICES[labels.slice(at).join('.')])
    .find((service) => service !== undefined);
}

/**
 * Whether someone else serves a name: it was given by a service, its chain of aliases ends outside of the verified domains, or
 * one of its addresses is in a published range of a CDN or hosting service. Otherwise null.
 */
export function hostedElsewhere({ name, chain, addresses, isOwn }: ResolvedName): HostedElsewhere | null {
  const given = isOwn(name) ? undefined : serviceOf(name);
  if (given !== undefined) return { by: given, target: name };
  const end = chain.at(-1);
  if (end !== undefined && !isOwn(end)) {
    const [target = end, ...further] = chain.filter((name) => !isOwn(name));
    const service = [target, ...further].map(serviceOf).find((known) => known !== undefined);
    return { by: service ?? getDomain(target) ?? target, target };
  }
  const foreign = addresses
    .map(canonicalIp)
    .filter((address) => address !== null && !isOwn(address))
    .flatMap((address) => rangeAt(String(address)) ?? [])
    .sort((one, other) => compare(one.first, other.first));
  return foreign[0] === undefined ? null : { by: foreign[0].by, target: foreign[0].target };
}
