import { parseUrl } from './parse-url';

it('returns null for text that is not a URL', () => {
  expect(parseUrl('http://[')).toBeNull();
  expect(parseUrl('/only/a/path')).toBeNull();
});

it('resolves a relative reference against its base', () => {
  expect(parseUrl('../b?c', 'https://example.com/a/x')?.href).toBe('https://example.com/b?c');
});

/** Many different characters: converting them to ASCII takes quadratic time. */
const longHost = Array.from({ length: 100_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7) % 20_000))).join(
  '',
);

it.each([
  ['normal form', 'http://'],
  ['white space in the scheme', 'ht\ntp://'],
  ['one slash', 'http:/'],
  ['backslashes', 'http:\\\\'],
  ['leading white space', ' \t\n http://'],
  ['no scheme', '//'],
])('rejects a host of 100,000 characters before the parser runs: %s', (_name, before) => {
  const started = process.cpuUsage();
  expect(parseUrl(`${before}${longHost}/`, before === '//' ? 'http://example.com/' : undefined)).toBeNull();
  // The parser takes about ten seconds.
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
});

it('parses long paths and queries', () => {
  const path = 'a/'.repeat(10_000);
  expect(parseUrl(`http://example.com/${path}?${path}`)?.pathname).toBe(`/${path}`);
  expect(parseUrl(path, 'http://example.com/')?.pathname).toBe(`/${path}`);
  expect(parseUrl(`${'a'.repeat(2_000)}://x`)?.protocol).toBe(`${'a'.repeat(2_000)}:`);
});

it('returns the same result for a non-ASCII URL after 50,000 calls', () => {
  const answers = new Set<string | undefined>();
  for (let turn = 0; turn < 50_000; turn++) answers.add(parseUrl('http://bücher.example/é')?.href);
  expect([...answers]).toEqual(['http://xn--bcher-kva.example/%C3%A9']);
});
