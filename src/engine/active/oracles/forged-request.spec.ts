import { lookFirst } from '../../assess';
import type { Baseline } from '../../baseline';
import { crossSiteRequestForgery as check } from '../../checks/cross-site-request-forgery';
import type { InsertionPoint } from '../../experiment-record';
import { ProbeSession } from '../../probe-session';
import { retest } from '../../retest';
import { type AccountSession, openSession } from '../../signed-in/account-session';
import { ForgerySite, type ForgeryTraits, WEAK } from '../../testing/forgery-site';
import { MemoryBook } from '../../testing/members-site';
import { SeededRandom } from '../../testing/seeded-random';
import { siteSetup } from '../../testing/target-states';
import { HOST, sharedTestTarget } from '../../testing/test-target';
import type { Transport, Via } from '../../transport/transport';
import { formsIn } from '../forms/found-form';
import { RETEST_SUBMISSIONS, Submissions } from '../forms/submissions';
import { placeOfPoint } from '../insertion-point';
import { pointsOf } from '../points/points-of';

const testTarget = sharedTestTarget();
let site: ForgerySite;
beforeEach(() => void (site = new ForgerySite()));

function transportTo(): Transport {
  // One state for all turns: the session is checked while a request of another turn waits for it.
  const setup = siteSetup({}, site.disturbance);
  return testTarget().transport(4_000, () => setup);
}
const origin = () => ({ scheme: 'https', host: HOST, port: testTarget().server.port }) as const;
const signal = new AbortController().signal;

const open = (transport: Transport): Promise<AccountSession> =>
  openSession(site.account(origin()), { transport, via: { signal }, book: new MemoryBook() });

function viaOf(session?: AccountSession, pages = ['/', '/notes']): Via & { readonly submissions: Submissions } {
  const submissions = new Submissions({ limits: RETEST_SUBMISSIONS, refusal: () => null });
  submissions.knows(pages.map((path) => ({ path, status: 200 })));
  return { signal, submissions, session };
}

/** The points of the form as the crawl finds it. */
async function pointsIn(transport: Transport, via: Via): Promise<InsertionPoint[]> {
  const place = { ...origin(), path: '/' };
  const answer = await new ProbeSession(transport, via).probe(place).requestPage({});
  return (await formsIn(answer, { path: '/' })).flatMap(({ request }) => pointsOf(request));
}

const at = (point: InsertionPoint) => placeOfPoint({ ...origin(), path: '/' }, point);

async function seen(traits: Partial<ForgeryTraits>, name = 'text') {
  site.traits = { ...WEAK, ...traits };
  const transport = transportTo();
  const session = await open(transport);
  const via = viaOf(session);
  const point = (await pointsIn(transport, via)).find((one) => one.name === name) as InsertionPoint;
  site.posts.length = 0;
  const found = await lookFirst(check, at(point), new ProbeSession(transport, via), {
    shown: [],
    experiment: { point },
  });
  return { ...found, point, transport, session, written: via.submissions.list };
}

