import { fingerprintOfCheck, fingerprintOfTitle } from './fingerprint';
import { fingerprintOfScan, placeOfScan, sourceOf, type ScanIdentity, type ScanLocation } from './scan-identity';

const location = (stated: Partial<ScanLocation>): ScanLocation => ({
  url: null,
  host: null,
  port: null,
  source: null,
  ...stated,
});

describe('the place of a result', () => {
  it.each<[string, Partial<ScanLocation>, string]>([
    [
      'has the host in lower case and no default port',
      { url: 'HTTPS://WWW.Example.com:443/A' },
      'https://www.example.com/A',
    ],
    ['has the names of the query, sorted and once', { url: 'https://e.com/?b=1&a=2&b=3' }, 'https://e.com/?a&b'],
    ['has no user information and no fragment', { url: 'https://u:p@e.com/x#y' }, 'https://e.com/x'],
    ['keeps a port', { url: 'http://e.com:8080/' }, 'http://e.com:8080/'],
    ['is a host with its port', { host: 'E.com.', port: 22 }, 'e.com:22'],
    ['has IPv6 in brackets', { host: '2001:db8::1', port: 22 }, '[2001:db8::1]:22'],
    ['is a host alone', { host: 'e.com' }, 'e.com'],
    ['is the source code of the asset', { source: 'src/a.ts:3' }, 'shop.example.com src/a.ts:3'],
    ['is the asset if the file names nothing', {}, 'shop.example.com'],
    ['is the host of a URL that cannot be parsed', { url: 'not a url', host: 'e.com' }, 'e.com'],
  ])('%s', (_name, stated, place) => {
    expect(placeOfScan(location(stated), 'shop.example.com')).toBe(place);
  });
});

describe('the source of a sighting', () => {
  it('does not depend on the case of the scanner and its rule', () => {
    expect(sourceOf(' ZAP ', 'Rule-A ')).toEqual(sourceOf('zap', 'rule-a'));
  });

  it('is another one for another scanner or rule, and without a rule', () => {
    const sources = [sourceOf('zap', 'a'), sourceOf('burp', 'a'), sourceOf('zap', 'b'), sourceOf('zap', null)];
    expect(new Set(sources.map((source) => source.toString('hex'))).size).toBe(4);
  });
});

describe('the fingerprint of a result', () => {
  const identity: ScanIdentity = { scanner: 'zap', ruleId: '10202', place: 'https://e.com/', parameter: null };

  it('does not depend on the case of the scanner and its rule', () => {
    const lower = { ...identity, ruleId: 'xss-reflected' };
    expect(fingerprintOfScan({ ...lower, scanner: ' ZAP ', ruleId: 'XSS-Reflected ' })).toBe(fingerprintOfScan(lower));
  });

  it.each<Partial<ScanIdentity>>([
    { scanner: 'burp' },
    { ruleId: '1' },
    { place: 'https://e.com/a' },
    { parameter: 'q' },
  ])('differs with %j', (other) => {
    expect(fingerprintOfScan({ ...identity, ...other })).not.toBe(fingerprintOfScan(identity));
  });

  it('is none of a check or of a title', () => {
    const parts = JSON.stringify(['scan', 'zap', '10202', 'https://e.com/', null]);
    expect(fingerprintOfTitle(parts.toUpperCase())).not.toBe(
      fingerprintOfScan({ ...identity, place: 'HTTPS://E.COM/' }),
    );
    expect(fingerprintOfCheck('zap', 'https://e.com/')).not.toBe(fingerprintOfScan(identity));
  });
});
