import type { PinnedAddresses } from '../../engine';

/** Addresses that both allow. */
export const bothPinned = (one: PinnedAddresses | undefined, other: PinnedAddresses): PinnedAddresses =>
  one === undefined
    ? other
    : {
        keep: (host, found) => one.keep(host, found),
        has: (host, address) => one.has(host, address) && other.has(host, address),
      };
