import { LRUCache } from 'lru-cache';

/** Forgets the oldest entries above `limit`. With `max` it would allocate for all of them at once: a megabyte for 50,000. */
export const growingCache = <Key extends {}, Value extends {}>(limit: number): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: limit, sizeCalculation: () => 1 });
