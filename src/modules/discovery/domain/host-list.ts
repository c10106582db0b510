import { Cidr } from '../../../kernel/cidr';

/** The addresses of a block that hosts can have: without the network and the broadcast address of an IPv4 block. */
interface HostBlock {
  readonly block: Cidr;
  readonly first: number;
  readonly hosts: bigint;
}

/** Blocks of one or two IPv4 addresses have no network and broadcast address. */
const hasReservedEnds = ({ version, size }: Cidr): boolean => version === 4 && size > 2n;

const hostBlockOf = (block: Cidr): HostBlock =>
  hasReservedEnds(block) ? { block, first: 1, hosts: block.size - 2n } : { block, first: 0, hosts: block.size };

/** Blocks are disjoint or nested, so without the nested ones no address occurs twice. */
const withoutNested = (blocks: readonly Cidr[]): Cidr[] =>
  blocks.filter(
    (block, index) =>
      !blocks.some((other, place) => {
        const isSame = String(other) === String(block);
        return isSame ? place < index : other.covers(block);
      }),
  );

/** The hosts of several blocks, each once. */
export class HostList {
  private readonly blocks: readonly HostBlock[];

  constructor(blocks: readonly Cidr[]) {
    this.blocks = withoutNested(blocks).map(hostBlockOf);
  }

  get size(): bigint {
    return this.blocks.reduce((sum, { hosts }) => sum + hosts, 0n);
  }

  /** The address of the host at a position from 0, which is less than `size`. */
  addressAt(position: number): string {
    let rest = position;
    for (const { block, first, hosts } of this.blocks) {
      if (BigInt(rest) < hosts) return block.addressAt(first + rest);
      rest -= Number(hosts);
    }
    throw new Error(`The list has no host ${position}.`);
  }
}

const GOLDEN_RATIO = 0.618;

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other);

/**
 * The position of the host that is tried as number `turn` of `count`. Hosts that are tried one after the other are far apart,
 * so that no switch and no sensor sees a sweep, and the order is the same after an interruption.
 */
export function spreadPosition(turn: number, count: number): number {
  let step = Math.max(1, Math.floor(count * GOLDEN_RATIO));
  while (greatestCommonDivisor(step, count) !== 1) step++;
  return (turn * step) % count;
}
