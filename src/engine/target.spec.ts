import { locationOf, parseLocation, parseTarget } from './target';

describe('parseTarget', () => {
  it.each([
    ['https://WWW.Example.com', 'https://www.example.com/'],
    ['http://example.com:80/a/../b?c=d#e', 'http://example.com/b'],
    ['http://example.com:8080/a//b', 'http://example.com:8080/a//b'],
    ['https://bücher.example./', 'https://xn--bcher-kva.example/'],
    ['https://[2001:DB8:0::1]:8443/', 'https://[2001:db8::1]:8443/'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://[::ffff:127.0.0.1]:81/', 'http://127.0.0.1:81/'],
    ['tcp://192.0.2.1:6379', 'tcp://192.0.2.1:6379'],
    ['tcp://[2001:db8::1]:80', 'tcp://[2001:db8::1]:80'],
    ['dns://Example.com', 'dns://example.com'],
  ])('parses %s as %s, and parses the result again', (text, location) => {
    expect(locationOf(parseTarget(text))).toBe(location);
    expect(locationOf(parseTarget(location))).toBe(location);
  });

  it.each([
    'example.com',
    'ftp://example.com/',
    'javascript:alert(1)',
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://',
    'https:///path',
    'https://exa mple.com/',
    'https://example.com/\r\nHost: other',
    'https://example.com\\@other.example/',
    'https://example.com:0/',
    'https://example.com:65536/',
    'https://example.com:80:81/',
    'tcp://192.0.2.1',
    '',
  ])('refuses %j', (text) => expect(() => parseTarget(text)).toThrow());
});

it('names a segment only where the path has one', () => {
  expect(parseLocation('https://example.com/a/b#segment=2')).toMatchObject({ parameter: '2', within: 'segment' });
  for (const segment of ['0', '3', '999'])
    expect(parseLocation(`https://example.com/a/b#segment=${segment}`).parameter).toBeUndefined();
});
