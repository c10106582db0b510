import { ScopeMembership } from './scope-membership';

const item = (
  id: number,
  type: 'domain' | 'url' | 'ip' | 'cidr',
  value: string,
  entry: { inScope?: boolean; wildcard?: boolean | null } = {},
  beaconId: number | null = null,
) => ({ asset: { id, type, value, beaconId }, entry: { inScope: true, wildcard: null, ...entry } });

const scope = new ScopeMembership([
  item(1, 'domain', 'example.com'),
  item(2, 'domain', 'exact.example', { wildcard: false }),
  item(3, 'url', 'https://www.shop.example/start'),
  item(4, 'cidr', '192.0.2.0/24'),
  item(5, 'domain', 'pay.example.com', { inScope: false }),
  item(6, 'cidr', '10.0.0.0/24', {}, 7),
]);

it.each([
  [1, 'example.com', true],
  [null, 'example.com', true],
  [90, 'a.b.example.com', true],
  [91, 'https://a.example.com/page', true],
  [92, 'sub.exact.example', false],
  [93, 'www.shop.example', true],
  [94, 'shop.example', false],
  [95, '192.0.2.77', true],
  [96, '198.51.100.1', false],
  [97, '192.0.2.0/28', false],
  [5, 'pay.example.com', false],
  [97, 'cards.pay.example.com', false],
  [98, 'notexample.com', false],
  [99, 'not an asset', false],
])('asset %j with the value %s is in the scope: %j', (id, value, expected) => {
  expect(scope.contains({ id, value, beaconId: null })).toBe(expected);
});

it('contains an address behind a beacon only behind the same beacon', () => {
  const at = (beaconId: number | null) => scope.contains({ id: null, value: '10.0.0.5', beaconId });
  expect([7, 8, null].map(at)).toEqual([true, false, false]);
  expect(scope.contains({ id: null, value: 'example.com', beaconId: 7 })).toBe(false);
});

it('says nothing about an event without a scope', () => {
  expect(new ScopeMembership([]).contains({ id: 1, value: 'example.com', beaconId: null })).toBeNull();
});
