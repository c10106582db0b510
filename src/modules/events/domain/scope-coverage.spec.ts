import { coversInScope, type ScopedAsset } from './scope-coverage';

const inScope = (type: ScopedAsset['type'], value: string, wildcard: boolean | null, host: string): boolean =>
  coversInScope({ type, value, wildcard }, { host, port: 443 });

describe('coversInScope', () => {
  it.each([
    [true, true],
    [null, true],
    [false, false],
  ])('a domain whose wildcard is %s covers what lies below it: %s', (wildcard, isCovered) => {
    expect(inScope('domain', 'x.example', wildcard, 'deep.sub.x.example')).toBe(isCovered);
    expect(inScope('domain', 'x.example', wildcard, 'x.example')).toBe(true);
    expect(inScope('domain', 'x.example', wildcard, 'y.example')).toBe(false);
  });

  it('means nothing for what has no names below it', () => {
    expect(inScope('url', 'https://x.example/a', false, 'x.example')).toBe(true);
    expect(inScope('ip', '192.0.2.1', false, '192.0.2.1')).toBe(true);
    expect(inScope('cidr', '192.0.2.0/24', false, '192.0.2.1')).toBe(true);
  });
});
