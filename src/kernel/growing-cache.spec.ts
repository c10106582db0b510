import { growingCache } from './growing-cache';

it('forgets the entries that were used longest ago', () => {
  const cache = growingCache<string, number>(2);
  cache.set('one', 1).set('two', 2);
  cache.get('one');
  cache.set('three', 3);
  expect([...cache.keys()].toSorted()).toEqual(['one', 'three']);
});
