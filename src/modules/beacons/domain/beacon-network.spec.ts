import * as fc from 'fast-check';
import { Cidr } from '../../../kernel/cidr';
import { requireAllowedCidrs, requireBeaconName, requireDnsServer, requireInterfaceName } from './beacon-network';

describe('allowed_cidrs', () => {
  it('are in canonical form and in the given order, without duplicates', () => {
    expect(requireAllowedCidrs(['10.0.0.0/8', '2001:DB8::/32', '::ffff:10.0.0.0/104', 'fd00:0::/8'])).toEqual([
      '10.0.0.0/8',
      '2001:db8::/32',
      'fd00::/8',
    ]);
  });

  it.each([
    ['0.0.0.0/0', 'must not be the whole address space'],
    ['::/0', 'must not be the whole address space'],
    ['::ffff:0:0/96', 'must not be the whole address space'],
    ['0.0.0.0/1', 'must not include the unspecified addresses (0.0.0.0/8), as 0.0.0.0/1 does'],
    ['0.0.0.0/32', 'unspecified'],
    ['127.0.0.1/32', 'loopback (127.0.0.0/8)'],
    ['126.0.0.0/7', 'loopback'],
    ['::ffff:127.0.0.1/128', 'loopback'],
    ['169.254.169.254/32', 'link-local'],
    ['168.0.0.0/6', 'link-local'],
    ['224.0.0.1/32', 'multicast'],
    ['128.0.0.0/1', 'link-local'],
    ['240.0.0.0/4', 'broadcast'],
    ['255.255.255.255/32', 'broadcast'],
    ['::/128', 'unspecified'],
    ['::1/128', 'loopback (::1/128)'],
    ['::/1', 'unspecified'],
    ['::/127', 'unspecified'],
    ['fe80::/64', 'link-local'],
    ['fe00::/8', 'link-local'],
    ['ff02::1/128', 'multicast'],
    ['8000::/1', 'link-local'],
    ['10.0.0.1/8', 'did you mean 10.0.0.0/8?'],
    ['10.0.0.1', 'must be an address block'],
    ['', 'must be an address block'],
  ])('refuses %j', (text, why) => {
    expect(() => requireAllowedCidrs(['192.0.2.0/24', text])).toThrow(why);
    expect(() => requireAllowedCidrs([text])).toThrow(/^allowed_cidrs /);
  });

  it('have 1 to 64 blocks', () => {
    const blocks = (count: number): string[] => Array.from({ length: count }, (_, index) => `10.0.${index}.0/24`);
    expect(requireAllowedCidrs(blocks(64))).toHaveLength(64);
    expect(() => requireAllowedCidrs(blocks(65))).toThrow('allowed_cidrs must have 1 to 64 blocks.');
    expect(() => requireAllowedCidrs([])).toThrow('allowed_cidrs must have 1 to 64 blocks.');
  });

  it('never include an address of the beacon itself or a link-local or multicast address', () => {
    const dangerous = fc.constantFrom(
      '127.0.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.251',
      '::1',
      'fe80::1',
      'ff02::1',
    );
    fc.assert(
      fc.property(dangerous, fc.integer({ min: 0, max: 128 }), (ip, wanted) => {
        const prefix = ip.includes(':') ? wanted : Math.min(wanted, 32);
        const [, meant = `${ip}/${prefix}`] = /did you mean (\S+)\?/.exec(refusal(`${ip}/${prefix}`)) ?? [];
        expect(Cidr.parse(meant, 'block').contains(ip)).toBe(true);
        expect(refusal(meant)).toMatch(/must not/);
      }),
    );
  });

  function refusal(text: string): string {
    try {
      return `accepted: ${requireAllowedCidrs([text]).join()}`;
    } catch (error) {
      return String(error);
    }
  }
});

describe('the other fields', () => {
  it.each(['a', 'Office-1_b', 'x'.repeat(63)])('accepts the name %s', (name) => {
    expect(requireBeaconName(name)).toBe(name);
  });

  it.each(['', 'a b', 'a.b', 'é', 'a\n', 'x'.repeat(64)])('refuses the name %j', (name) => {
    expect(() => requireBeaconName(name)).toThrow(/^name must be/);
  });

  it('accepts an IP address as the DNS server in canonical form', () => {
    expect(requireDnsServer('2001:DB8::53')).toBe('2001:db8::53');
    expect(() => requireDnsServer('dns.example')).toThrow(/^dns_server must be an IP address/);
    expect(() => requireDnsServer('192.0.2.1:53')).toThrow(/^dns_server/);
  });

  it.each(['eth0', 'wg-0', 'en_p.3', 'x'.repeat(15)])('accepts the interface %s', (name) => {
    expect(requireInterfaceName(name)).toBe(name);
  });

  it.each(['', '.', '..', 'a/b', 'eth 0', 'eth0\n', 'x'.repeat(16)])('refuses the interface %j', (name) => {
    expect(() => requireInterfaceName(name)).toThrow(/^interface_name must be/);
  });
});
