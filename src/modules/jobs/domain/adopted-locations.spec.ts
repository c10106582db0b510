import type { Sighting } from '../../../engine';
import { countedReads } from '../../../kernel/testing/counted-reads';
import { adoptedLocations } from './adopted-locations';

const SITE = 'http://shop.test';
const CHECK = 'open-redirect';
const ALL = '/?next=https%3A%2F%2Fassay-redirect.example%2Fnext&url=https%3A%2F%2Fassay-redirect.example%2Furl';

const seen = (place: string): Sighting =>
  ({ check: CHECK, template: null, location: `${SITE}${place}` }) as unknown as Sighting;

/** Of an earlier version: the request that showed it has two parameters. */
const known = (place: string, assetValue = 'shop.test') => ({
  checkId: CHECK,
  builtInCheck: CHECK as string | null,
  location: `${SITE}${place}`,
  baseline: { on: 'web', decisive: { kind: 'http', key: `GET ${ALL}` } } as never,
  assetValue,
});

const places = (...given: Parameters<typeof adoptedLocations>): string[] =>
  adoptedLocations(...given).map((location) => location.slice(SITE.length));

describe('findings of earlier versions', () => {
  it('move to the parameter that a job sees, each to one that none of its asset has', () => {
    expect(places([known('/')], [seen('/?url')])).toEqual(['/?url']);
    expect(places([known('/'), known('/')], [seen('/?url'), seen('/?next')])).toEqual(['/?next', '/?url']);
    expect(places([known('/'), known('/'), known('/', 'other.test')], [seen('/?url')])).toEqual([
      '/?url',
      '/',
      '/?url',
    ]);
    expect(places([known('/'), known('/?url')], [seen('/?url')])).toEqual(['/', '/?url']);
  });

  it('stay where the job sees nothing of their own check', () => {
    expect(places([known('/')], [])).toEqual(['/']);
    expect(places([known('/')], [{ ...seen('/?url'), check: 'reflected-input' }])).toEqual(['/']);
    expect(places([known('/')], [{ ...seen('/?url'), template: 'id: x' }])).toEqual(['/']);
    expect(places([{ ...known('/'), builtInCheck: null }], [seen('/?url')])).toEqual(['/']);
  });

  it('are not compared with each other, nor with all that the job sees', () => {
    const of = (count: number) => Array.from({ length: count }, (_none, at) => at);
    const findings = countedReads(
      of(500).map((at) => known(`/page-${at}`)),
      'location',
    );
    const sightings = countedReads(
      of(500).map((at) => seen(`/page-${at}?url`)),
      'location',
    );
    adoptedLocations(findings.items, sightings.items);
    expect(findings.reads() + sightings.reads()).toBeLessThan(20 * 500);
  });
});
