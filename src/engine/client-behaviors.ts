import { type ClientIdentity, type ClientName, firstOfKind } from './transport/client-identity';
import type { KeyClient } from './transport/handshake';

/** How a probe presents itself to the target and to caches. */
export interface ClientBehavior {
  readonly identity: ClientIdentity;
  /** The name of the client of this kind. */
  readonly client: ClientName;
  readonly isWithoutContact: boolean;
  /** Whether it uses a query that no cache has stored. */
  readonly uncached: boolean;
  /** Whether it asks caches for a fresh response. */
  readonly bypassCaches: boolean;
  readonly fromOddPort: boolean;
  /** For checks of certificates: the kind of key that the client accepts. */
  readonly keyClient?: KeyClient | undefined;
}

export const PLAIN: ClientBehavior = {
  identity: 'assay',
  client: 'assay',
  isWithoutContact: false,
  uncached: false,
  bypassCaches: false,
  fromOddPort: false,
};
export const AS_BROWSER: ClientBehavior = { ...PLAIN, identity: 'browser', client: 'desktop' };

/** How many times the decisive request is sent to each address before the weakness counts as fixed. */
export const DECISIVE_REQUESTS = 16;

/** Returns a random integer from 0 up to, but not including, the limit. */
export type RandomBelow = (limit: number) => number;

export function shuffled<T>(items: readonly T[], randomBelow: RandomBelow): T[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(randomBelow(rest.length), 1));
}

/** Further clients of each kind. They request stored and fresh responses, from ports of both parities. */
const FURTHER_CLIENTS: Readonly<Record<number, ClientName>> = {
  3: 'mobile',
  5: 'firefox',
  6: 'curl',
  8: 'curl',
  9: 'firefox',
  11: 'firefox',
  13: 'mobile',
  15: 'firefox',
};
/** Of each kind, with stored and fresh responses: these requests are exactly like those of other clients. */
const WITHOUT_CONTACT = new Set([7, 8, 11, 15]);

/** Four of sixteen requests each, half of them as a browser. */
const KEY_CLIENTS: Readonly<Record<number, KeyClient>> = { 2: 'rsa', 3: 'rsa', 6: 'ecdsa', 7: 'ecdsa' };

/** Equal numbers of each kind in random order. The first two have different client identities. */
export function clientBehaviors(randomBelow: RandomBelow): ClientBehavior[] {
  const all = Array.from({ length: DECISIVE_REQUESTS }, (_none, at): ClientBehavior => {
    const identity = at % 2 === 0 ? 'assay' : 'browser';
    return {
      identity,
      client: FURTHER_CLIENTS[at] ?? firstOfKind(identity),
      isWithoutContact: WITHOUT_CONTACT.has(at),
      uncached: at % 4 === 1 || at % 4 === 2,
      bypassCaches: at % 8 !== 0 && at % 8 !== 3,
      fromOddPort: at % 8 >= 4,
      keyClient: KEY_CLIENTS[at % 8],
    };
  });
  // A full probe does not use further clients, so none of these may be among the first.
  const [ours, browsers, third, ...rest] = all;
  return [ours, browsers, third, ...shuffled(rest, randomBelow)].filter((one) => one !== undefined);
}

export const asFirstOfKind = (behavior: ClientBehavior): ClientBehavior => ({
  ...behavior,
  client: firstOfKind(behavior.identity),
  isWithoutContact: false,
});
