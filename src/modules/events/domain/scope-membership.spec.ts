import { ScopeMembership } from './scope-membership';

const item = (
  id: number,
  type: 'domain' | 'url' | 'ip' | 'cidr',
  value: string,
  entry: { inScope?: boolean; wildcard?: boolean | null } = {},
  beaconId: number | null = null,
) => ({ asset: { id, type, value, beaconId }, entry: { inScope: true, wildcard: null, ...entry } });

let scope: ScopeMembership;
beforeAll(async () => {
  scope = await ScopeMembership.of([
    item(1, 'domain', 'example.com'),
    item(2, 'domain', 'exact.example', { wildcard: false }),
    item(3, 'url', 'https://www.shop.example/start'),
    item(4, 'cidr', '192.0.2.0/24'),
    item(5, 'domain', 'pay.example.com', { inScope: false }),
    item(6, 'cidr', '10.0.0.0/24', {}, 7),
  ]);
});

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

it.each([
  ['10.1.2.3', true],
  ['10.1.3.3', false],
  ['10.2.0.1', true],
  ['10.1.2.128', false],
  ['10.9.0.1', false],
])('the smallest block decides about %s, and of two equal ones the excluded one: %j', async (value, expected) => {
  const blocks = await ScopeMembership.of([
    item(1, 'cidr', '10.0.0.0/8'),
    item(2, 'cidr', '10.1.0.0/16', { inScope: false }),
    item(3, 'cidr', '10.1.2.0/24'),
    item(4, 'cidr', '10.1.2.128/25', { inScope: false }),
    item(5, 'cidr', '10.9.0.0/16'),
    item(6, 'cidr', '10.9.0.0/16', { inScope: false }),
  ]);
  expect(blocks.contains({ id: null, value, beaconId: null })).toBe(expected);
});

it('looks at two blocks at most, however many the scope has', async () => {
  let looks = 0;
  const counted = (id: number, value: string) => {
    const { entry } = item(id, 'cidr', value);
    return {
      entry,
      asset: {
        ...item(id, 'cidr', value).asset,
        get value() {
          looks++;
          return value;
        },
      },
    };
  };
  const many = await ScopeMembership.of(
    Array.from({ length: 2_000 }, (_, at) => counted(at, `10.${at >> 8}.${at & 255}.0/24`)),
  );
  looks = 0;
  expect(many.contains({ id: null, value: '10.3.7.1', beaconId: null })).toBe(true);
  expect(many.contains({ id: null, value: '192.0.2.1', beaconId: null })).toBe(false);
  expect(looks).toBeLessThan(20);
});

it('says nothing about an event without a scope', async () => {
  const none = await ScopeMembership.of([]);
  expect(none.contains({ id: 1, value: 'example.com', beaconId: null })).toBeNull();
});
