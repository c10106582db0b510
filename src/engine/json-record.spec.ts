import { recordIn } from './json-record';

it('parses JSON objects, and returns null for other values', () => {
  expect(recordIn(' {"a": [1]} ')).toEqual({ a: [1] });
  for (const text of ['[]', 'null', '{', '']) expect(recordIn(text)).toBeNull();
});

it('does not parse a text longer than 300,000 characters, which would block the event loop', () => {
  const object = (length: number): string => `{"a": "${'x'.repeat(length - 9)}"}`;
  expect(recordIn(object(300_000))).not.toBeNull();
  expect(recordIn(object(300_001))).toBeNull();
});
