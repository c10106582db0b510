import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { growingCache } from './growing-cache';

it('forgets the entries that were used longest ago', () => {
  const cache = growingCache<string, number>(2);
  cache.set('one', 1).set('two', 2);
  cache.get('one');
  cache.set('three', 3);
  expect([...cache.keys()].toSorted()).toEqual(['one', 'three']);
});

it('does not keep a request in memory because a key is a part of its text', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const cache = growingCache<string, number>(1_000);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < 1_000; number++) {
    const header = Buffer.from(`name ${number} ${'x'.repeat(15_000)}`).toString();
    cache.set(`key ${header.slice(0, 64)}`, number);
  }
  collectGarbage();
  expect((process.memoryUsage().heapUsed - before) / 1_000_000).toBeLessThan(2);
  expect(cache.get(`key name 7 ${'x'.repeat(57)}`)).toBe(7);
});
