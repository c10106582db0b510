import { RE2JS } from 're2js';
import { costOf } from './expression-cost';

const ATOMS =
  String.raw`a b . \d \w \pL \p{Greek} \x41 \x{41} \01 \( \[ \\ - ] } { é 😀 ^ $ \b {,3} {03} [:alpha:]`.split(' ');
const CLASSES =
  String.raw`[a-z] [^a] []a] [^]-] [a-[:alpha:]] [[:alpha:]] [\d-[:alpha:]] [a\]] [\01-9] [z-\]] [+-[x] [[:]`.split(
    ' ',
  );
const QUOTES = String.raw`\Qa(b\E \Q\E \Q[\E \Q{2}`.split(' ');
const GROUPS = String.raw`( ) (?: (?i: (?P<n> (?<m> (?i) (?-i) () |`.split(' ');
const REPEATS = '* + ? *? {2} {2,} {0,3} {1,20} {7} {0} {3}?'.split(' ');
const PIECES = [...ATOMS, ...CLASSES, ...QUOTES, ...GROUPS, ...REPEATS];

/** A fixed sequence of random numbers (Lehmer). */
function* numbers(seed: number): Generator<number> {
  for (let value = seed; ; yield value) value = (value * 48_271) % 2_147_483_647;
}

function* patterns(many: number): Generator<string> {
  const random = numbers(42);
  const below = (bound: number): number => random.next().value % bound;
  for (let made = 0; made < many; made += 1) {
    const pieces = Array.from({ length: 1 + below(10) }, () => PIECES[below(PIECES.length)]).join('');
    yield below(3) === 0 ? `(?:${pieces}){3}` : pieces;
  }
}

function sizeOf(pattern: string): number | null {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch {
    return null;
  }
}

describe('the cost of an expression', () => {
  it('is never less than the size of the compiled program', () => {
    const readable = [...patterns(20_000)]
      .map((pattern) => ({ pattern, cost: costOf(pattern).size }))
      .filter(({ cost }) => cost < 5_000)
      .flatMap(({ pattern, cost }) => ({ pattern, cost, size: sizeOf(pattern) ?? [] }))
      .filter(({ size }) => typeof size === 'number');
    expect(readable.length).toBeGreaterThan(3_000);
    expect(readable.filter(({ size, cost }) => Number(size) > cost)).toEqual([]);
  });

  it.each([
    ['a{0,1000}'.repeat(110), 110 * 2_000],
    ['(?:(?:a{10}){10}){10}', 1_000],
    ['(a{500}){3}', 1_500],
    ['[{1000}]{2}', 0],
  ])('%s: nested repetitions are multiplied, and consecutive ones are added', (pattern, least) => {
    const { size } = costOf(pattern);
    expect(size).toBeGreaterThanOrEqual(least);
    expect(size).toBeLessThan(1.2 * least + 500);
  });

  it('counts the cost of a class once, also when the class is repeated', () => {
    expect(costOf(String.raw`\pL{100}`).classes).toBe(costOf(String.raw`\pL`).classes);
    expect(costOf('(?i)[ -\u{1e900}]').classes).toBeGreaterThan(costOf('[ -\u{1e900}]').classes + 500);
  });
});
