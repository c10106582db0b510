import { duplicateKeyIn } from './repeated-key';

it.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"b":{"a":1},"a":[{"c":1},{"c":1,"d":{},"c":2}]}', 'c'],
  [String.raw`{"a":1,"\u0061" : 2}`, 'a'],
  ['{"":1,"x":"",\n""\n:2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('%s has a key twice', (json, key) => expect(duplicateKeyIn(json)).toBe(key));

it.each([
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
  String.raw`{"a":"\"b\":1,\"b\":2","b":"}{","c":["a","a","a:"]}`,
  '["a","a"]',
  '1',
])('%s has none', (json) => expect(duplicateKeyIn(json)).toBeNull());

it('is not impressed by long texts', () => {
  const long = 'a\\n'.repeat(2_000_000);
  expect(duplicateKeyIn(`{"a":"${long}","b":"${long}"}`)).toBeNull();
});