const TABLE: readonly (readonly [string, Partial<ForgeryTraits>, isVulnerable: boolean])[] = [
  ['nothing is checked', {}, true],
  ['a multipart form is not checked', { encoding: 'multipart/form-data' }, true],
  ['a token is checked only if it is there', { token: 'checked if present' }, true],
  [
    'a token is checked only if it is there, multipart',
    { token: 'checked if present', encoding: 'multipart/form-data' },
    true,
  ],
  ['a Referer is checked only if it is there', { refuses: 'foreign referers' }, true],
  ['the rows of a table have noise', { list: 'rows with noise' }, true],
  ['the server is slow', { isSlow: true }, true],
  ['a token is checked', { token: 'checked' }, false],
  ['a token is checked, multipart', { token: 'checked', encoding: 'multipart/form-data' }, false],
  ['a token in the address is checked', { token: 'in the address' }, false],
  ['a short token without a name is checked', { token: 'unnamed' }, false],
  ['a cookie is compared with a field', { token: 'double submit' }, false],
  ['Origin is checked', { refuses: 'foreign origins' }, false],
  ['Referer must be there', { refuses: 'missing referers' }, false],
  ['Sec-Fetch-Site is checked', { refuses: 'other sites' }, false],
  ['a header of scripts is required', { refuses: 'no header' }, false],
  ['the cookie has SameSite=Lax', { sameSite: 'SameSite=Lax; Secure' }, false],
  ['the cookie has SameSite=Strict', { sameSite: 'SameSite=Strict; Secure' }, false],
  ['the cookie has no SameSite', { sameSite: '' }, false],
  ['the cookie has SameSite=None without Secure', { sameSite: 'SameSite=None' }, false],
  ['visitors without a session write there as well', { stores: 'of anybody' }, false],
  ['nothing is stored, and the answer repeats the value', { stores: 'nothing' }, false],
  ['a value is shown for a moment', { stores: 'own for a second' }, false],
  ['the value stands in a field alone', { list: 'fields' }, false],
  ['a refusal repeats the value', { token: 'checked', refusal: 'page with the value' }, false],
  ['a refusal is told once on the next page', { token: 'checked', refusal: 'message' }, false],
  ['refused values are listed', { token: 'checked', refusal: 'list of refused values' }, false],
  ['a refusal fails', { token: 'checked', refusal: 'failure' }, false],
];

it.each(TABLE)('tells whether another site can submit a form: %s', async (_what, traits, isVulnerable) => {
  const { observation } = await seen(traits);
  expect([observation.state === 'vulnerable', observation.detail]).toEqual([isVulnerable, expect.any(String)]);
});

it('sends what browsers send from another site, lists it, and names where it appears', async () => {
  const { observation, baseline, written } = await seen({ token: 'checked if present' });
  expect(observation.detail).toContain('Another site can submit /notes with the session of the account');
  expect(baseline).toMatchObject({ experiment: { variant: 'foreign origin', appearsAt: '/notes' } });
  const forged = site.posts.filter(({ headers }) => headers['sec-fetch-site'] === 'cross-site');
  const own = site.posts.filter(({ headers }) => headers['sec-fetch-site'] !== 'cross-site');
  expect(forged.map(({ headers, fields }) => [headers.origin, headers.referer, Object.keys(fields)])).toEqual(
    forged.map(() => ['https://forged.example', 'https://forged.example/', ['kind', 'text']]),
  );
  const signedIn = forged.map(({ cookies }) => cookies['sid'] !== undefined);
  expect(signedIn.slice(0, 4)).toEqual([false, true, false, true]);
  const base = `https://${HOST}:${testTarget().server.port}`;
  expect(own.map(({ headers, fields }) => [headers.origin, Object.keys(fields)])).toEqual(
    own.map(() => [base, ['kind', 'csrf', 'text']]),
  );
  expect(written).toEqual([
    expect.objectContaining({ path: '/notes', submissions: site.posts.length, shownAt: ['/notes'] }),
  ]);
});

describe('is not tested', () => {
  it('without an account', async () => {
    const { point, transport } = await seen({});
    site.posts.length = 0;
    const { observation } = await lookFirst(check, at(point), new ProbeSession(transport, viaOf()), {
      shown: [],
      experiment: { point },
    });
    expect(observation).toMatchObject({ detail: expect.stringContaining('no account is signed in') });
    expect(site.posts.filter(({ headers }) => headers['sec-fetch-site'] === 'cross-site')).toEqual([]);
  });

  it('in a field that has no text of its own, so that a form has one finding', async () => {
    const { observation } = await seen({}, 'kind');
    expect(observation).toMatchObject({ detail: expect.stringContaining('the first field') });
  });

  it.each([
    ['in cookies that were entered', { kind: 'cookie' }, 'were entered'],
    ['in a header', { kind: 'header', name: 'Authorization' }, 'is not stored'],
  ] as const)('if the session is %s', async (_what, recipe, reason) => {
    const { point, transport } = await seen({});
    const value = recipe.kind === 'cookie' ? `sid=${site.begin()}` : `Bearer ${site.begin()}`;
    const account = { ...site.account(origin()), recipe, secrets: { value } };
    const session = await openSession(account, { transport, via: { signal }, book: new MemoryBook() });
    const { observation } = await lookFirst(check, at(point), new ProbeSession(transport, viaOf(session)), {
      shown: [],
      experiment: { point },
    });
    expect([observation.state === 'vulnerable', observation.detail]).toEqual([false, expect.stringContaining(reason)]);
  });
});

