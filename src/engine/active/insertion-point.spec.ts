import type { InsertionPoint } from '../experiment-record';
import { requestWith } from './insertion-point';

const pointOf = (kind: InsertionPoint['kind'], name: string, request: InsertionPoint['request']): InsertionPoint => ({
  request,
  kind,
  name,
  value: 'a b(',
});
const cookie = pointOf('cookie', 'theme', { path: '/', headers: [['Cookie', 'size=2; theme=a%20b%28; color=red']] });

it.each([
  ["5*CASE(1)'|<b>+[]{}=/:", "5*CASE(1)'|<b>+[]{}=/:"],
  ['é;, \r\n"\\%', '%C3%A9%3B%2C%20%0D%0A%22%5C%25'],
  ['\ud800', '%EF%BF%BD'],
])('encodes in a cookie only what it cannot carry: %j', (value, written) => {
  expect(requestWith(cookie, value).headers).toEqual([['Cookie', `size=2; color=red; theme=${written}`]]);
});

it('sends quotes and commas unchanged in a cookie that the target does not decode, and nothing that ends it', () => {
  const { headers } = requestWith({ ...cookie, isRaw: true }, `a",'b; c\\%`);
  expect(headers).toEqual([['Cookie', `size=2; color=red; theme=a",'b%3B%20c%5C%25`]]);
});

it('sends the value that a cookie had as it was', () => {
  expect(requestWith(cookie, cookie.value).headers).toEqual([['Cookie', 'size=2; color=red; theme=a%20b%28']]);
});

it.each([
  ['/list?a=0&b=2&a=1', '/list?a=x%2A&b=2&a=x%2A'],
  ['/list?b=2&%61=0', '/list?b=2&a=x%2A'],
  ['/list?b=2', '/list?b=2&a=x%2A'],
  ['/list', '/list?a=x%2A'],
])('writes the value to each parameter of the name in %s', (path, written) => {
  expect(requestWith(pointOf('query', 'a', { path }), 'x*').path).toBe(written);
});

it('takes no client from a document, and its own payload from anywhere', () => {
  const headers = [
    ['Host', 'victim.test'],
    ['User-Agent', 'forged'],
    ['X-Tenant', 'a'],
  ] as const;
  const sent = (kind: InsertionPoint['kind'], name: string) =>
    requestWith(pointOf(kind, name, { path: '/a', headers }), 'x').headers;
  expect(sent('query', 'q')).toEqual([['X-Tenant', 'a']]);
  expect(sent('header', 'User-Agent')).toEqual([
    ['X-Tenant', 'a'],
    ['User-Agent', 'x'],
  ]);
});
