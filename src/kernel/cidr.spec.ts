import * as fc from 'fast-check';
import { canonicalIp, Cidr, requireIp } from './cidr';

const cidr = (text: string): Cidr => Cidr.parse(text, 'allowed_cidrs');

describe('Cidr.containing', () => {
  it('returns one block of each prefix length, all of which contain the address', () => {
    const blocks = Cidr.containing('192.0.2.129').map(String);
    expect(blocks).toHaveLength(33);
    expect([blocks[0], blocks[25], blocks[32]]).toEqual(['0.0.0.0/0', '192.0.2.128/25', '192.0.2.129/32']);
    expect(Cidr.containing('2001:db8::1')).toHaveLength(129);
    expect(Cidr.containing('2001:db8::1').every((block) => block.contains('2001:db8::1'))).toBe(true);
    expect(Cidr.containing('example.com')).toEqual([]);
  });
});

describe('canonicalIp', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8:0000:0001:0000:0000:0000:0001', '2001:db8:0:1::1'],
    // RFC 5952, section 4.2: a single zero stays, the longest run goes, the first of two equal runs goes.
    ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
  ])('%s has the canonical form %s', (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical);
  });

  it.each([
    '',
    '127.1',
    '0x7f.1',
    '0x7f.0.0.1',
    '2130706433',
    '017700000001',
    '127.0.0.01',
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    ' 1.2.3.4',
    '1.2.3.4\n',
    '1.2.3.4/32',
    '[::1]',
    'fe80::1%eth0',
    '::1::',
    '12345::',
    '1:2:3:4:5:6:7',
    '１.2.3.4',
    'localhost',
  ])('rejects %j, which is not an address', (text) => {
    expect(canonicalIp(text)).toBeNull();
    expect(() => requireIp(text, 'dns_server')).toThrow(/^dns_server must be an IP address/);
  });

  it('does not depend on how an address is written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => {
        const canonical = canonicalIp(ip);
        expect(canonical).not.toBeNull();
        expect(canonicalIp(ip.toUpperCase())).toBe(canonical);
        expect(canonicalIp(canonical ?? '')).toBe(canonical);
      }),
    );
  });
});

describe('Cidr', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8', 4],
    ['0.0.0.0/0', '0.0.0.0/0', 4],
    ['192.0.2.7/32', '192.0.2.7/32', 4],
    ['2001:DB8:0::/48', '2001:db8::/48', 6],
    ['::/0', '::/0', 6],
    ['::1/128', '::1/128', 6],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8', 4],
    ['::ffff:0:0/96', '0.0.0.0/0', 4],
  ])('%s has the canonical form %s', (text, canonical, version) => {
    expect(cidr(text).toString()).toBe(canonical);
    expect(cidr(text).version).toBe(version);
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/+8',
    '10.0.0.0/8.0',
    '10.0.0.0/8/8',
    '10/8',
    '10.0.0.0/255.0.0.0',
    '0xa.0.0.0/8',
    ' 10.0.0.0/8',
    '::/129',
    '::ffff:0:0/95',
    'fe80::%1/64',
    '::/-1',
    '',
  ])('rejects %j, which is not an address block', (text) => {
    expect(() => cidr(text)).toThrow(/^allowed_cidrs must be an address block/);
  });

  it.each([
    ['10.0.0.1/8', '10.0.0.0/8'],
    ['192.0.2.129/25', '192.0.2.128/25'],
    ['2001:db8::1/64', '2001:db8::/64'],
    ['::ffff:10.0.0.1/104', '10.0.0.0/8'],
  ])('rejects %s, which has bits beyond its prefix, and proposes %s', (text, meant) => {
    expect(() => cidr(text)).toThrow(`allowed_cidrs has bits set beyond its prefix (did you mean ${meant}?).`);
  });

  it.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '10.1.2.3', false],
    ['2001:db8::/33', '2001:db8:7fff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
    ['10.0.0.0/8', 'ten', false],
  ])('%s contains %s: %s', (block, ip, expected) => {
    expect(cidr(block).contains(ip)).toBe(expected);
  });

  it.each([
    ['10.0.0.0/8', '10.1.0.0/16', true, true],
    ['10.1.0.0/16', '10.0.0.0/8', false, true],
    ['10.0.0.0/8', '10.0.0.0/8', true, true],
    ['10.0.0.0/9', '10.128.0.0/9', false, false],
    ['0.0.0.0/0', '::/0', false, false],
  ])('%s and %s: covers %s, overlaps %s', (one, other, covers, overlaps) => {
    expect(cidr(one).covers(cidr(other))).toBe(covers);
    expect(cidr(one).overlaps(cidr(other))).toBe(overlaps);
  });

  it('contains exactly the addresses that begin with its prefix', () => {
    const bits = (ip: string): string =>
      ip
        .split('.')
        .map((part) => Number(part).toString(2).padStart(8, '0'))
        .join('');
    const ip = (text: string): string => (text.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)).join('.');
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (base, other, prefix) => {
        const head = bits(base).slice(0, prefix);
        const block = cidr(`${ip(head.padEnd(32, '0'))}/${prefix}`);
        expect(block.contains(base)).toBe(true);
        expect(block.contains(other)).toBe(bits(other).startsWith(head));
        expect(cidr(block.toString()).toString()).toBe(block.toString());
      }),
    );
  });
});
