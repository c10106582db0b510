import { covers } from './asset-coverage';
import { assetOfPlace, isDoubt, type PlacedAsset, resultPlaceOf, serviceOf, siteOf } from './asset-of-place';
import { recognizeAsset } from './asset-value';

/** With `@7` after the value it is behind the beacon 7. */
const assetsOf = (values: readonly string[]): PlacedAsset[] =>
  values.map((text, index) => {
    const [value = '', beacon] = text.split('@');
    const asset = recognizeAsset(value);
    if (asset === undefined) throw new Error(`${value} is no asset`);
    return { ...asset, id: index + 1, beaconId: beacon === undefined ? null : Number(beacon) };
  });

/** The value of the asset, or the doubt with the values between which it is. */
function found(place: string, values: readonly string[]): string | [string, ...string[]] | null {
  const at = resultPlaceOf(place);
  const answer = at === null ? undefined : assetOfPlace(assetsOf(values), at);
  if (answer === undefined) return null;
  return isDoubt(answer) ? [answer.why, ...answer.among.map(({ value }) => value)] : answer.asset.value;
}

const SHOPS = ['http://127.0.0.1:20100/', 'http://127.0.0.1:20200/'];
const APPS = ['https://h.example.com/app1/', 'https://h.example.com/app2/'];

