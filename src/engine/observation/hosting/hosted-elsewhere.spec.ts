import { canonicalIp, Cidr, compareAddresses } from '../../../kernel/cidr';
import { cpuMs } from '../../testing/cpu';
import { hostedElsewhere, isInPublishedRange } from './hosted-elsewhere';
import { HOSTING_SERVICES } from './hosting-services';
import { PUBLISHED_RANGES } from './published-ranges';

const isOwn = (name: string): boolean => /(?:^|\.)example\.com$/.test(name) || name === '151.101.7.7';
const look = (chain: string[], addresses: string[], name = 'www.example.com') =>
  hostedElsewhere({ name, chain, addresses, isOwn });

const blocks = PUBLISHED_RANGES.flatMap(({ by, blocks: text }) =>
  text
    .trim()
    .split(/\s+/)
    .map((block) => ({ by, block, cidr: block.includes('/') ? Cidr.parse(block, 'block') : Cidr.ofAddress(block) })),
);

describe('hostedElsewhere', () => {
  it.each([
    ['a name with its own address', [], ['192.0.2.1', '2001:db8::1']],
    ['an alias within the verified domains', ['web.example.com'], ['192.0.2.1']],
    ['a chain that leaves the verified domains and returns', ['cdn.test', 'origin.example.com'], ['192.0.2.1']],
    ['an address of a CDN that the organization has verified', [], ['151.101.7.7']],
    ['the addresses just outside of a published range', [], ['103.21.243.255', '103.21.248.0']],
    ['an address before all published ranges', [], ['0.0.0.1']],
    ['an address after all published ranges', [], ['ffff::1']],
    ['text that is no address', [], ['elsewhere']],
  ])('reports nothing for %s', (_what, chain, addresses) => {
    expect(look(chain, addresses)).toBeNull();
  });

  it.each([
    ['a site builder', ['shops.myshopify.com'], [], 'Shopify', 'shops.myshopify.com'],
    [
      'a CDN behind an own alias',
      ['web.example.com', 'd1.cloudfront.net'],
      [],
      'Amazon CloudFront',
      'd1.cloudfront.net',
    ],
    ['an unknown host', ['a.b.hoster.co.uk'], ['192.0.2.1'], 'hoster.co.uk', 'a.b.hoster.co.uk'],
    ['a known host behind an unknown name', ['x.test', 'y.azurefd.net'], [], 'Azure Front Door', 'x.test'],
    ['the first address of a published range', [], ['103.21.244.0'], 'Cloudflare', '103.21.244.0/22'],
    ['the last address of a published range', [], ['103.21.247.255'], 'Cloudflare', '103.21.244.0/22'],
    ['an IPv6 range', [], ['2A04:4E42:0::1'], 'Fastly', '2a04:4e42::/32'],
    ['an IPv4-mapped address', [], ['::ffff:185.199.108.153'], 'GitHub Pages', '185.199.108.153'],
    ['one of several addresses', [], ['192.0.2.1', '76.76.21.21'], 'Vercel', '76.76.21.21'],
  ])('reports %s', (_what, chain, addresses, by, target) => {
    expect(look(chain, addresses)).toEqual({ by, target });
  });

  it('reports a name that a service gave, unless the organization has verified it', () => {
    expect(look([], ['192.0.2.1'], 'shop.github.io')).toEqual({ by: 'GitHub Pages', target: 'shop.github.io' });
    const own = { name: 'shop.github.io', chain: [], addresses: [], isOwn: () => true };
    expect(hostedElsewhere(own)).toBeNull();
  });

  it('does not take a longer label for the end of a name', () => {
    expect(look(['not-github.io'], [])).toEqual({ by: 'not-github.io', target: 'not-github.io' });
  });

  it('names the same target whatever order the DNS gives the addresses', () => {
    const addresses = ['172.67.1.1', '104.21.1.1', '2606:4700::1'];
    const expected = { by: 'Cloudflare', target: '104.16.0.0/13' };
    expect([look([], addresses), look([], addresses.toReversed())]).toEqual([expected, expected]);
  });

  it('finds the service of the first and last address of every published block, and of none beside it', () => {
    for (const { by, block, cidr } of blocks)
      for (const address of [cidr.first, cidr.last])
        expect(hostedElsewhere({ name: 'a.test', chain: [], addresses: [address], isOwn: () => false })).toEqual({
          by,
          target: block,
        });
  });

  it('is quick enough to run before every request', () => {
    const ms = cpuMs(() => {
      for (let turn = 0; turn < 10_000; turn += 1) look(['web.example.com'], [`104.${turn % 256}.7.7`]);
    });
    expect(ms).toBeLessThan(3_000);
  });
});

it.each([
  ['103.21.247.255', true],
  ['103.21.248.0', false],
])('%s is in a published range: %s', (address, isIn) => {
  expect(isInPublishedRange(address)).toBe(isIn);
});

describe('the table of published ranges', () => {
  it('has disjoint, canonical blocks, and a source with a day for each service', () => {
    const sorted = blocks.toSorted((one, other) => compareAddresses(one.cidr.first, other.cidr.first));
    const overlapping = sorted.filter(({ cidr }, at) => sorted[at + 1]?.cidr.overlaps(cidr));
    expect(overlapping.map(({ block }) => block)).toEqual([]);
    expect(blocks.filter(({ cidr }) => canonicalIp(cidr.first) !== cidr.first)).toEqual([]);
    for (const { source, date } of PUBLISHED_RANGES)
      expect([source.length > 10, /^2026-\d\d-\d\d$/.test(date)]).toEqual([true, true]);
  });

  it('contains no private and no documentation address', () => {
    const reserved = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '192.0.2.0/24', 'fc00::/7'];
    const reservedBlocks = reserved.map((block) => Cidr.parse(block, 'block'));
    expect(blocks.filter(({ cidr }) => reservedBlocks.some((one) => one.overlaps(cidr)))).toEqual([]);
  });

  it('has lower-case names of services without a leading dot', () => {
    expect(Object.keys(HOSTING_SERVICES).filter((name) => !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name))).toEqual([]);
  });
});
