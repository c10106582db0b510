import { Cidr } from './cidr';
import { CidrMap } from './cidr-map';

const blocks = ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '0.0.0.0/0', '2001:db8::/32', '2001:db8:1::/48', '::/0'];
const map = new CidrMap<string>();
for (const block of blocks) map.add(block, block);

it.each([
  ['10.1.2.3', '10.1.2.0/24'],
  ['10.1.3.3', '10.1.0.0/16'],
  ['10.2.0.0', '10.0.0.0/8'],
  ['192.0.2.1', '0.0.0.0/0'],
  ['::ffff:10.1.2.3', '10.1.2.0/24'],
  ['2001:db8:1::1', '2001:db8:1::/48'],
  ['2001:db8:2::1', '2001:db8::/32'],
  ['2001:db9::1', '::/0'],
  ['example.com', undefined],
])('the smallest block that contains %s is %s', (ip, expected) => {
  expect(map.find(ip)).toBe(expected);
});

it('keeps the first value of a block, and finds nothing outside of its blocks', () => {
  const one = new CidrMap<number>();
  one.add('192.0.2.0/24', 1);
  one.add('192.0.2.0/24', 2);
  expect([one.find('192.0.2.9'), one.find('192.0.3.9'), one.find('::1')]).toEqual([1, undefined, undefined]);
});

it('looks once for each prefix length, however many blocks there are', () => {
  const many = new CidrMap<number>();
  for (let at = 0; at < 500; at++) many.add(`10.0.${at % 250}.0/${at < 250 ? 24 : 25}`, at);
  const written = jest.spyOn(Cidr.prototype, 'toString');
  expect(many.find('192.0.2.1')).toBeUndefined();
  expect(written).toHaveBeenCalledTimes(2);
  written.mockRestore();
});
