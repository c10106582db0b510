import * as fc from 'fast-check';
import { jsonChunks } from './json-chunks';

it('has the same output as JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([...jsonChunks(value)].join('')).toBe(JSON.stringify(value));
    }),
  );
});

it('omits undefined members and calls toJSON', () => {
  const value = { a: undefined, b: [undefined, new Date(0)], c: new Date(0), d: { e: undefined }, f: {}, g: [] };
  expect([...jsonChunks(value)].join('')).toBe(JSON.stringify(value));
});

it('yields each member of a list separately', () => {
  expect([...jsonChunks({ findings: [{ id: 1 }, { id: 2 }] })]).toEqual([
    '{"findings":',
    '[{"id":1}',
    ',{"id":2}',
    ']',
    '}',
  ]);
});