it('keeps the session of the account when a forged submission begins another one', async () => {
  const { session, transport } = await seen({ sameSite: 'SameSite=Lax; Secure' });
  const place = { ...origin(), path: '/account' };
  const page = await new ProbeSession(transport, viaOf(session)).probe(place).requestPage({});
  expect(page.text).toContain('Signed in as ada');
  expect(site.posts.filter(({ cookies }) => cookies['sid'] === undefined).length).toBeGreaterThan(1);
  expect(site.signIns).toBe(1);
});

describe('a retest', () => {
  async function retested(
    now: Partial<ForgeryTraits>,
    before: Partial<ForgeryTraits> = {},
    change = (): void => {},
  ): Promise<string> {
    const { observation, baseline, point, transport, session } = await seen(before);
    expect(observation.state).toBe('vulnerable');
    site.traits = { ...WEAK, ...before, ...now };
    change();
    const random = new SeededRandom(7);
    const policy = { probes: 3, spreadMs: 4, randomBelow: (limit: number) => random.below(limit) };
    const stored = JSON.parse(JSON.stringify(baseline)) as Baseline;
    const { verdict } = await retest(check, at(point), stored, transport, viaOf(session, []), async () => null, policy);
    return `${verdict.result}: ${verdict.reason}`;
  }

  it.each<[string, Partial<ForgeryTraits>, string, Partial<ForgeryTraits>]>([
    ['it is vulnerable', {}, 'still_vulnerable', {}],
    ['a token is only checked if present', { token: 'checked if present' }, 'still_vulnerable', {}],
    ['the Referer is only checked if present', { refuses: 'foreign referers' }, 'still_vulnerable', {}],
    ['the form has a token now', { token: 'checked' }, 'fixed', {}],
    ['the form has a token now, multipart', { token: 'checked' }, 'fixed', { encoding: 'multipart/form-data' }],
    ['the token that it had is checked', { token: 'checked' }, 'fixed', { token: 'checked if present' }],
    ['Origin is checked now', { refuses: 'foreign origins' }, 'fixed', {}],
    ['Sec-Fetch-Site is checked now', { refuses: 'other sites' }, 'fixed', {}],
    ['a refusal goes to another page', { token: 'checked', refusal: 'message' }, 'fixed', {}],
    ['nothing is stored now', { stores: 'nothing' }, 'inconclusive', {}],
    ['anybody can write there now', { stores: 'of anybody' }, 'inconclusive', {}],
    ['it takes nothing without a header of scripts', { refuses: 'no header' }, 'inconclusive', {}],
    ['the form is gone', { isGone: true }, 'inconclusive', {}],
    ['a refusal ends the session', { refuses: 'foreign origins', refusal: 'sign-out' }, 'inconclusive', {}],
    ['a firewall refuses it', { refuses: 'foreign origins', refusal: 'firewall' }, 'blocked', {}],
    ['a refusal fails', { refuses: 'foreign origins', refusal: 'failure' }, 'inconclusive', {}],
  ])('%s', async (_what, now, result, before) => {
    expect(await retested(now, before)).toMatch(new RegExp(`^${result}`));
  });

  it('is inconclusive when the session is dead and the account signs in no more', async () => {
    expect(await retested({ token: 'checked' }, {}, () => site.close())).toMatch(
      /^inconclusive: the weakness was not tested in a proved session/,
    );
  });

  it('counts a token as a fix only if the form still stores for the account between the forged submissions', async () => {
    expect(await retested({ token: 'checked' })).toMatch(/^fixed: .*what the account submits is/);
    const isForged = site.posts.map(({ headers }) => headers['sec-fetch-site'] === 'cross-site');
    const last = isForged.lastIndexOf(true);
    expect([isForged.includes(true), isForged.slice(last).includes(false)]).toEqual([true, true]);
  });
});
