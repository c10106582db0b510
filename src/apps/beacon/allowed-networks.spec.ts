import * as fc from 'fast-check';
import { IPv4, IPv6, parse } from 'ipaddr.js';
import { Cidr } from '../../kernel/cidr';
import { AllowedNetworks, type NetworkLimits } from './allowed-networks';

const blocks = (...texts: string[]): Cidr[] => texts.map((text) => Cidr.parse(text, 'block'));

const refusal = (address: string, limits: Partial<NetworkLimits> = {}, port = 443): string | null =>
  new AllowedNetworks({ configured: [], local: undefined, service: [], ...limits }).refusal({ address, port });

describe('an address', () => {
  const configured = blocks('10.20.0.0/16', 'fd00:20::/32');

  it.each(['10.20.0.1', '10.20.255.255', '::ffff:10.20.0.1', 'fd00:20::1', 'FD00:20:0:0::1'])(
    '%s is allowed',
    (address) => expect(refusal(address, { configured })).toBeNull(),
  );

  it.each(['10.21.0.1', '10.19.255.255', 'fd00:21::1', '192.168.2.1', '::ffff:10.21.0.1', '8.8.8.8'])(
    '%s is outside the blocks',
    (address) => expect(refusal(address, { configured })).toBe('its address is outside the blocks of the beacon'),
  );

  it.each(['', 'localhost', '10.20.1', '0x0a.20.0.1', '10.20.0.1 ', 'fd00:20::1%eth0', '10.20.0.1/32'])(
    '%j is not an address',
    (address) => expect(refusal(address, { configured })).toBe('its address is not an IP address'),
  );

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '::ffff:127.0.0.1',
    '0.0.0.0',
    '::',
    '169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
    '168.63.129.16',
    '100.100.100.200',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '64:ff9b::7f00:1',
    '2002:a9fe:a9fe::1',
    '2002:a00:1::',
    '2001:0:4136:e378:8000:63bf:f5ff:fffe',
    '2001::1',
  ])('%s is refused, however wide the networks are', (address) => {
    const wide = blocks('0.0.0.0/1', '128.0.0.0/1', '::/1', '8000::/1');
    expect(refusal(address, { configured: wide, local: wide })).toBe('beacons may not connect to its address');
  });

  it('of the service or its proxy is refused on that port', () => {
    const service = [
      { address: '::ffff:10.20.0.7', port: 443 },
      { address: 'fd00:20::7', port: 3128 },
    ];
    expect(refusal('10.20.0.7', { configured, service })).toBe('its address belongs to the service or to its proxy');
    expect(refusal('fd00:20:0::7', { configured, service }, 3128)).not.toBeNull();
    expect(refusal('10.20.0.7', { configured, service }, 80)).toBeNull();
  });

  it('is only allowed inside of the local limit too', () => {
    const local = blocks('10.20.5.0/24', '10.30.0.0/16');
    expect(refusal('10.20.5.9', { configured, local })).toBeNull();
    expect(refusal('10.20.6.9', { configured, local })).toContain('outside the local limit of the agent (--allow)');
    expect(refusal('10.30.0.1', { configured, local })).toBe('its address is outside the blocks of the beacon');
    expect(refusal('10.20.5.9', { configured, local: [] })).not.toBeNull();
  });
});

describe('for any networks and addresses', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const v4 = fc
    .tuple(fc.constantFrom(10, 10, 10, 127, 169, 172, 192, 224, 0, 8), byte, byte, byte)
    .map((b) => b.join('.'));
  const group = fc.integer({ min: 0, max: 0xffff });
  const v6 = fc
    .tuple(fc.constantFrom(0xfd00, 0xfd00, 0xfe80, 0x2a00, 0xff02, 0), group, group)
    .map(([first, second, last]) =>
      parse(`${first.toString(16)}:${second.toString(16)}::${last.toString(16)}`).toString(),
    );
  const address = fc.oneof(
    v4,
    v6,
    v4.map((text) => `::ffff:${text}`),
  );
  const block = fc.tuple(fc.oneof(v4, v6), fc.double({ min: 0, max: 1, noNaN: true })).map(([text, depth]) => {
    const family = text.includes(':') ? IPv6 : IPv4;
    const prefix = Math.floor(depth * (family === IPv6 ? 128 : 32));
    return Cidr.parse(`${family.networkAddressFromCIDR(`${text}/${prefix}`).toString()}/${prefix}`, 'block');
  });
  const networks = fc.array(block, { maxLength: 4 });
  const forbidden = /^(loopback|linkLocal|multicast|broadcast|unspecified|reserved)$/;

  it('an allowed address is in both limits and is no special address', () => {
    let allowed = 0;
    fc.assert(
      fc.property(networks, fc.option(networks, { nil: undefined }), address, (configured, local, text) => {
        if (refusal(text, { configured, local }) !== null) return;
        allowed += 1;
        const bare = text.replace('::ffff:', '');
        expect(configured.some((one) => one.contains(text))).toBe(true);
        expect(local?.some((one) => one.contains(text)) ?? true).toBe(true);
        expect(parse(bare).range()).not.toMatch(forbidden);
      }),
      { numRuns: 1_000 },
    );
    expect(allowed).toBeGreaterThan(20);
  });

  it('a narrower limit never allows more', () => {
    fc.assert(
      fc.property(networks, networks, address, (configured, local, text) => {
        if (refusal(text, { configured }) !== null) expect(refusal(text, { configured, local })).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});

describe('a name server', () => {
  const nameServer = (address: string, local?: Cidr[], ofMachine: string[] = []): string | null =>
    new AllowedNetworks({ configured: [], local, service: [] }).nameServerRefusal(address, ofMachine);

  it('may be anywhere in the network without a local limit', () => {
    expect(nameServer('10.0.0.53')).toBeNull();
    expect(nameServer('fd00::53')).toBeNull();
  });

  it('must be inside of the local limit, or one of this machine', () => {
    const local = blocks('10.20.0.0/16');
    expect(nameServer('10.20.0.53', local)).toBeNull();
    expect(nameServer('10.21.0.53', local)).toContain('outside the local limit');
    expect(nameServer('10.21.0.53', local, ['10.21.0.53'])).toBeNull();
  });

  it('is not on this machine or a metadata service, unless this machine uses it itself', () => {
    expect(nameServer('127.0.0.1')).toBe('is an address that beacons may not use');
    expect(nameServer('169.254.169.254')).not.toBeNull();
    expect(nameServer('127.0.0.53', undefined, ['127.0.0.53'])).toBeNull();
    expect(nameServer('ns.example')).toBe('is not an IP address');
  });
});
