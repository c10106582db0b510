import { clientNetwork } from './client-network';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['192.0.2.1:1234', '192.0.2.1:1234'],
  ['unknown', 'unknown'],
])('the address %s counts as %s', (address, network) => expect(clientNetwork(address)).toBe(network));
