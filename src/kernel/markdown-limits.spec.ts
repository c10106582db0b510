import { HOSTILE_MARKDOWN } from './testing/hostile-markdown';
import { markdownRefusal } from './markdown-limits';

const CONTAINERS = /^has quotes and lists inside each other, more than 20 deep/;
const QUOTES = /^has too many quotes without a blank line between them/;

describe('markdownRefusal', () => {
  it.each([
    ['a null character', 'a\0b', /^has control characters/],
    ['an invisible control character', 'a\u009bb', /^has control characters/],
    ['21 quotes', `${'>'.repeat(21)} a`, CONTAINERS],
    ['21 quotes with spaces and tabs', `text\n\n${' >\t'.repeat(21)}a\n`, CONTAINERS],
    ['21 items', `${'- '.repeat(21)}a`, CONTAINERS],
    ['21 numbered items', `${'1. '.repeat(20)}2) a`, CONTAINERS],
    ['alternating quotes and items', `${'> - '.repeat(10)}+ a`, CONTAINERS],
    ['21 quotes after a carriage return', `a\r${'>'.repeat(21)}`, CONTAINERS],
    ['21 quotes in an item, indented like code', `- a\n\n    ${'> '.repeat(21)}b`, CONTAINERS],
    ['21 quotes in an item whose text continues without indentation', `- a\nb\n\n    ${'> '.repeat(21)}c`, CONTAINERS],
    ['21 quotes in front of a rule', `${'> '.repeat(21)}- - -`, CONTAINERS],
    [
      'a delimiter row of 101 columns',
      `${'a|'.repeat(101)}\n${'-|'.repeat(101)}`,
      /^has a table with more than 100 columns/,
    ],
    ['a delimiter row of 101 columns in a quote', `> |${'-|'.repeat(101)}`, /^has a table with more than 100 columns/],
    ['10,000 quotes that each end on the next line', '>#\na\n'.repeat(10_000), QUOTES],
    ['10,000 quotes in items', '- >#\na\n'.repeat(10_000), QUOTES],
    ['10,000 quotes after carriage returns', '>#\ra\r'.repeat(10_000), QUOTES],
    ['quotes in an item, indented like code', `- a\n\n${'    >#\n    b\n'.repeat(5_000)}`, QUOTES],
  ])('rejects %s', (_name, text, sentence) => {
    expect(markdownRefusal(text)).toMatch(sentence);
  });

  it.each([
    ['an empty text', ''],
    ['20 quotes', `${'> '.repeat(20)}a`],
    ['20 items', `${'- '.repeat(20)}a`],
    ['long rules', `${'- '.repeat(100)}\n\n${'* '.repeat(100)}\n\n> ${'- '.repeat(100)}`],
    ['quotation marks in the middle of a line', `a ${'>'.repeat(100)}`],
    [
      'markers in indented code',
      `Seen at\n\n    ${'>'.repeat(100)}\n    ${'- '.repeat(100)}\n\n    |${'-|'.repeat(200)}`,
    ],
    ['a line with many vertical bars that is not a table', '|'.repeat(200) + 'a'],
    ['a quoted mail of 1,200 lines, three deep', '> > > A line of a mail, as long as such lines are.\n'.repeat(1_200)],
    ['a mail with an answer after each line', '> A line of a mail.\nThe answer to that line.\n'.repeat(500)],
    ['10,000 quotes with blank lines between them', '>#\n\n'.repeat(10_000)],
    ['a list of 10,000 items', '- a\n'.repeat(10_000)],
    ['every kind of line end', 'a\r\nb\rc\nd\u2028e\u2029f'],
  ])('accepts %s', (_name, text) => {
    expect(markdownRefusal(text)).toBeNull();
  });

  it.each(Object.entries(HOSTILE_MARKDOWN))('takes time in proportion to the length of the text: %s', (_name, text) => {
    const cpuMsOf = (length: number): number => {
      const one = text(length);
      const before = process.cpuUsage();
      for (let turn = 0; turn < 3; turn++) markdownRefusal(one);
      return process.cpuUsage(before).user / 1_000;
    };
    // The text is 16 times as long: quadratic time would be 256 times as long.
    const [short, long] = [cpuMsOf(65_536), cpuMsOf(16 * 65_536)];
    expect(long).toBeLessThan(60 * Math.max(20, short));
  });
});
