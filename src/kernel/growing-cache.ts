import { LRUCache } from 'lru-cache';
import { ownText } from './plain-text';

class GrowingCache<Key extends {}, Value extends {}> extends LRUCache<Key, Value> {
  override set(...[key, ...rest]: Parameters<LRUCache<Key, Value>['set']>): this {
    return super.set(typeof key === 'string' ? (ownText(key) as Key & string) : key, ...rest);
  }
}

/** Forgets the oldest entries above `limit`. With `max` it would allocate for all of them at once: a megabyte for 50,000. */
export const growingCache = <Key extends {}, Value extends {}>(limit: number): LRUCache<Key, Value> =>
  new GrowingCache({ maxSize: limit, sizeCalculation: () => 1 });
