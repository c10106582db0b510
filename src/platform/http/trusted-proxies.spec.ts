import { trustedProxies } from './trusted-proxies';

it.each([
  ['10.0.0.5', '10.0.0.5', '10.0.0.6'],
  ['10.0.0.5', '::ffff:10.0.0.5', '::ffff:10.0.0.6'],
  ['::ffff:10.0.0.5', '10.0.0.5', '10.0.0.6'],
  ['10.42.0.0/16', '::ffff:10.42.255.1', '10.43.0.1'],
  ['2001:db8::/32', '2001:db8:1::1', '2001:db9::1'],
  ['loopback', '127.0.0.9', '10.0.0.1'],
  ['loopback', '::1', '::2'],
  ['linklocal', 'fe80::1%eth0', 'fd00::1'],
  ['uniquelocal', '192.168.1.1', '192.169.1.1'],
  ['uniquelocal', 'fd00::1', 'fe80::1'],
])('%s contains %s, and not %s', (entry, inside, outside) => {
  const isTrusted = trustedProxies(['192.0.2.1', entry]);
  expect([isTrusted(inside), isTrusted(outside)]).toEqual([true, false]);
});

it('nothing is trusted without an entry', () => {
  expect(trustedProxies([])('127.0.0.1')).toBe(false);
});
