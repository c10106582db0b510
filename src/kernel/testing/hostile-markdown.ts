const filled = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const upAndDown = (marker: string, deepest: number): string =>
  [...Array.from({ length: deepest }, (_, at) => at + 1), ...Array.from({ length: deepest }, (_, at) => deepest - at)]
    .map((depth) => `${marker.repeat(depth)}a\n`)
    .join('');

/** Texts that take, or might take, more than linear time to render, for any given length. */
export const HOSTILE_MARKDOWN: Readonly<Record<string, (length: number) => string>> = {
  'quotes 20 deep that close and open again': (length) => filled(`${'>'.repeat(20)}\na\n`, length),
  'quotes 20 deep that each hold a heading': (length) => filled(`${'>'.repeat(20)}#\na\n`, length),
  'one quote after the other, each with a heading': (length) => filled('>#\na\n', length),
  'one quote after the other, each with a fence': (length) => filled('>```\na\n', length),
  'one quote after the other, each with a rule': (length) => filled('>---\na\n', length),
  'one quote after the other, each with an empty item': (length) => filled('>- \na\n', length),
  'quotes in list items that close and open again': (length) => filled('- > > >#\n  a\n', length),
  'quotes that become deeper and shallower': (length) => filled(upAndDown('> ', 20), length),
  'lists and quotes inside each other, ended by a line feed': (length) => filled(`${'> - '.repeat(10)}#\na\n`, length),
  'quotes followed by long rules': (length) => filled(`${'>'.repeat(20)}#\n${'-'.repeat(400)}a\n`, length),
  'carriage returns alone': (length) => '\r'.repeat(length),
  'a carriage return before each quote': (length) => filled('\r>#\ra', length),
  'line separators (U+2028) alone': (length) => '\u2028'.repeat(length),
  'line separators (U+2028) between letters': (length) => filled('a\u2028', length),
  'tabs alone': (length) => '\t'.repeat(length),
};
