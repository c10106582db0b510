import { lookFirst } from '../../assess';
import type { Baseline } from '../../baseline';
import type { WebCheck } from '../../check';
import { commandInjection } from '../../checks/command-injection';
import { headerInjection } from '../../checks/header-injection';
import { openRedirect } from '../../checks/open-redirect';
import { pathTraversal } from '../../checks/path-traversal';
import { reflectedInput } from '../../checks/reflected-input';
import { templateInjection } from '../../checks/template-injection';
import { ProbeSession } from '../../probe-session';
import { SeededRandom } from '../../testing/seeded-random';
import type { Reply, Site } from '../../testing/target-server';
import { siteSetup } from '../../testing/target-states';
import { HOST, sharedTestTarget } from '../../testing/test-target';
import { verify } from '../../verdict';
import type { InsertionPoint } from '../../experiment-record';
import { placeOfPoint } from '../insertion-point';
import { pageWith } from '../testing/simulated-point';
import { readPath } from '../testing/virtual-files';

type Show = (value: string) => Reply;

const POINT: InsertionPoint = { request: { path: '/find?q=red&size=2' }, kind: 'query', name: 'q', value: 'red' };
const site = (show: Show): Site => ({
  answer: ({ url = '/' }) => {
    const { pathname, searchParams } = new URL(url, 'http://target.test');
    const value = searchParams.get('q');
    if (pathname !== '/find') return null;
    return value === null ? pageWith('<p>What do you look for?</p>') : show(value);
  },
});
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const file = (path: string): Reply => {
  const content = readPath(path);
  return content === null ? { status: 404, body: '<p>There is no such page of ours</p>' } : pageWith(content);
};
const computed = (value: string): string =>
  value.replaceAll(/\{\{(\d+)\*(\d+)\}\}/g, (_all, one: string, other: string) => String(Number(one) * Number(other)));
const withHeaders = (value: string): Reply => {
  const [first = '', line = 'x-none: 1'] = value.split('\r\n');
  const [name = '', text = ''] = line.split(': ');
  return { headers: { 'x-search': encodeURIComponent(first), [name]: text }, body: '<p>Found</p>' };
};
const to = (location: string): Reply => ({ status: 302, headers: { location } });

const CASES: readonly (readonly [string, WebCheck, Show, Show])[] = [
  [
    'reflected-input',
    reflectedInput,
    (value) => pageWith(`<p>${value}</p>`),
    (value) => pageWith(`<p>${escaped(value)}</p>`),
  ],
  ['path-traversal', pathTraversal, file, (value) => file(/^\w+$/.test(value) ? value : 'red')],
  ['template-injection', templateInjection, (value) => pageWith(computed(value)), (value) => pageWith(escaped(value))],
  ['header-injection', headerInjection, withHeaders, (value) => withHeaders(value.replaceAll(/[\r\n]/g, ''))],
  [
    'command-injection',
    commandInjection,
    (value) =>
      pageWith(
        escaped(value.replace(/;expr\t(\d+)\t\+\t(\d+)$/, (_all, one, two) => `\n${Number(one) + Number(two)}`)),
      ),
    (value) => pageWith(escaped(value)),
  ],
  ['open-redirect', openRedirect, to, (value) => to(/^\/\w/.test(value) ? value : '/')],
];

const firewall =
  (show: Show): Show =>
  (value) =>
    /\W/.test(value) ? { status: 403, body: 'Sorry, you have been blocked' } : show(value);
const NOTHING: Reply = { status: 404, body: '<h1>Not found</h1><p>The server has nothing of this name.</p>' };
const UNUSUAL: Reply = { body: '<h1>Your request looks unusual</h1><p>Please come back a little later.</p>' };
/** Recognizes payloads by their characters, and lets paths through. */
const before =
  (show: Show, reply: Reply): Show =>
  (value) =>
    /[^\w/-]|\/\/|^\/(?!nothing)/.test(value) ? reply : show(value);
const limited: Show = () => ({ status: 429, body: 'Too many requests' });
const failing: Show = () => ({ status: 503, body: 'The service is not available' });
const refusing =
  (show: Show): Show =>
  (value) =>
    /^\w{1,12}$/.test(value) ? show(value) : { status: 400, body: 'This is no word' };
