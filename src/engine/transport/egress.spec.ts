import * as fc from 'fast-check';
import { networkInterfaces } from 'node:os';
import { Cidr } from '../../kernel/cidr';
import { Egress, unroutable } from './egress';
import { parseEndpoint } from './endpoint';

const FORBIDDEN = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255
  192.168.1.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1
  255.255.255.255 168.63.129.16 ::ffff:168.63.129.16 ::ffff:a83f:8110 :: ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1
  ::ffff:7f00:1 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 2002:7f00:1:: 2002:808:808::1 2001::1
  2001:0:53aa:64c:0:fbfe:80ff:fffe 2001:db8::1 3fff::1 fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd00:ec2::254 ff02::1 100::1
  4000::1 5f00::1 127.1 0x7f.1 2130706433 0177.0.0.1 localhost [2606:4700::1]`
  .trim()
  .split(/\s+/);

describe('unroutable', () => {
  it.each([...FORBIDDEN, '', '1.2.3.4 '])('refuses %s', (address) => expect(unroutable(address)).not.toBeNull());

  it.each(['8.8.8.8', '1.1.1.1', '168.63.129.17', '2606:4700:4700::1111', '::ffff:8.8.8.8', '2a00:1450::1'])(
    'lets %s through',
    (address) => expect(unroutable(address)).toBeNull(),
  );

  it('refuses every private IPv4 address, also in its four IPv6 forms', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const network = fc.constantFrom('10.{}.{}.{}', '127.{}.{}.{}', '192.168.{}.{}', '169.254.{}.{}');
    fc.assert(
      fc.property(network, fc.array(byte, { minLength: 3, maxLength: 3 }), (shape, bytes) => {
        let next = 0;
        const v4 = shape.replaceAll('{}', () => String(bytes[next++]));
        const disguises = [v4, `::ffff:${v4}`, `::${v4}`, `64:ff9b::${v4}`, `::ffff:0:${v4}`];
        expect(disguises.filter((address) => unroutable(address) === null)).toEqual([]);
      }),
    );
  });
});

describe('Egress', () => {
  it('allows exactly the configured endpoints, in any notation of the address', () => {
    const egress = new Egress([parseEndpoint('127.0.0.1:8080'), parseEndpoint('[::1]:9000')]);
    expect(egress.refusal('127.0.0.1', 8080)).toBeNull();
    expect(egress.refusal('::ffff:127.0.0.1', 8080)).toBeNull();
    expect(egress.refusal('0:0:0:0:0:0:0:1', 9000)).toBeNull();
    expect(egress.refusal('127.0.0.1', 8081)).toContain('not a public address');
    expect(egress.refusal('127.0.0.2', 8080)).toContain('not a public address');
  });

  it('never allows the service to test itself, unless that endpoint is configured', () => {
    const own = [parseEndpoint('203.0.114.9:443'), parseEndpoint('0.0.0.0:3000')];
    expect(new Egress([], own).refusal('203.0.114.9', 443)).toContain('its address belongs to this service');
    expect(new Egress([], own).refusal('203.0.114.9', 80)).toBeNull();
    const local = Object.values(networkInterfaces()).flat()[0]?.address ?? '127.0.0.1';
    expect(new Egress([], own).refusal(local, 3000)).toContain('its address belongs to this service');
    expect(new Egress([parseEndpoint('203.0.114.9:443')], own).refusal('203.0.114.9', 443)).toBeNull();
  });
});

const never = (): Promise<never> => Promise.reject(new Error('nothing is asked'));

describe('a refusal', () => {
  const beacon = { cidrs: [Cidr.parse('10.1.0.0/16', 'cidr')], resolve: never, connect: never };
  const own = [parseEndpoint('10.9.8.7:443')];

  it.each([
    ['10.9.8.7', 80],
    ['10.9.8.7', 443],
    ['169.254.169.254', 80],
    ['fd00::1:2:3', 80],
  ])(
    'never names the address, which a tenant may know only by a name that leads there: %s, port %i',
    (address, port) => {
      const egress = new Egress([], own);
      const refusals = [egress.refusal(address, port), egress.refusalThrough(beacon, address, port)];
      for (const refusal of refusals) {
        expect(refusal).toMatch(/\bits address\b/);
        expect(refusal).not.toContain(address);
      }
    },
  );
});

describe('parseEndpoint', () => {
  it.each(['127.0.0.1', '127.0.0.1:0', '127.0.0.1:65536', '127.1:80', 'localhost:80', '::1:80', '[::1]', '0x7f.1:80'])(
    'refuses %s',
    (text) => expect(() => parseEndpoint(text)).toThrow('must be an address and a port'),
  );
});
