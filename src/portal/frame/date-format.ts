import { LRUCache } from 'lru-cache';

/** Two for each of many time zones. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/**
 * A format is used again, because each one takes tens of kilobytes outside of the heap, which the garbage collector does not count: the
 * process grew by megabytes with every page. Throws if the time zone does not exist.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = formats.get(key);
  if (known !== undefined) return known;
  const created = new Intl.DateTimeFormat('en-GB', options);
  formats.set(key, created);
  return created;
}
