import { parseLaunchUrl } from './launch-url';
import { seedsFor, seedsOfImports } from './seeds';

it.each(['apikey', 'Private-Token', 'Ocp-Apim-Subscription-Key', 'X-API-Key', 'Authorization', 'X-Secret'])(
  'a HAR file leaves no credential of the field %s',
  (name) => {
    const headers = [
      { name, value: 'do-not-keep' },
      { name: 'X-Tenant', value: 'tea' },
    ];
    const har = JSON.stringify({
      log: { entries: [{ request: { method: 'GET', url: 'https://a.example/x', headers } }] },
    });
    expect(seedsFor('active', { urls: [], har }, parseLaunchUrl('https://a.example/'))).toEqual([
      { path: '/x', headers: [['X-Tenant', 'tea']] },
    ]);
  },
);

describe('secrets in the queries of seeds', () => {
  const target = parseLaunchUrl('https://a.example/');
  const SECRET = 'Zx81-do-not-keep';
  const url = (query: string): string => `https://a.example/x?${query}`;

  it.each([
    'access_token',
    'token',
    'sig',
    'code',
    'key',
    'api_key',
    'password',
    'PHPSESSID',
    'X-Amz-Signature',
    'X-Amz-Credential',
    'x-amz-date',
    'X-Goog-Signature',
    'SAMLResponse',
    '%74oken',
  ])('the value of %s is not kept, and the others are', (name) => {
    const stated = url(`page=2&${name}=${SECRET}&q=red%20tea`);
    const har = JSON.stringify({ log: { entries: [{ request: { method: 'GET', url: stated } }] } });
    const kept = [{ path: `/x?page=2&${name}=1&q=red%20tea` }];
    expect(seedsFor('active', { urls: [stated], har: null }, target)).toEqual(kept);
    expect(seedsFor('active', { urls: [], har }, target)).toEqual(kept);
    expect(seedsOfImports([{ location: stated, parameter: null }], target)).toEqual(kept);
  });

  it('a value that is a token is not kept, whatever its name', () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln';
    const headers = [
      { name: 'Referer', value: `https://a.example/?code=${SECRET}` },
      { name: 'X-Tenant', value: jwt },
    ];
    const entry = { request: { method: 'GET', url: url(`v=${jwt}`), headers } };
    const har = JSON.stringify({ log: { entries: [entry] } });
    expect(seedsFor('active', { urls: [], har }, target)).toEqual([{ path: '/x?v=1' }]);
  });
});
