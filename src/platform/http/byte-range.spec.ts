import * as fc from 'fast-check';
import { byteRangeOf, namesTag } from './byte-range';

describe('byteRangeOf', () => {
  it.each([
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=0-99', { from: 0, to: 99 }],
    ['bytes=10-19', { from: 10, to: 19 }],
    ['bytes=10-', { from: 10, to: 99 }],
    ['bytes=10-1000', { from: 10, to: 99 }],
    ['bytes=-10', { from: 90, to: 99 }],
    ['bytes=-1000', null],
    ['bytes=99-', { from: 99, to: 99 }],
    ['bytes=100-', 'outside'],
    ['bytes=-0', 'outside'],
    ['bytes=20-10', 'outside'],
    ['bytes=-', null],
    ['bytes=0-1,5-6', null],
    ['bytes=a-b', null],
    ['bytes 0-1', null],
    ['lines=0-1', null],
    ['bytes=99999999999999999999-', 'outside'],
    [undefined, null],
  ])('parses %s for a file of 100 bytes', (header, expected) => {
    expect(byteRangeOf(header, 100)).toEqual(expected);
  });

  it('never returns bytes outside of the file', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.option(fc.nat(2_000)), fc.option(fc.nat(2_000)), (size, first, last) => {
        const range = byteRangeOf(`bytes=${first ?? ''}-${last ?? ''}`, size);
        if (range === null || range === 'outside') return;
        expect(range.from).toBeGreaterThanOrEqual(0);
        expect(range.to).toBeGreaterThanOrEqual(range.from);
        expect(range.to).toBeLessThan(size);
      }),
    );
  });
});

it.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
  [undefined, false],
])('namesTag compares %s with the entity tag', (header, expected) => {
  expect(namesTag(header, '"a"')).toBe(expected);
});
