import { AcceptedChecks, containsLocation } from './accepted-checks';
import type { AssetType } from './asset-value';

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
  ])('of type %s with the value %s applies to its own locations only', (type, value, inside, outside) => {
    expect(inside.filter((location) => !containsLocation({ type, value }, location))).toEqual([]);
    expect(outside.filter((location) => containsLocation({ type, value }, location))).toEqual([]);
  });

  it('does not apply to what is not a location', () => {
    expect(containsLocation({ type: 'domain', value: 'example.com' }, 'example.com')).toBe(false);
  });
});

describe('accepted checks', () => {
  const checkId = 'no-https-redirect';
  const onBlock = { beaconId: null, checkId, assetType: 'cidr', assetValue: '192.0.2.0/24' } as const;
  const onAddress = { beaconId: null, checkId, assetType: 'ip', assetValue: '192.0.2.1' } as const;
  const onPage = { beaconId: null, checkId, assetType: 'url', assetValue: 'http://192.0.2.1/app' } as const;
  const accepted = new AcceptedChecks([onBlock, onPage, onAddress]);

  it('are found by the most specific asset that contains the location', () => {
    expect(accepted.find(checkId, 'http://192.0.2.1/app', null)).toBe(onPage);
    expect(accepted.find(checkId, 'http://192.0.2.1/', null)).toBe(onAddress);
    expect(accepted.find(checkId, 'http://192.0.2.2/', null)).toBe(onBlock);
    expect(accepted.find(checkId, 'http://192.0.3.1/', null)).toBeNull();
  });

  it('apply to findings behind the same beacon only', () => {
    const behind = { beaconId: 7, checkId, assetType: 'ip', assetValue: '192.0.2.1' } as const;
    const both = new AcceptedChecks([onBlock, behind]);
    expect(both.find(checkId, 'http://192.0.2.1/', 7)).toBe(behind);
    expect(both.find(checkId, 'http://192.0.2.1/', null)).toBe(onBlock);
    expect(both.find(checkId, 'http://192.0.2.1/', 8)).toBeNull();
  });

  it('apply to findings of the same check only', () => {
    expect(accepted.find('login-over-http', 'http://192.0.2.1/', null)).toBeNull();
    expect(accepted.find(null, 'http://192.0.2.1/', null)).toBeNull();
    expect(accepted.find(checkId, null, null)).toBeNull();
  });
});