/** Only some values get one of the two pages, and every fourth of these gets the first one. */
let shown = 0;
const everyFourth =
  (vulnerable: Show, fixed: Show): Show =>
  (value) => {
    const [one, other] = [vulnerable(value), fixed(value)];
    return JSON.stringify(one) !== JSON.stringify(other) && (shown += 1) % 4 === 0 ? one : other;
  };
const always = (reply: Reply) => (): Show => () => reply;

describe.each(CASES)('%s at a point', (_id, check, vulnerable, fixed) => {
  const testTarget = sharedTestTarget();
  const { signal } = new AbortController();
  const place = (): ReturnType<typeof placeOfPoint> =>
    placeOfPoint({ scheme: 'http', host: HOST, port: testTarget().server.port, path: '/' }, POINT);

  async function baselineOf(show: Show): Promise<Baseline> {
    const session = new ProbeSession(
      testTarget().transport(4_000, () => siteSetup(site(show))),
      { signal },
    );
    const seen = await lookFirst(check, place(), session, { shown: [], experiment: { point: POINT } });
    expect(`${seen.observation.state}: ${seen.observation.detail}`).toMatch(/^vulnerable: /);
    return JSON.parse(JSON.stringify(seen.baseline)) as Baseline;
  }

  async function retested(show: (turn: number) => Show): Promise<string> {
    const before = await baselineOf(vulnerable);
    const random = new SeededRandom(7);
    const policy = { probes: 3, spreadMs: 4, overlaps: true, randomBelow: (limit: number) => random.below(limit) };
    const transport = testTarget().transport(4_000, (turn) => siteSetup(site(show(turn))));
    const { verdict, probes } = await verify(check, place(), before, transport, { signal }, async () => null, policy);
    expect(probes.flatMap(({ exchanges }) => exchanges).length).toBeLessThanOrEqual(400);
    return `${verdict.result}: ${verdict.reason}`;
  }

  it('keeps the experiment with its rows and certainty in the baseline', async () => {
    const before = await baselineOf(vulnerable);
    expect(before).toMatchObject({
      experiment: {
        point: POINT,
        certainty: expect.stringMatching(/\d/),
        decisive: { path: expect.stringContaining('size=2') },
      },
    });
  });

  it.each<[string, (turn: number) => Show, string]>([
    ['it is vulnerable', () => vulnerable, 'still_vulnerable'],
    ['it is fixed', () => fixed, 'fixed'],
    ['it refuses such values with 400, and harmless ones of their length too', () => refusing(fixed), 'fixed'],
    ['it is vulnerable again at the third probe', (turn) => (turn < 2 ? fixed : vulnerable), 'still_vulnerable'],
    ['three of four servers are fixed', () => everyFourth(vulnerable, fixed), '(?:inconclusive|still_vulnerable)'],
    // A path of the site also contains the characters of an address.
    ['a firewall refuses such values', () => firewall(fixed), check === openRedirect ? 'inconclusive' : 'blocked'],
    [
      'a firewall stands before the weakness',
      () => firewall(vulnerable),
      check === openRedirect ? 'inconclusive' : 'blocked',
    ],
    ['a firewall answers payloads with a 404', () => before(vulnerable, NOTHING), 'blocked'],
    ['a firewall answers payloads with a page', () => before(vulnerable, UNUSUAL), 'blocked'],
    [
      'a firewall leads payloads to the front page',
      () => before(vulnerable, to('/')),
      // An application may also fix it this way.
      check === openRedirect ? 'fixed' : 'blocked',
    ],
    ['every value gets the page of a limit', always(UNUSUAL), 'inconclusive'],
    ['it limits the rate', () => limited, 'inconclusive'],
    ['it fails', () => failing, 'inconclusive'],
    ['the value needs a login now', always({ status: 401, body: 'Who are you?' }), 'inconclusive'],
    ['the value leads to a login now', always(to('/login')), 'inconclusive'],
    ['what the value named is deleted', always({ status: 404, body: 'This item is gone' }), 'inconclusive'],
    ['it fails at the third probe', (turn) => (turn < 2 ? fixed : failing), 'inconclusive'],
  ])('%s', async (_what, show, result) => {
    expect(await retested(show)).toMatch(new RegExp(`^${result}: .`));
  });
});
