import { CHECKS } from '../../../engine/checks';
import { markdownRefusal } from '../../../kernel/markdown-limits';
import { textOfSighting } from './sighting-text';

it('quotes what the target sent as a code block that its content cannot end', () => {
  const detail = 'one\n\n# two ```\r\n[link](https://evil.example)\0\uD800';
  expect(textOfSighting('What it means.\n', { location: 'https://example.com/', detail })).toBe(
    [
      'What it means.',
      'Seen at',
      '    https://example.com/',
      'which showed',
      '    one # two ``` [link](https://evil.example)\uFFFD\uFFFD',
    ].join('\n\n'),
  );
});

it.each([
  ['many quotes', '>'.repeat(2_000)],
  ['many items', '- '.repeat(1_000)],
  ['many columns', '|-'.repeat(1_000)],
  ['control characters', '\u0000\u009b\r\u2028'.repeat(500)],
])('never makes a text that is refused, whatever the target sent: %s', (_name, detail) => {
  const texts = CHECKS.map(({ text }) => textOfSighting(text, { location: `https://example.com/${detail}`, detail }));
  expect(texts.map(markdownRefusal).filter((refusal) => refusal !== null)).toEqual([]);
});

it('ends with the command that sends the payload again, unless it is too long to be repeated', () => {
  const seen = { location: 'https://example.com/find?q', detail: 'SQLite evaluates conditions.' };
  const curl = "curl --include 'https://example.com/find?q=1*CASE(2*3)'";
  expect(textOfSighting('About.', seen, curl)).toMatch(
    /\n\nTo send the payload again\n\n {4}curl --include '.*CASE\(2\*3\)'$/,
  );
  expect(textOfSighting('About.', seen, `${curl}${'a'.repeat(3_000)}`)).toBe(textOfSighting('About.', seen));
});
