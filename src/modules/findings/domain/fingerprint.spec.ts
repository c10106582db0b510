import { createHash } from 'node:crypto';
import { fingerprintOfCheck, fingerprintOfTitle, normalizeLocation } from './fingerprint';

describe('normalizeLocation', () => {
  it.each([
    ['HTTPS://Example.COM:443/a/../b?x=1#top', 'https://example.com/b?x=1'],
    ['http://example.com', 'http://example.com/'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
    ['https://example.com:8443/Login', 'https://example.com:8443/Login'],
    ['  Example.com:443  ', 'example.com:443'],
    ['TXT  _dmarc.Example.com', 'txt _dmarc.example.com'],
    ['http://[broken', 'http://[broken'],
    ['', ''],
  ])('%j is %j', (location, expected) => {
    expect(normalizeLocation(location)).toBe(expected);
    expect(normalizeLocation(expected)).toBe(expected);
  });
});

describe('a fingerprint', () => {
  it('is the SHA-256 of check id and normalized location, or of the folded title', () => {
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(fingerprintOfCheck('tls.expired', 'HTTPS://Example.com')).toBe(sha256('tls.expired\nhttps://example.com/'));
    expect(fingerprintOfTitle(' Weak  TLS ')).toBe(sha256('weak tls'));
  });

  it('differs by check, location and title, and not by spelling', () => {
    expect(fingerprintOfCheck('a', 'https://x.test/')).toBe(fingerprintOfCheck('a', 'https://X.test:443#1'));
    expect(fingerprintOfTitle('STRASSE')).toBe(fingerprintOfTitle('Straße'));
    const different = [
      fingerprintOfCheck('a', 'https://x.test/'),
      fingerprintOfCheck('b', 'https://x.test/'),
      fingerprintOfCheck('a', 'https://x.test/?'),
      fingerprintOfCheck('a', 'http://x.test/'),
      fingerprintOfTitle('a\nhttps://x.test/'),
      fingerprintOfTitle('a'),
    ];
    expect(new Set(different).size).toBe(different.length);
  });
});
