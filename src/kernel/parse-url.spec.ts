import { parseUrl } from './parse-url';

it('knows what is no URL', () => {
  expect(parseUrl('http://[')).toBeNull();
  expect(parseUrl('/only/a/path')).toBeNull();
});

it('reads a reference as its base has it', () => {
  expect(parseUrl('../b?c', 'https://example.com/a/x')?.href).toBe('https://example.com/b?c');
});

/** Of many different characters: converting them to ASCII takes the square of their number. */
const longHost = Array.from({ length: 100_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7) % 20_000))).join(
  '',
);

it.each([
  ['as it should be', 'http://'],
  ['with white space in its scheme', 'ht\ntp://'],
  ['with one slash', 'http:/'],
  ['with backslashes', 'http:\\\\'],
  ['behind white space', ' \t\n http://'],
  ['without a scheme', '//'],
])('refuses a host of a hundred thousand characters before it is read: %s', (_name, before) => {
  const started = process.cpuUsage();
  expect(parseUrl(`${before}${longHost}/`, before === '//' ? 'http://example.com/' : undefined)).toBeNull();
  // Ten seconds where it is read.
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
});

it('reads long paths and queries', () => {
  const path = 'a/'.repeat(10_000);
  expect(parseUrl(`http://example.com/${path}?${path}`)?.pathname).toBe(`/${path}`);
  expect(parseUrl(path, 'http://example.com/')?.pathname).toBe(`/${path}`);
  expect(parseUrl(`${'a'.repeat(2_000)}://x`)?.protocol).toBe(`${'a'.repeat(2_000)}:`);
});

it('keeps to what it has said, however often it is asked', () => {
  const answers = new Set<string | undefined>();
  for (let turn = 0; turn < 50_000; turn++) answers.add(parseUrl('http://bücher.example/é')?.href);
  expect([...answers]).toEqual(['http://xn--bcher-kva.example/%C3%A9']);
});
