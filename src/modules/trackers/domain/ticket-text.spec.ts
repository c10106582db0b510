import { adfOf, hiddenMarker, markdownOf, markerIn, ticketTitle } from './ticket-text';

const MARKER = '0190aaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
const link = { text: 'The finding', url: 'https://assay.example.com/o/1/findings/2' };
const markdown = (...paragraphs: string[]): string => markdownOf({ paragraphs, link }, MARKER);

it.each([
  ['a mention', 'ask @everyone', '@everyone'],
  ['a reference', 'closes #12', '#12'],
  ['a reference without a sign', 'closes GH-26', 'GH-26'],
  ['a reference without a sign, escaped', 'closes gh-26', 'gh\\-26'],
  ['a picture', '![x](http://evil.example/p)', '![x]('],
  ['HTML', '<script>alert(1)</script>', '<script>'],
  ['an address', 'see https://evil.example/a', 'https://evil'],
  ['an address without a scheme', 'see www.evil.example', 'www.evil'],
])('has %s of a finding as plain text', (_name, text, active) => {
  expect(markdown(text)).not.toContain(active);
});

it('has no quick action of GitLab, which is a line that begins with a slash', () => {
  expect(markdown('first\n/close\n\n/confidential', '/unlabel')).not.toMatch(/^\s*\//m);
});

it('has one marker, the last line, whatever the texts above contain', () => {
  const quoted = hiddenMarker('0190aaaa-bbbb-4ccc-8ddd-ffffffffffff');
  expect(markerIn(markdown(quoted))).toBe(MARKER);
  expect(markdown(quoted).match(/<!--/g)).toHaveLength(1);
  expect(markerIn(`${quoted}\n\nA person quotes it.`)).toBeNull();
  expect(markerIn('')).toBeNull();
});

it('shortens a title, on one line', () => {
  const title = ticketTitle(`a\u0000b\n${'x'.repeat(400)}`);
  expect(title).toHaveLength(250);
  expect(['\n', '\u0000'].filter((sign) => title.includes(sign))).toEqual([]);
});

it('limits a title and a text after what it adds to them', () => {
  expect(ticketTitle('#a'.repeat(200))).toHaveLength(250);
  expect(ticketTitle(`${'x'.repeat(248)}\u{1F600}y`).isWellFormed()).toBe(true);
  expect(ticketTitle('see GH-26')).not.toContain('GH-26');
  const paragraphs = Array.from({ length: 40 }, () => '*'.repeat(4_000));
  const text = markdownOf({ paragraphs, link }, MARKER);
  expect(text.length).toBeLessThan(30_500);
  expect(text.length).toBeGreaterThan(29_000);
  expect(markerIn(text)).toBe(MARKER);
  const { content } = adfOf({ paragraphs, link });
  expect(content.map(({ content: [first] }) => first?.text ?? '').join('').length).toBeLessThan(30_500);
  expect(content.at(-1)?.content[0]?.text).toBe('The finding');
});

it('has only texts in ADF, of which Jira accepts no empty one', () => {
  const { content } = adfOf({ paragraphs: ['', '**a**'], link });
  expect(content.map(({ content: [first] }) => first?.text)).toEqual(['-', '**a**', 'The finding']);
});
