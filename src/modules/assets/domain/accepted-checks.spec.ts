import { AcceptedChecks } from './accepted-checks';
import type { AssetType } from './asset-value';

const checkId = 'no-https-redirect';

/** The locations that a setting of this asset applies to. */
async function containedIn(assetType: AssetType, assetValue: string, locations: readonly string[]): Promise<string[]> {
  const accepted = await AcceptedChecks.of([{ beaconId: null, checkId, assetType, assetValue }]);
  return locations.filter((location) => accepted.find(checkId, location, null) !== null);
}

it('names the checks that are accepted on all of a host, and not those of a page of it', async () => {
  const at = (id: string, assetType: AssetType, assetValue: string, beaconId: number | null = null) =>
    ({ checkId: id, assetType, assetValue, beaconId }) as const;
  const accepted = await AcceptedChecks.of([
    at('of-host', 'ip', '192.0.2.1'),
    at('of-block', 'cidr', '192.0.2.0/24'),
    at('of-page', 'url', 'https://192.0.2.1/'),
    at('of-other', 'ip', '192.0.2.2'),
    at('behind-beacon', 'ip', '192.0.2.1', 7),
  ]);
  expect(accepted.checkIdsOn('192.0.2.1', null)).toEqual(['of-host', 'of-block']);
});

describe('a setting of an asset', () => {
  it.each<[AssetType, string, readonly string[], readonly string[]]>([
    [
      'domain',
      'staging.example.com',
      [
        'http://staging.example.com/',
        'https://staging.example.com:8443/app',
        'tcp://staging.example.com:443',
        'dns://staging.example.com',
      ],
      ['http://www.staging.example.com/', 'http://example.com/', 'http://notstaging.example.com/'],
    ],
    [
      'url',
      'http://staging.example.com/',
      [
        'http://staging.example.com/',
        'http://staging.example.com/app/page',
        'http://staging.example.com:80/',
        'tcp://staging.example.com:80',
      ],
      [
        'https://staging.example.com/',
        'https://staging.example.com:80/',
        'http://staging.example.com:8080/',
        'http://www.staging.example.com/',
        'tcp://staging.example.com:443',
        'dns://staging.example.com',
      ],
    ],
    [
      'url',
      'http://example.com/app',
      ['http://example.com/app', 'http://example.com/app/', 'http://example.com/app/page'],
      [
        'http://example.com/',
        'http://example.com/apple',
        'http://example.com/app/../admin',
        'http://example.com/app/..%2Fadmin',
        'tcp://example.com:80',
      ],
    ],
    [
      'ip',
      '192.0.2.1',
      ['http://192.0.2.1:8080/', 'tcp://192.0.2.1:6379'],
      ['http://192.0.2.2/', 'http://example.com/'],
    ],
    ['ip', '2001:db8::1', ['http://[2001:db8::1]:8080/', 'tcp://[2001:db8::1]:22'], ['http://[2001:db8::2]/']],
    ['cidr', '192.0.2.0/24', ['http://192.0.2.200/'], ['http://192.0.3.1/', 'http://example.com/']],
  ])('of type %s with the value %s applies to its own locations only', async (type, value, inside, outside) => {
    expect(await containedIn(type, value, [...inside, ...outside])).toEqual(inside);
  });

  it('does not apply to what is not a location', async () => {
    expect(await containedIn('domain', 'example.com', ['example.com'])).toEqual([]);
  });
});

describe('accepted checks', () => {
  const onBlock = { beaconId: null, checkId, assetType: 'cidr', assetValue: '192.0.2.0/24' } as const;
  const onAddress = { beaconId: null, checkId, assetType: 'ip', assetValue: '192.0.2.1' } as const;
  const onPage = { beaconId: null, checkId, assetType: 'url', assetValue: 'http://192.0.2.1/app' } as const;
  const all = AcceptedChecks.of([onBlock, onPage, onAddress]);

  it('are found by the most specific asset that contains the location', async () => {
    const accepted = await all;
    expect(accepted.find(checkId, 'http://192.0.2.1/app', null)).toBe(onPage);
    expect(accepted.find(checkId, 'http://192.0.2.1/', null)).toBe(onAddress);
    expect(accepted.find(checkId, 'http://192.0.2.2/', null)).toBe(onBlock);
    expect(accepted.find(checkId, 'http://192.0.3.1/', null)).toBeNull();
  });

  it('apply to findings behind the same beacon only', async () => {
    const behind = { beaconId: 7, checkId, assetType: 'ip', assetValue: '192.0.2.1' } as const;
    const both = await AcceptedChecks.of([onBlock, behind]);
    expect(both.find(checkId, 'http://192.0.2.1/', 7)).toBe(behind);
    expect(both.find(checkId, 'http://192.0.2.1/', null)).toBe(onBlock);
    expect(both.find(checkId, 'http://192.0.2.1/', 8)).toBeNull();
  });

  it('apply to findings of the same check only', async () => {
    const accepted = await all;
    expect(accepted.find('login-over-http', 'http://192.0.2.1/', null)).toBeNull();
    expect(accepted.find(null, 'http://192.0.2.1/', null)).toBeNull();
    expect(accepted.find(checkId, null, null)).toBeNull();
  });

  it.each<[string, (at: number) => string, AssetType]>([
    ['blocks', (at) => `10.${at >> 8}.${at & 255}.0/24`, 'cidr'],
    ['pages of a host', (at) => `http://10.1.1.1/${at}`, 'url'],
  ])('are not compared one by one with a location: %s', async (_name, valueAt, assetType) => {
    let looks = 0;
    const many = Array.from({ length: 2_000 }, (_, at) => ({
      beaconId: null,
      checkId,
      assetType,
      get assetValue() {
        looks++;
        return valueAt(at);
      },
    }));
    const found = await AcceptedChecks.of(many);
    looks = 0;
    expect(found.find(checkId, 'http://10.1.1.1/257/page', null)).toBe(many[257]);
    expect(found.find(checkId, 'http://192.0.2.1/', null)).toBeNull();
    expect(looks).toBeLessThan(20);
  });

  it('on pages count for what a path surely means, the first one of several', async () => {
    const onPages = [
      'http://a.example/b/c',
      'http://a.example/%62/',
      'http://a.example/x%2Fy',
      'http://a.example/x/y/z',
    ];
    const pages = onPages.map((assetValue) => ({ beaconId: null, checkId, assetType: 'url', assetValue }) as const);
    const found = await AcceptedChecks.of(pages);
    const at = (path: string) => found.find(checkId, `http://a.example${path}`, null);
    expect(['/b/c/d', '/b', '/x/y', '/x%2Fy/z'].map(at)).toEqual([pages[0], pages[1], pages[2], pages[2]]);
    expect(['/b/..%2Fadmin', '/x', '/'].map(at)).toEqual([null, null, null]);
  });
});
