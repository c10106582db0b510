import * as fc from 'fast-check';
import { jsonChunks } from './json-chunks';

it('has the same output as JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([...jsonChunks(value)].join('')).toBe(JSON.stringify(value));
    }),
  );
});

it('has the same output beside a long text', () => {
  const long = 'x'.repeat(131_072);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const both = { value, list: [value, long] };
      expect([...jsonChunks(both)].join('')).toBe(JSON.stringify(both));
    }),
  );
});

it('yields a short value whole', () => {
  const page = { findings: Array.from({ length: 50 }, (_, id) => ({ id, title: 'x'.repeat(1_000) })) };
  expect([...jsonChunks(page)]).toEqual([JSON.stringify(page)]);
});

it('omits undefined members and calls toJSON', () => {
  const long = 'x'.repeat(131_072);
  const value = { a: undefined, b: [undefined, new Date(0)], c: new Date(0), d: { e: undefined }, f: {}, g: [], long };
  expect([...jsonChunks(value)].join('')).toBe(JSON.stringify(value));
});

const piecesOf = (items: readonly unknown[]): string[] => [...jsonChunks(items)].slice(0, -1);

it('yields each long member of a list separately', () => {
  const long = 'x'.repeat(50_000);
  expect(piecesOf([long, long, long])).toEqual([`["${long}"`, `,"${long}"`, `,"${long}"`]);
});

it('yields short members of a list sixteen at a time, until one is long', () => {
  const long = 'x'.repeat(200_000);
  const items = [...Array.from({ length: 33 }, () => 1), long, ...Array.from({ length: 15 }, () => 1), long, long];
  const membersOf = (piece: string): number => piece.replace(/^[[,]/, '').split(',').length;
  expect(piecesOf(items).map(membersOf)).toEqual([1, 16, 16, 16, 1, 1]);
});
