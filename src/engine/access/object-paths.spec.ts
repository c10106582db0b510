import { idsOnRoute, neighbourOf, objectOf, pathsInJson, placeOfRoute, withId } from './object-paths';
import { locationOf } from '../target';

const routeOf = (path: string, others: readonly string[] = []): string | null => objectOf(path, others)?.route ?? null;

it.each<[string, readonly string[], string | null]>([
  ['/orders/1017', [], '/orders/*'],
  ['/orders/1017/lines', [], '/orders/*/lines'],
  ['/users/17/orders/1017', [], '/users/17/orders/*'],
  ['/order?id=1017', [], '/order?id=*'],
  ['/order?lang=en&id=1017', [], '/order?lang=en&id=*'],
  ['/files/6f1d2c3b-9a87-4c55-b1aa-0f3e2d4c5b6a', [], '/files/*'],
  ['/profile/ada', ['/profile/bob'], '/profile/*'],
  ['/graphql?query={order(id:"a"){total}}', ['/graphql?query={order(id:"b"){total}}'], '/graphql?query=*'],
  ['/profile/ada', ['/account/bob'], null],
  ['/wishlist', ['/returns'], null],
  ['/orders', [], null],
])('%s beside %j is on the route %s', (path, others, route) => {
  expect(routeOf(path, others)).toBe(route);
});

it('names other objects of a route by their ids', () => {
  const object = objectOf('/orders/1017', []);
  if (object === null) throw new Error('it is one');
  const ids = idsOnRoute(object, ['/orders/2044', '/orders/2044/lines', '/orders', '/items/3', '/orders/2045']);
  expect([...ids]).toEqual([
    ['2044', '/orders/2044'],
    ['2045', '/orders/2045'],
  ]);
});

it('chooses a neighbour that is not one of the short numbers that others may have', () => {
  const of = (path: string): string =>
    neighbourOf(objectOf(path, ['/profile/bob']) ?? { path, kind: 'query', name: '', id: '', route: '' });
  expect(of('/orders/7')).toMatch(/^\/orders\/9\d{8}$/);
  expect(of('/order?lang=en&id=7')).toMatch(/^\/order\?lang=en&id=9\d{8}$/);
  expect(of('/profile/ada')).toMatch(/^\/profile\/(?!ada)[a-z\d]{8}$/);
});

it('a finding is at one place for all objects of a route', () => {
  const target = { scheme: 'https', host: 'shop.test', port: 443, path: '/' } as const;
  const at = (path: string): string => {
    const object = objectOf(path, []);
    if (object === null) throw new Error('it is one');
    return locationOf(placeOfRoute(target, object));
  };
  expect(at('/orders/1017')).toBe('https://shop.test/orders/*#segment=2');
  expect(at('/orders/1018')).toBe(at('/orders/1017'));
  expect(at('/order?id=1017')).toBe('https://shop.test/order?id');
});

it('changes one id alone', () => {
  expect(withId('/a/1/b/1', { kind: 'segment', name: '2' }, '9')).toBe('/a/9/b/1');
  expect(withId('/a?x=1&y=1', { kind: 'query', name: 'y' }, '9')).toBe('/a?x=1&y=9');
});

it.each<[string, readonly string[]]>([
  ['[{"id":1017},{"id":"x-2"},{"name":"no id"}]', ['/api/orders/1017', '/api/orders/x-2']],
  ['{"items":[{"uuid":"ab-1"}],"total":1}', ['/api/orders/ab-1']],
  ['{"id":1017}', []],
  ['[{"id":"../etc"},{"id":null},{"id":{"a":1}}]', []],
  ['[1,2]', []],
  ['{', []],
])('reads the ids of a list in JSON: %s', (text, paths) => {
  expect(pathsInJson('/api/orders?page=1', text)).toEqual(paths);
});
