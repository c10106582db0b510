import * as fc from 'fast-check';
import { canonicalAsset, requireAllowedSize, recognizeAsset } from './asset-value';

/** Valid URLs in many spellings. */
const webUrl = fc
  .tuple(
    fc.constantFrom('http', 'https', 'HTTPS'),
    fc.domain(),
    fc.constantFrom('', ':80', ':443', ':8080'),
    fc.stringMatching(/^(\/[\w.~%!$&'()*+,;=:@-]{0,9}){0,4}(\?[\w=&%/?-]{0,9})?$/),
  )
  .map(([scheme, host, port, rest]) => `${scheme}://${host}${port}${rest}`);

/** Any code points, including unpaired surrogates. */
const anyText = fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points));

const kindOf = (kind: string) => expect.objectContaining({ kind });

describe('canonicalAsset', () => {
  it.each([
    ['domain', 'Example.COM.', 'example.com', true],
    ['domain', 'www.example.com', 'www.example.com', false],
    ['domain', 'example.co.uk', 'example.co.uk', true],
    ['domain', 'me.github.io', 'me.github.io', true],
    ['domain', 'bücher.example', 'xn--bcher-kva.example', true],
    ['ip', '192.0.2.1', '192.0.2.1', false],
    ['ip', '2001:DB8:0::1', '2001:db8::1', false],
    ['ip', '::ffff:192.0.2.1', '192.0.2.1', false],
    ['cidr', '192.0.2.0/24', '192.0.2.0/24', false],
    ['cidr', '10.0.0.0/16', '10.0.0.0/16', false],
    ['cidr', '192.0.2.1/32', '192.0.2.1/32', false],
    ['cidr', '2001:DB8::/48', '2001:db8::/48', false],
    ['cidr', '::ffff:10.0.0.0/112', '10.0.0.0/16', false],
    ['url', 'HTTPS://Example.com', 'https://example.com/', false],
    ['url', 'https://example.com:443/a/../b', 'https://example.com/b', false],
    ['url', 'http://example.com:8080/A?b=C#d', 'http://example.com:8080/A?b=C', false],
    ['url', 'http://example.com.:80/', 'http://example.com/', false],
    ['url', 'http://bücher.example/é', 'http://xn--bcher-kva.example/%C3%A9', false],
    ['url', 'http://localhost:3000/', 'http://localhost:3000/', false],
    ['url', 'http://192.0.2.1/', 'http://192.0.2.1/', false],
    ['url', 'http://[2001:DB8:0::1]:8080', 'http://[2001:db8::1]:8080/', false],
    ['url', 'http://[::ffff:192.0.2.1]/', 'http://192.0.2.1/', false],
    ['url', 'https://example.com/a@b', 'https://example.com/a@b', false],
  ])('%s %s is %s (registrable: %s)', (type, raw, value, tld) => {
    expect(canonicalAsset(type, raw)).toEqual({ type, value, tld });
    expect(canonicalAsset(type, value).value).toBe(value);
  });

  it.each([
    ['domain', ''],
    ['domain', '192.0.2.1'],
    ['domain', '2001:db8::1'],
    ['domain', '0x7f.1'],
    ['domain', 'com'],
    ['domain', 'localhost'],
    ['domain', '*.example.com'],
    ['domain', 'https://example.com'],
    ['domain', 'example.com:443'],
    ['domain', 'example.com/24'],
    ['domain', ' example.com'],
    ['domain', `${'a.'.repeat(126)}example.com`],
    ['ip', 'example.com'],
    ['ip', '127.1'],
    ['ip', '192.0.2.1/32'],
    ['ip', 'fe80::1%eth0'],
    ['cidr', '192.0.2.1'],
    ['cidr', '192.0.2.1/24'],
    ['cidr', '10.0.0.1/8'],
    ['cidr', '2001:db8::1/64'],
    ['url', ''],
    ['url', 'example.com'],
    ['url', 'ftp://example.com/'],
    ['url', 'javascript:alert(1)'],
    ['url', 'http:example.com'],
    ['url', 'http:/example.com'],
    ['url', 'http:\\\\example.com'],
    ['url', 'https://example.com\\@evil.example/'],
    ['url', 'https://exam\nple.com/'],
    ['url', 'https://example.com/\r\nHost: evil.example'],
    ['url', 'https://example.com/\t'],
    ['url', 'https://example.com/a b'],
    ['url', 'https://example.com/\u0000'],
    ['url', ' https://example.com/'],
    ['url', 'https://user@example.com/'],
    ['url', 'https://user:secret@example.com/'],
    ['url', 'https://@example.com/'],
    ['url', 'https://:@example.com/'],
    ['url', 'https:///example.com'],
    ['url', 'https://'],
    ['url', 'https://:443/'],
    ['url', 'https://0x7f.1/'],
    ['url', 'https://2130706433/'],
    ['url', 'https://127.1/'],
    ['url', 'https://ex%61mple.com/'],
    ['url', 'https://*.example.com/'],
    ['url', 'https://::1/'],
    ['url', 'https://[::1/'],
    ['url', 'https://[192.0.2.1]/'],
    ['url', 'https://[fe80::1%25eth0]/'],
    ['url', 'https://example.com:65536/'],
    ['url', 'https://example.com:http/'],
    ['url', `https://example.com/${'x'.repeat(2029)}`],
    ['url', `https://example.com/${'é'.repeat(400)}`],
  ])('refuses %s %j, naming the field', (type, raw) => {
    expect(() => canonicalAsset(type, raw)).toThrow(kindOf('invalid'));
    expect(() => canonicalAsset(type, raw)).toThrow(/^asset_value /);
  });

  it.each(['10.0.0.0/8', '10.0.0.0/15', '0.0.0.0/0', '::/0', '2001:db8::/47', '::ffff:10.0.0.0/104'])(
    'recognizes %s as a block that is too large',
    (raw) => {
      expect(() => requireAllowedSize(canonicalAsset('cidr', raw))).toThrow(kindOf('unprocessable'));
    },
  );

  it.each(['10.0.0.0/16', '192.0.2.1/32', '2001:db8::/48', '::ffff:10.0.0.0/112'])('accepts a block of %s', (raw) => {
    expect(() => requireAllowedSize(canonicalAsset('cidr', raw))).not.toThrow();
  });

  it.each(['', 'Domain', 'host', 'toString'])('refuses the unknown type %j', (type) => {
    expect(() => canonicalAsset(type, 'example.com')).toThrow('asset_type must be one of domain, url, ip, cidr.');
  });

  it('accepts a URL of exactly 2048 characters', () => {
    const url = `https://example.com/${'x'.repeat(2028)}`;
    expect(canonicalAsset('url', url).value).toBe(url);
  });

  it('has a canonical form for every URL that is itself canonical', () => {
    fc.assert(
      fc.property(webUrl, (raw) => {
        const { value } = canonicalAsset('url', raw);
        expect(canonicalAsset('url', value).value).toBe(value);
        expect(canonicalAsset('url', `${raw}#other`).value).toBe(value);
      }),
    );
  });

  it('returns a value or a DomainError for every text', () => {
    fc.assert(
      fc.property(fc.constantFrom('domain', 'url', 'ip', 'cidr'), anyText, (type, raw) => {
        for (const text of [raw, `https://${raw}`, `https://example.com/${raw}`]) {
          try {
            expect(canonicalAsset(type, text).value).toMatch(/^[!-~]+$/);
          } catch (error) {
            expect(error).toEqual(kindOf('invalid'));
          }
        }
      }),
    );
  });
});

describe('recognizeAsset', () => {
  it.each([
    ['Example.COM.', { type: 'domain', value: 'example.com', tld: true }],
    ['HTTPS://Example.com', { type: 'url', value: 'https://example.com/', tld: false }],
    ['2001:DB8:0::1', { type: 'ip', value: '2001:db8::1', tld: false }],
    ['192.0.2.0/24', { type: 'cidr', value: '192.0.2.0/24', tld: false }],
    ['192.0.2.1/24', undefined],
    ['localhost', undefined],
    ['', undefined],
  ])('recognizes %j as %j', (raw, asset) => {
    expect(recognizeAsset(raw)).toEqual(asset);
  });
});
