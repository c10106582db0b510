import * as fc from 'fast-check';
import { canonicalHostName, coversHost, registrableDomain, requireDomainName, selfAndParents } from './domain-name';

const LABEL = 'a'.repeat(63);
/** With the suffix it has 253 characters, the maximum length of a name. */
const LONGEST = `${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(57)}.com`;

describe('canonicalHostName', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['faß.de', 'xn--fa-hia.de'],
    ['XN--FA-HIA.DE', 'xn--fa-hia.de'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['ＥＸＡＭＰＬＥ．com', 'example.com'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['a--b.example.com', 'a--b.example.com'],
    ['localhost', 'localhost'],
    [LONGEST, LONGEST],
  ])('%s is %s', (text, name) => {
    expect(canonicalHostName(text)).toBe(name);
    expect(canonicalHostName(name)).toBe(name);
  });

  it.each([
    '',
    '.',
    '..',
    'a..b',
    '.example.com',
    'example.com..',
    '-a.example',
    'a-.example',
    '*.example.com',
    'a b.example',
    ' example.com',
    'example.com\n',
    'example.com/x',
    'example.com:80',
    'user@example.com',
    'ex%61mple.com',
    'a,b.example',
    'a\u0000.example',
    '\u2100.example',
    'xn--a.example',
    'xn--zzzzzzzz99999.example',
    '192.0.2.1',
    '１９２.0.2.1',
    '192.0.2.1.',
    '0x7f.1',
    '2130706433',
    'example.123',
    '[::1]',
    '::1',
    `${LABEL}a.example`,
    `a${LONGEST}`,
    'ü'.repeat(64) + '.example',
    'xn--u-ccb.com',
    'shop.xn--a-ecp.ru',
  ])('%j is not a host name', (text) => {
    expect(canonicalHostName(text)).toBeNull();
  });

  it('returns null or a name that is its own canonical form for every text', () => {
    const anyText = fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points));
    fc.assert(
      fc.property(fc.oneof(fc.domain(), anyText, fc.stringMatching(/^[\w.-]{0,80}$/)), (text) => {
        const name = canonicalHostName(text);
        fc.pre(name !== null);
        expect(name).toMatch(/^[a-z0-9_.-]{1,253}$/);
        expect(canonicalHostName(name ?? '')).toBe(name);
      }),
    );
  });
});

describe('requireDomainName', () => {
  it.each([
    ['example.com', 'example.com'],
    ['Shop.Example.CO.UK', 'shop.example.co.uk'],
    ['me.github.io', 'me.github.io'],
    ['host.corp.internal', 'host.corp.internal'],
    ['www.ck', 'www.ck'],
  ])('takes %s', (text, name) => {
    expect(requireDomainName(text, 'value')).toBe(name);
  });

  it.each(['com', 'co.uk', 'github.io', 's3.amazonaws.com', 'localhost', 'internal', 'b.ck'])('refuses %s', (text) => {
    expect(() => requireDomainName(text, 'value')).toThrow(`${text} is a public suffix`);
  });

  it.each(['192.0.2.1', '::1', 'https://example.com', '*.example.com', ''])('refuses %j', (text) => {
    expect(() => requireDomainName(text, 'value')).toThrow(/^value must be a domain name/);
  });
});

it('refuses a name of a hundred thousand characters before it is converted', () => {
  const long = Array.from({ length: 100_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7) % 20_000))).join('');
  const started = process.cpuUsage();
  expect(canonicalHostName(long)).toBeNull();
  // Converting it would take ten seconds.
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
});

describe('registrableDomain', () => {
  it.each([
    ['a.b.example.co.uk', 'example.co.uk'],
    ['a.me.github.io', 'me.github.io'],
    ['co.uk', null],
  ])('of %s is %s', (host, domain) => {
    expect(registrableDomain(host)).toBe(domain);
  });
});

describe('coversHost', () => {
  it.each([
    ['example.com', 'example.com', true],
    ['example.com', 'a.b.example.com', true],
    ['example.com', 'notexample.com', false],
    ['a.example.com', 'example.com', false],
    ['example.com', 'example.com.evil.test', false],
    ['example.com', '', false],
  ])('%s covers %s: %s', (domain, host, expected) => {
    expect(coversHost(domain, host)).toBe(expected);
  });
});

describe('selfAndParents', () => {
  it('lists the host and every parent name', () => {
    expect(selfAndParents('a.b.example.com')).toEqual(['a.b.example.com', 'b.example.com', 'example.com', 'com']);
    expect(selfAndParents('a.b.example.com').filter((name) => coversHost(name, 'a.b.example.com'))).toHaveLength(4);
  });
});
