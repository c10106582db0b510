import { cacheReason } from './cache-advice';
import { Headers } from './transport/headers';
import type { HttpAnswer } from './transport/http';

const STORED = 'a cache responds instead of the target';
const reasonFor = (...fields: [string, string][]): string =>
  cacheReason({ headers: new Headers(fields) } as unknown as HttpAnswer);

describe('the reason of a response from a cache', () => {
  it.each<[string, [string, string][]]>([
    [
      `${STORED}: retest after 20 seconds, or purge the cache`,
      [
        ['age', '40'],
        ['cache-control', 'public, max-age=60'],
      ],
    ],
    [
      `${STORED}: retest after 260 seconds, or purge the cache`,
      [
        ['age', '40'],
        ['cache-control', 'max-age=60, s-maxage=300'],
      ],
    ],
    [
      `${STORED}: purge the cache, and retest`,
      [
        ['age', '40'],
        ['cache-control', 's-maxage=31536000'],
      ],
    ],
    [
      `${STORED}: purge the cache, and retest`,
      [
        ['age', '90'],
        ['cache-control', 'max-age=60'],
      ],
    ],
    [STORED, [['age', '90']]],
    [STORED, [['x-cache', 'HIT']]],
  ])('is "%s"', (reason, fields) => {
    expect(reasonFor(...fields)).toBe(reason);
  });
});
