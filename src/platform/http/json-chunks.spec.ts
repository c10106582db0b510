import * as fc from 'fast-check';
import { jsonChunks } from './json-chunks';

it('says what JSON.stringify says', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([...jsonChunks(value)].join('')).toBe(JSON.stringify(value));
    }),
  );
});

it('leaves out what is undefined, and lets a value say itself how it is written', () => {
  const value = { a: undefined, b: [undefined, new Date(0)], c: new Date(0), d: { e: undefined }, f: {}, g: [] };
  expect([...jsonChunks(value)].join('')).toBe(JSON.stringify(value));
});

it('says each member of a list apart', () => {
  expect([...jsonChunks({ findings: [{ id: 1 }, { id: 2 }] })]).toEqual([
    '{"findings":',
    '[{"id":1}',
    ',{"id":2}',
    ']',
    '}',
  ]);
});
