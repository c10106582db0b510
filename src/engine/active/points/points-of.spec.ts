import type { SentRequest } from '../../sent-request';
import { pointKey, shapeOf } from '../insertion-point';
import { pointsOf, type PointsOptions, USUAL_HEADERS } from './points-of';

const points = (request: SentRequest, options?: PointsOptions): string[] =>
  pointsOf(request, options).map(({ kind, name, value }) => `${kind} ${name}=${value}`);

it('finds parameters, segments that are values, cookies, headers and variables', () => {
  expect(points({ path: '/shop/17/show?q=a%20b&q=c&empty=' })).toEqual([
    'query q=c',
    'query empty=test',
    'segment 2=17',
  ]);
  expect(points({ path: '/user/anna' }, { segments: [2] })).toEqual(['segment 2=anna']);
  expect(
    points({
      path: '/',
      headers: [
        ['Cookie', 'theme=dark; PHPSESSID=abc; id=9f8a7b6c5d4e3f2a1b0c9d8e7f; csrf_token=a'],
        ['X-Color', 'red'],
        ['referer', '/'],
        ['Accept-Language', 'de'],
      ],
    }),
  ).toEqual(['cookie theme=dark', 'header X-Color=red', 'header Referer=/']);
  expect(
    points({
      method: 'POST',
      path: '/graphql',
      body: '{"query":"query($id:ID){a(id:$id)}","variables":{"id":"1","n":2}}',
    }),
  ).toEqual(['graphql id=1']);
  expect(points({ path: '/' }, { usualHeaders: USUAL_HEADERS })).toHaveLength(4);
});

it.each([
  ['/item/17', '/item/*'],
  ['/item/17;jsessionid=AB12', '/item/*'],
  ['/2024-05-01/x', '/*-*-*/x'],
  ['/user/7d444840-9dc0-11d1-b245-5ffdce74fad2/', '/user/*/'],
  ['/sqli-00/BenchmarkTest00017', '/sqli-*/BenchmarkTest00017'],
  ['/a8f3kd93kslq02', '/*'],
  [`/${'a'.repeat(200)}`, '/*'],
  ['/api/v2/users', '/api/v2/users'],
])('%s has the shape %s', (path, shape) => {
  expect(shapeOf(path)).toBe(shape);
});

it('recognizes a point in requests with other values, and distinguishes methods, paths, kinds and names', () => {
  const keyOf = (path: string, kind: 'query' | 'cookie' = 'query', name = 'a', method = 'GET'): string =>
    pointKey({ request: { method, path }, kind, name, value: '' });
  expect(keyOf('/item/17?a=1')).toBe(keyOf('/item/18?b=2&a=2'));
  const others = [
    keyOf('/items/17?a=1'),
    keyOf('/item/17?a=1', 'cookie'),
    keyOf('/item/17?a=1', 'query', 'b'),
    keyOf('/item/17', 'query', 'a', 'POST'),
  ];
  expect(new Set([keyOf('/item/17?a=1'), ...others]).size).toBe(5);
});
