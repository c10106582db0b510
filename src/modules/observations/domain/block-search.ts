import type { Cidr } from '../../../kernel/cidr';
import { dayOf } from '../../../kernel/day';
import { isSilentPort } from '../../../engine/observation/ports';
import { DEFAULT_PORTS } from '../../discovery/domain/discovery-plan';
import { HostList, spreadPosition } from '../../discovery/domain/host-list';

/** Of one block. Larger ones take several days. */
export const ADDRESSES_A_DAY = 4_096;

/** How many addresses are searched before their results are stored. */
export const PORTION = 64;

/** The largest blocks whose addresses are tried one by one. */
const LARGEST = { 4: 8, 6: 116 } as const;

/** How far the search of a block has come. */
export interface BlockProgress {
  /** How many addresses this round has covered. */
  readonly blockPosition: number;
  /** How many were searched on the day of the last search. */
  readonly blockSearched: number;
  readonly blockSearchedAt: Date | null;
  /** When all addresses were last searched. */
  readonly blockCompleted: Date | null;
}

/** Before the first search. */
export const unsearchedBlock: BlockProgress = {
  blockPosition: 0,
  blockSearched: 0,
  blockSearchedAt: null,
  blockCompleted: null,
};

/** Why the addresses of a block are not tried, and what to do; null if they are. */
export function reasonNotSearched({ version, prefix }: Cidr): string | null {
  if (prefix >= LARGEST[version]) return null;
  return `An IPv${version} block is searched up to /${LARGEST[version]}: add smaller blocks, or the addresses of its hosts, as assets.`;
}

export const sizeOf = (block: Cidr): number => Number(new HostList([block]).size);

/** How many addresses were searched on this day, in UTC. */
export const searchedToday = ({ blockSearched, blockSearchedAt }: BlockProgress, now: Date): number =>
  blockSearchedAt !== null && dayOf(blockSearchedAt) === dayOf(now) ? blockSearched : 0;

/** The state of the search of a block, for people. */
export interface BlockSearch {
  readonly addresses: number;
  readonly searched: number;
  readonly searchedToday: number;
  readonly completed: Date | null;
}

export const blockSearch = (block: Cidr, progress: BlockProgress, now: Date): BlockSearch | null =>
  reasonNotSearched(block) === null
    ? {
        addresses: sizeOf(block),
        searched: progress.blockPosition,
        searchedToday: searchedToday(progress, now),
        completed: progress.blockCompleted,
      }
    : null;

/** The addresses to try next. */
export interface Portion {
  readonly addresses: readonly string[];
  /** Whether the observation ends after this portion: the block, or the part for today, is complete. */
  readonly isLast: boolean;
}

export function nextPortion(block: Cidr, progress: BlockProgress, now: Date): Portion {
  const hosts = new HostList([block]);
  const size = Number(hosts.size);
  const ofToday = Math.max(0, ADDRESSES_A_DAY - searchedToday(progress, now));
  const left = Math.min(size - progress.blockPosition, ofToday);
  const count = Math.min(PORTION, left);
  const addressOf = (turn: number): string => hosts.addressAt(spreadPosition(progress.blockPosition + turn, size));
  return { addresses: Array.from({ length: count }, (_none, turn) => addressOf(turn)), isLast: count === left };
}

/** After the addresses of a portion. A complete block begins again. */
export function afterPortion(progress: BlockProgress, count: number, size: number, now: Date): BlockProgress {
  const position = progress.blockPosition + count;
  const isComplete = position >= size;
  return {
    blockPosition: isComplete ? 0 : position,
    blockSearched: searchedToday(progress, now) + count,
    blockSearchedAt: now,
    blockCompleted: isComplete ? now : progress.blockCompleted,
  };
}

/** The ports of discoveries, as far as the block is tried on them, and others in their place. */
export function searchPorts(ports: readonly number[]): number[] {
  const usual = DEFAULT_PORTS.filter((port) => ports.includes(port));
  const others = ports.filter((port) => !usual.includes(port) && !isSilentPort(port));
  return [...usual, ...others].slice(0, DEFAULT_PORTS.length);
}
