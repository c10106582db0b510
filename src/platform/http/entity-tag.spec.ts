import * as fc from 'fast-check';
import { parseIfMatch, tagOfJson, tagOfText } from './entity-tag';

const isAccepted = (header: string): boolean => {
  try {
    parseIfMatch(header);
    return true;
  } catch {
    return false;
  }
};

/** The list of RFC 9110, 13.1.1, read without a pattern for the whole: what is between the quotes, and what is outside. */
function isList(header: string): boolean {
  const parts = header.split('"');
  if (parts.length < 3 || parts.length % 2 === 0) return false;
  const inside = parts.filter((_part, index) => index % 2 === 1);
  const outside = parts.filter((_part, index) => index % 2 === 0);
  const first = outside.shift() ?? '';
  const last = outside.pop() ?? '';
  return (
    inside.every((part) => !/[ \t]/.test(part)) &&
    /^[ \t,]*(?:W\/)?$/.test(first) &&
    outside.every((part) => part.includes(',') && /^[ \t,]*(?:W\/)?$/.test(part)) &&
    /^[ \t,]*$/.test(last)
  );
}

/** The shortest time of several runs, so that a pause of the machine does not count. */
function shortestTime(work: () => void): number {
  const times = Array.from({ length: 7 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return Math.min(...times);
}

it('accepts exactly the lists of entity tags whose elements may be empty', () => {
  const pieces = fc.constantFrom('"', '"', 'a', '"a"', '"b,c"', ',', ', ', ' ', '\t', 'W/', 'W/"d"', 'x');
  const headers = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(headers, (header) => isAccepted(header) === isList(header)),
    { numRuns: 3_000, examples: [['"a", "b"'], [',, "a" , ,W/"b",\t'], ['"a" "b"'], ['"a'], [' ']] },
  );
});

it('returns the tags of the list', () => {
  expect(parseIfMatch(', "a", ,W/"b,c" ,')).toEqual(['"a"', 'W/"b,c"']);
});

describe('a malformed list', () => {
  it.each([
    ['empty elements', ', '],
    ['elements without spaces', ','],
    ['tags', ', "a"'],
  ])('of many %s is refused in a time that does not double with each element', (_name, element) => {
    const refuse = (elements: number) => () => {
      for (let run = 0; run < 20; run++) expect(isAccepted(`"a"${element.repeat(elements)}x`)).toBe(false);
    };
    // With a pattern that tries all ways to read the list, ten more elements take 1,024 times as long.
    expect(shortestTime(refuse(18)) / shortestTime(refuse(8))).toBeLessThan(32);
    expect(isAccepted(`"a"${element.repeat(4_000)}x`)).toBe(false);
  });
});

it('gives a text the same tag in one piece and in many', async () => {
  expect(await tagOfJson(['{"a":', '1}'])).toBe(tagOfText('{"a":1}'));
});

it('lets the process serve others while it computes the tag of a long response', async () => {
  const megabytes = Array.from({ length: 20 }, () => 'x'.repeat(1_048_576));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await tagOfJson(megabytes);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(19);
});
