import { longestTurnDuring } from '../../../../test/support/longest-turn';
import { parseLaunchUrl } from './launch-url';
import { seedsFor, seedsOfImports } from './seeds';

it.each(['apikey', 'Private-Token', 'Ocp-Apim-Subscription-Key', 'X-API-Key', 'Authorization', 'X-Secret'])(
  'a HAR file leaves no credential of the field %s',
  async (name) => {
    const headers = [
      { name, value: 'do-not-keep' },
      { name: 'X-Tenant', value: 'tea' },
    ];
    const har = JSON.stringify({
      log: { entries: [{ request: { method: 'GET', url: 'https://a.example/x', headers } }] },
    });
    expect(await seedsFor({ urls: [], har }, parseLaunchUrl('https://a.example/'))).toEqual([
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
  ])('the value of %s is not kept, and the others are', async (name) => {
    const stated = url(`page=2&${name}=${SECRET}&q=red%20tea`);
    const har = JSON.stringify({ log: { entries: [{ request: { method: 'GET', url: stated } }] } });
    const kept = [{ path: `/x?page=2&${name}=1&q=red%20tea` }];
    expect(await seedsFor({ urls: [stated], har: null }, target)).toEqual(kept);
    expect(await seedsFor({ urls: [], har }, target)).toEqual(kept);
    expect(await seedsOfImports([{ location: stated, parameter: null }], target, 10)).toEqual(kept);
  });

  it('a value that is a token is not kept, whatever its name', async () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln';
    const headers = [
      { name: 'Referer', value: `https://a.example/?code=${SECRET}` },
      { name: 'X-Tenant', value: jwt },
    ];
    const entry = { request: { method: 'GET', url: url(`v=${jwt}`), headers } };
    const har = JSON.stringify({ log: { entries: [entry] } });
    expect(await seedsFor({ urls: [], har }, target)).toEqual([{ path: '/x?v=1' }]);
  });
});

describe('the length of seeds', () => {
  const target = parseLaunchUrl('https://a.example/');
  const harOf = (url: string): string => JSON.stringify({ log: { entries: [{ request: { method: 'GET', url } }] } });
  const url = (length: number): string => `https://a.example/x?q=${'a'.repeat(length)}`;

  it('is that of the path without secrets', async () => {
    const saml = `https://a.example/x?SAMLResponse=${'a'.repeat(6_000)}`;
    expect(await seedsFor({ urls: [], har: harOf(saml) }, target)).toEqual([{ path: '/x?SAMLResponse=1' }]);
    expect(await seedsFor({ urls: [], har: harOf(url(2_043)) }, target)).toHaveLength(1);
    expect(await seedsFor({ urls: [], har: harOf(url(2_044)) }, target)).toEqual([]);
    expect(await seedsOfImports([{ location: url(2_044), parameter: null }], target, 10)).toEqual([]);
    await expect(seedsFor({ urls: [url(2_044)], har: null }, target)).rejects.toThrow('longer than 2048 characters');
  });

  it('is limited before they are searched for secrets', async () => {
    const saml = `https://a.example/x?SAMLResponse=${'a'.repeat(8_192)}`;
    expect(await seedsFor({ urls: [], har: harOf(saml) }, target)).toEqual([]);
  });

  it('ends with the most that a job takes of imports', async () => {
    const places = ['a', 'b', 'a', 'c', 'd'].map((name) => ({
      location: `https://a.example/${name}`,
      parameter: null,
    }));
    expect(await seedsOfImports(places, target, 3)).toEqual([{ path: '/a' }, { path: '/b' }, { path: '/c' }]);
  });

  it('leaves the event loop its turns, with any number of parameters', async () => {
    const entry = { request: { method: 'GET', url: `https://a.example/x?${'a&'.repeat(1_000)}` } };
    const seeds = { urls: [], har: JSON.stringify({ log: { entries: Array.from({ length: 120 }, () => entry) } }) };
    let whole = 0;
    const longest = await longestTurnDuring(async () => {
      const before = process.cpuUsage();
      await seedsFor(seeds, target);
      const { user, system } = process.cpuUsage(before);
      whole = (user + system) / 1_000;
    });
    expect(longest).toBeLessThan(whole / 3);
  });
});
