import * as fc from 'fast-check';
import { locationOf } from '../../../engine/target';
import { parseLaunchUrl } from './launch-url';

/** Web addresses of all kinds, as people write them. */
const webUrl = fc
  .tuple(
    fc.constantFrom('http', 'https', 'HTTPS'),
    fc.domain(),
    fc.constantFrom('', ':80', ':443', ':8080'),
    fc.stringMatching(/^(\/[\w.~%!$&'()*+,;=:@-]{0,9}){0,4}(\?[\w=&%/?-]{0,9})?$/),
  )
  .map(([scheme, host, port, rest]) => `${scheme}://${host}${port}${rest}`);

describe('parseLaunchUrl', () => {
  it.each([
    ['https://Example.com', 'https://example.com', '/'],
    ['http://example.com/a/../b?c=d#e', 'http://example.com', '/b'],
    ['HTTPS://example.com:8443/A', 'https://example.com:8443', '/A'],
    ['http://example.com:80', 'http://example.com', '/'],
    ['http://example.com:443/', 'http://example.com:443', '/'],
    ['https://example.com./', 'https://example.com', '/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example', '/'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000', '/'],
    ['http://0x7f.1/', 'http://127.0.0.1', '/'],
    ['http://[::1]:3000/', 'http://[::1]:3000', '/'],
    ['http://[::ffff:7f00:1]/', 'http://127.0.0.1', '/'],
    ['https://example.com/@x', 'https://example.com', '/@x'],
  ])('reads %s', (text, origin, path) => {
    expect(locationOf(parseLaunchUrl(text))).toBe(`${origin}${path}`);
  });

  it.each([
    '',
    'example.com',
    '//example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http:example.com',
    'http:/example.com',
    'http:\\\\example.com',
    'https://',
    'https:///path',
    'https://?x',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://@example.com/',
    'https://example.com\\@evil.example/',
    'https://exam\nple.com/',
    'https://example.com/\r\nX: y',
    'https://example.com/\u0000',
    'https://example.com/a b',
    ' https://example.com/',
    'https://example.com:99999/',
    'https://exa<mple.com/',
    'https://[::1/',
    `https://example.com/${'x'.repeat(2048)}`,
  ])('refuses %j', (text) => {
    expect(() => parseLaunchUrl(text)).toThrow(expect.objectContaining({ kind: 'invalid' }));
    expect(() => parseLaunchUrl(text)).toThrow(/^url must be an http or https URL/);
  });

  it('parses its own output to the same result', () => {
    fc.assert(
      fc.property(webUrl, (text) => {
        const target = parseLaunchUrl(text);
        expect(parseLaunchUrl(locationOf(target))).toEqual(target);
      }),
    );
  });
});