describe('the asset of a result', () => {
  it.each<[string, readonly string[], ReturnType<typeof found>]>([
    // Ports.
    ['http://127.0.0.1:20200/cart?id', SHOPS, 'http://127.0.0.1:20200/'],
    ['127.0.0.1:20200', SHOPS, 'http://127.0.0.1:20200/'],
    ['http://127.0.0.1:20200/', SHOPS.slice(0, 1), ['other_port', 'http://127.0.0.1:20100/']],
    ['http://127.0.0.1:20300/', SHOPS, ['other_port', ...SHOPS]],
    ['127.0.0.1', SHOPS, ['several', ...SHOPS]],
    ['127.0.0.1', SHOPS.slice(0, 1), 'http://127.0.0.1:20100/'],
    ['http://127.0.0.1:20300/', [...SHOPS, '127.0.0.1'], '127.0.0.1'],
    ['http://127.0.0.1:20300/', [...SHOPS, '127.0.0.0/24'], '127.0.0.0/24'],
    ['127.0.0.1', [...SHOPS, '127.0.0.0/24'], '127.0.0.0/24'],
    ['http://127.0.0.1:20200/', [...SHOPS, '127.0.0.1', '127.0.0.0/24'], 'http://127.0.0.1:20200/'],
    ['127.0.0.1:22', ['127.0.0.1', '127.0.0.0/24'], '127.0.0.1'],
    // Default ports, and http beside https.
    ['https://shop.example.com:443/', ['https://shop.example.com/'], 'https://shop.example.com/'],
    ['shop.example.com:443', ['http://shop.example.com/', 'https://shop.example.com/'], 'https://shop.example.com/'],
    ['http://shop.example.com/', ['https://shop.example.com/'], ['other_port', 'https://shop.example.com/']],
    ['http://shop.example.com/', ['https://shop.example.com/', 'example.com'], 'example.com'],
    [
      'https://h.example.com:8080/',
      ['http://h.example.com:8080/', 'https://h.example.com:8080/'],
      'https://h.example.com:8080/',
    ],
    ['https://h.example.com:8080/', ['http://h.example.com:8080/'], 'http://h.example.com:8080/'],
    [
      'h.example.com:8080',
      ['http://h.example.com:8080/', 'https://h.example.com:8080/'],
      ['several', 'http://h.example.com:8080/', 'https://h.example.com:8080/'],
    ],
    ['ftp://h.example.com:21/a', ['https://h.example.com/'], ['other_port', 'https://h.example.com/']],
    // Paths.
    ['https://h.example.com/app1/login', APPS, APPS[0] ?? ''],
    ['https://h.example.com/app2', APPS, APPS[1] ?? ''],
    ['https://h.example.com/app10/', APPS, ['several', ...APPS]],
    ['https://h.example.com/app3/', [...APPS, 'https://h.example.com/'], 'https://h.example.com/'],
    [
      'https://h.example.com/app1/x',
      ['https://h.example.com/', ...APPS, 'https://h.example.com/app1/x/'],
      'https://h.example.com/app1/x/',
    ],
    ['https://h.example.com/app3/', APPS.slice(0, 1), APPS[0] ?? ''],
    ['https://h.example.com/app3/', [...APPS, 'example.com'], 'example.com'],
    ['https://h.example.com/app1/../app2/', APPS, APPS[1] ?? ''],
    ['h.example.com:443', APPS, ['several', ...APPS]],
    // Names.
    ['https://SHOP.Example.com/', ['https://shop.example.com/'], 'https://shop.example.com/'],
    ['bücher.example', ['https://xn--bcher-kva.example/'], 'https://xn--bcher-kva.example/'],
    ['https://www.example.com/', ['example.com', 'www.example.com'], 'www.example.com'],
    ['https://www.example.com/', ['example.com', 'https://www.example.com/'], 'https://www.example.com/'],
    ['https://notexample.com/', ['example.com'], null],
    ['www.example.com src/a.ts:1', ['example.com', 'https://www.example.com/'], 'https://www.example.com/'],
    // IPv6.
    ['https://[2001:db8::1]/a', ['https://[2001:db8::1]/', 'https://[2001:db8::1]:8443/'], 'https://[2001:db8::1]/'],
    ['[2001:db8::1]:8443', ['https://[2001:db8::1]/', 'https://[2001:db8::1]:8443/'], 'https://[2001:db8::1]:8443/'],
    ['2001:db8::1', ['2001:db8::/64', 'https://[2001:db8::2]/'], '2001:db8::/64'],
    ['[2001:DB8:0::1]:22', ['https://[2001:db8::1]/'], ['other_port', 'https://[2001:db8::1]/']],
    // Beacons.
    ['http://10.0.0.5:8080/', ['10.0.0.0/24@7', 'http://10.0.0.5:8080/'], 'http://10.0.0.5:8080/'],
    [
      'http://10.0.0.5:8080/',
      ['http://10.0.0.5:8080/@7', 'http://10.0.0.5:8080/@8'],
      ['several', 'http://10.0.0.5:8080/', 'http://10.0.0.5:8080/'],
    ],
    ['http://10.0.0.5:8080/', ['http://10.0.0.5:80/', '10.0.0.5@7'], '10.0.0.5'],
  ])('at %s among %j is %j', (place, values, expected) => {
    expect(found(place, values)).toEqual(expected);
  });

  it('is decided by the port where the launch rule still takes all ports of a name', () => {
    const [asset] = assetsOf(['https://shop.example.com/']);
    expect(asset && covers(asset, { host: 'shop.example.com', port: 8443 })).toBe(true);
    expect(found('https://shop.example.com:8443/', ['https://shop.example.com/'])).toEqual([
      'other_port',
      'https://shop.example.com/',
    ]);
  });
});

it.each([
  ['http://127.0.0.1:20200/a?b', '127.0.0.1:20200', 'http://127.0.0.1:20200/'],
  ['https://[2001:db8::1]/', '[2001:db8::1]:443', 'https://[2001:db8::1]/'],
  ['h.example.com:22', 'h.example.com:22', 'h.example.com'],
  ['ftp://h.example.com/', 'h.example.com:21', 'h.example.com'],
  ['ldap://h.example.com/', 'h.example.com', 'h.example.com'],
  ['h.example.com src/a.ts:1', 'h.example.com', 'h.example.com'],
])('the place %s is at the service %s, and an asset for it would be %s', (text, service, site) => {
  const place = resultPlaceOf(text);
  expect(place && [serviceOf(place), siteOf(place)]).toEqual([service, site]);
});

it.each(['', '10.0.0.0/24 a.ts:1', 'not a host', 'src/a.ts:1'])('no place is read from %j without a host', (text) => {
  expect(resultPlaceOf(text === 'not a host' ? '!' : text)).toBeNull();
});
