import { isExcepted, parseProxy } from './proxy';

describe('the URL of a proxy', () => {
  it.each([
    ['http://proxy.example:3128', { host: 'proxy.example', port: 3128, isTls: false, credentials: undefined }],
    ['proxy.example:3128', { host: 'proxy.example', port: 3128, isTls: false, credentials: undefined }],
    ['https://proxy.example/', { host: 'proxy.example', port: 443, isTls: true, credentials: undefined }],
    [
      'http://me:p%40%3As@[2001:db8::1]:8080',
      { host: '2001:db8::1', port: 8080, isTls: false, credentials: 'me:p@:s' },
    ],
    ['http://me:100%@proxy:80', { host: 'proxy', port: 80, isTls: false, credentials: 'me:100%' }],
  ])('%s is understood', (text, proxy) => expect(parseProxy(text, '--proxy')).toEqual(proxy));

  it.each(['socks5://proxy:1080', 'http://', 'http://proxy:99999', 'http://secret@proxy/path', 'http://pass word@x y'])(
    '%s is refused without repeating it',
    (text) => {
      expect(() => parseProxy(text, 'HTTPS_PROXY')).toThrow(
        /^HTTPS_PROXY must (?!.*(secret|pass word)).*http:\/\/proxy.example.com:3128/,
      );
    },
  );
});

describe('NO_PROXY', () => {
  it.each([
    ['*', 'assay.example', 443, true],
    ['other.example, assay.example', 'assay.example', 443, true],
    ['example', 'assay.example', 443, true],
    ['.example', 'Assay.Example', 443, true],
    ['*.example', 'assay.example', 443, true],
    ['ssay.example', 'assay.example', 443, false],
    ['assay.example:443', 'assay.example', 443, true],
    ['assay.example:8443', 'assay.example', 443, false],
    ['10.0.0.5', '10.0.0.5', 443, true],
    ['10.0.0.0/8', '10.0.0.5', 443, true],
    ['10.0.0.0/8', '11.0.0.5', 443, false],
    ['10.0.0.1/8', '10.0.0.5', 443, false],
    ['2001:DB8::1', '2001:db8::1', 443, true],
    ['[2001:db8::1]:443', '2001:db8::1', 443, true],
    ['[2001:db8::1]:80', '2001:db8::1', 443, false],
    ['2001:db8::/32', '2001:db8::1', 443, true],
    ['0.0.5', '10.0.0.5', 443, false],
    ['.', 'assay.example', 443, false],
    ['', 'assay.example', 443, false],
  ])('"%s" for %s:%i: %s', (noProxy, host, port, expected) => {
    expect(isExcepted(noProxy, host, port)).toBe(expected);
  });
});
