import type { Coverage, Scan, Sighting } from '../../../engine';
import { countedReads } from '../../../kernel/testing/counted-reads';
import { inOnePlace, type KnownPlace } from './one-place';

const SITE = 'http://shop.test';
const page = (structure: readonly number[] = [1, 2, 3]) => ({ status: 200, structure });

/** What the check has seen there, by this request. */
const seen = (place: string, request = place, built = page()): Sighting =>
  ({
    check: 'open-redirect',
    template: null,
    location: `${SITE}${place}`,
    detail: 'It redirects.',
    baseline: { on: 'web', page: built, decisive: { kind: 'http', key: `GET ${request}` } },
  }) as unknown as Sighting;

const known = (place: string, more: Partial<KnownPlace> = {}, sighting = seen(place)): KnownPlace => {
  const { check, location, baseline } = sighting;
  return { checkId: check, builtInCheck: check, location, baseline, isConfirmedFixed: false, ...more };
};

const ALL = '/?next=https%3A%2F%2Fassay-redirect.example%2Fnext&url=https%3A%2F%2Fassay-redirect.example%2Furl';

function joined(sightings: readonly Sighting[], findings: readonly KnownPlace[] = [], absent: readonly string[] = []) {
  const row = (location: string, outcome: string): Coverage =>
    ({ check: 'open-redirect', location, outcome, verdict: null }) as unknown as Coverage;
  const coverage = [
    ...sightings.map(({ location }) => row(location, 'vulnerable')),
    ...absent.map((place) => row(`${SITE}${place}`, 'not_vulnerable')),
  ];
  const scan = inOnePlace({ sightings, coverage } as unknown as Scan, findings);
  const placeOf = ({ location }: { readonly location: string }): string => location.slice(SITE.length);
  const vulnerable = scan.coverage.filter(({ outcome }) => outcome === 'vulnerable');
  expect(new Set(vulnerable.map(placeOf))).toEqual(new Set(scan.sightings.map(placeOf)));
  return scan.sightings;
}

const places = (...given: Parameters<typeof joined>): string[] =>
  joined(...given)
    .map(({ location }) => location.slice(SITE.length))
    .sort();

describe('what is seen of a page as a whole', () => {
  it('is that of the parameter which showed it', () => {
    expect(places([seen('/', ALL), seen('/?next')])).toEqual(['/?next']);
    expect(places([seen('/', ALL), seen('/?next'), seen('/?url')])).toEqual(['/?next', '/?url']);
  });

  it('stays beside another parameter, another page and another check', () => {
    expect(places([seen('/', ALL), seen('/?back')])).toEqual(['/', '/?back']);
    expect(places([seen('/', ALL), seen('/go?next')])).toEqual(['/', '/go?next']);
    expect(places([seen('/', ALL), { ...seen('/?next'), check: 'reflected-input' }])).toEqual(['/', '/?next']);
  });

  it('is the finding of the parameter, with the state that it was found in', () => {
    const [one, ...others] = joined([seen('/', ALL)], [known('/?next')]);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ location: `${SITE}/?next`, baseline: null });
  });

  it('leaves its finding to move to the parameter, unless that has one too', () => {
    const whole = known('/', {}, seen('/', ALL));
    expect(places([seen('/', ALL), seen('/?next')], [whole])).toEqual(['/?next']);
    expect(places([seen('/', ALL), seen('/?next')], [whole, known('/?next')])).toEqual(['/', '/?next']);
    expect(places([seen('/', ALL), seen('/?next')], [{ ...whole, baseline: null }])).toEqual(['/', '/?next']);
  });

  it('stays where a test has shown that the parameter is fixed', () => {
    expect(places([seen('/', ALL)], [known('/?next', { isConfirmedFixed: true })])).toEqual(['/']);
    expect(places([seen('/', ALL)], [known('/?next')], ['/?next'])).toEqual(['/']);
  });
});

describe('a page of two addresses', () => {
  it('is one place, which names the other', () => {
    const [one, ...others] = joined([seen('/?page'), seen('/index.php?page')]);
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      location: `${SITE}/?page`,
      detail: 'It redirects. /index.php is the same page, and shows it too.',
    });
    expect(places([seen('/shop?page'), seen('/shop/default.aspx?page')])).toEqual(['/shop?page']);
  });

  it('keeps the place of a finding, also where only the other address was tested', () => {
    expect(places([seen('/?page'), seen('/index.php?page')], [known('/index.php?page')])).toEqual(['/index.php?page']);
    expect(places([seen('/?page')], [known('/index.php?page')])).toEqual(['/index.php?page']);
  });

  it('keeps both findings of earlier versions', () => {
    const both = ['/?page', '/index.php?page'];
    expect(
      places(
        both.map((one) => seen(one)),
        both.map((one) => known(one)),
      ),
    ).toEqual(both);
  });

  it('is two where they are built differently, or differ in more than an index', () => {
    expect(places([seen('/?page'), seen('/index.php?page', '/', page([7, 8, 9]))])).toHaveLength(2);
    expect(places([seen('/?page'), seen('/index.php?file')])).toHaveLength(2);
    expect(places([seen('/?page'), seen('/shop/index.php?page')])).toHaveLength(2);
    expect(places([seen('/#cookie=page'), seen('/index.php?page')])).toHaveLength(2);
    expect(places([seen('/?page'), { ...seen('/index.php?page'), template: 'id: x' }])).toHaveLength(2);
  });

  it('is two where one of them is fixed', () => {
    expect(places([seen('/index.php?page')], [known('/?page', { isConfirmedFixed: true })])).toEqual([
      '/index.php?page',
    ]);
    expect(places([seen('/index.php?page')], [known('/?page')], ['/?page'])).toEqual(['/index.php?page']);
  });
});

it('compares thousands of places with neither each other nor all known ones', () => {
  const of = (count: number) => Array.from({ length: count }, (_none, at) => at);
  const findings = countedReads(
    of(500).map((at) => known(`/page-${at}?next`)),
    'location',
  );
  const seenThere = of(500).flatMap((at) => [seen(`/page-${at}`), seen(`/shop-${at}?next`), seen(`/page-${at}?next`)]);
  const sightings = countedReads(seenThere, 'location');
  inOnePlace({ sightings: sightings.items, coverage: [] }, findings.items);
  expect(findings.reads() + sightings.reads()).toBeLessThan(100 * 500);
});
