import { Egress } from '../../src/engine/transport/egress';
import type { Route } from '../../src/engine/transport/route';
import { Cidr } from '../../src/kernel/cidr';

/** A beacon whose CIDR blocks contain every address. */
const anywhere: Route = {
  key: 'beacon',
  isProven: () => Promise.resolve(true),
  cidrs: [Cidr.parse('0.0.0.0/0', 'cidr'), Cidr.parse('::/0', 'cidr')],
  resolve: () => Promise.reject(new Error('this test resolves no names')),
  connect: () => Promise.reject(new Error('this test opens no connections')),
};

describe('requests through a beacon with the widest allowed_cidrs', () => {
  const egress = new Egress({ ownListeners: [{ host: '10.0.0.9', port: 3000 }] });

  it.each([
    '127.0.0.1',
    '::1',
    '169.254.169.254',
    'fe80::1',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '0.0.0.0',
    '::',
    '240.0.0.1',
    '64:ff9b::7f00:1',
    '2002:a9fe:a9fe::1',
    '2002:a00:1::',
    '2001:0:4136:e378:8000:63bf:f5ff:fffe',
    '2001::1',
    '168.63.129.16',
    'fd00:ec2::254',
    '100.100.100.200',
  ])('do not reach %s', async (address) => {
    expect(await egress.refusalThrough(anywhere, { address, port: 80 })).toContain(
      'beacons may not connect to its address',
    );
  });

  it.each(['10.0.0.1', '192.168.1.1', 'fd00::1', '8.8.8.8', '2001:4860::8', '2003::1'])('reach %s', async (address) => {
    expect(await egress.refusalThrough(anywhere, { address, port: 80 })).toBeNull();
  });

  it('do not reach the service itself', async () => {
    expect(await egress.refusalThrough(anywhere, { address: '10.0.0.9', port: 3000 })).toContain(
      'its address belongs to this service',
    );
    expect(await egress.refusalThrough(anywhere, { address: '10.0.0.9', port: 80 })).toBeNull();
  });
});
