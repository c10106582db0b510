import { locationOf, parseTarget } from '../../../engine/target';
import { testedLocationsOf } from './tested-locations';

it.each([
  ['https://example.com/a', 'https://example.com/'],
  ['https://example.com:443/', 'https://example.com/'],
  ['http://example.com:8080/a/b', 'http://example.com:8080/'],
  ['http://[2001:db8::1]/', 'http://[2001:db8::1]/'],
])(
  'a job on %s answers for its origin, its service, its zone and its host, as the engine writes them',
  (url, origin) => {
    const target = parseTarget(url);
    const exact = (['tcp', 'dns'] as const).map((scheme) => locationOf({ ...target, scheme }));
    expect(testedLocationsOf(target)).toEqual({ origin, exact, host: target.host });
    expect(locationOf(target).startsWith(origin)).toBe(true);
  },
);
