import { lookFirst } from '../../assess';
import type { Baseline } from '../../baseline';
import type { WebCheck } from '../../check';
import { storedHtmlInjection } from '../../checks/stored-html-injection';
import { storedXss } from '../../checks/stored-xss';
import type { InsertionPoint } from '../../experiment-record';
import { ProbeSession } from '../../probe-session';
import { type FormSite, servedBy } from '../../testing/form-site';
import { SeededRandom } from '../../testing/seeded-random';
import type { Reply } from '../../testing/target-server';
import { siteSetup } from '../../testing/target-states';
import { HOST, sharedTestTarget } from '../../testing/test-target';
import { verify } from '../../verdict';
import { placeOfPoint } from '../insertion-point';
import { pageWith } from '../testing/simulated-point';
import { formPoint, jsonPoint } from '../testing/submitted-points';
import { RETEST_SUBMISSIONS, Submissions } from './submissions';

const FORM_POINT = formPoint('/sign', 'q=red&csrf=');
const JSON_POINT = jsonPoint('/sign', '{"q":"red"}', 'q');

type Show = (value: string) => string;
const escaped: Show = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const raw: Show = (value) => value;
const withoutHandlers: Show = (value) => value.replaceAll(/\son\w+="[^"]*"/g, '');
const withoutTags: Show = (value) => value.replaceAll(/<[^>]*>/g, '');
const withoutEachTag: Show = (value) => value.replaceAll(/<[^>]*>?/g, '');
const withoutEachHandler: Show = (value) => value.replaceAll(/<([\w-]+)[^>]*>?/g, '<$1>');

interface Kind {
  readonly show: Show;
  /** What the list of entries is like, around them. */
  readonly list?: (entries: string) => Reply;
  /** Who sees the list. */
  readonly mayRead?: (cookies: Readonly<Record<string, string>>) => boolean;
  readonly answer?: (value: string) => Reply;
  readonly isStored?: boolean;
  readonly caches?: boolean;
  readonly isSlow?: boolean;
}

/** A guestbook: what is signed stands at `/book`. */
function guestbook({
  show,
  list = (entries) => pageWith(`<ul>${entries}</ul>`),
  mayRead = () => true,
  answer = () => pageWith('<p>Thank you</p>'),
  isStored = true,
  caches = false,
  isSlow = false,
}: Kind): FormSite {
  const entries: string[] = [];
  const cached = new Map<string, Reply>();
  return async ({ method, path, fields, cookies, query }) => {
    if (isSlow) await new Promise((resolve) => void setTimeout(resolve, 20));
    if (path === '/') return '<!doctype html><title>Book</title><h1>Book</h1><p>Welcome to the book</p>';
    if (path === '/form') {
      const token = `t${Math.random()}`;
      const hidden = `<input type="hidden" name="csrf" value="${token}">`;
      const seen = mayRead(cookies) && caches ? entries.slice(-1).map(show).join('') : '';
      return {
        headers: { 'set-cookie': `visit=${token}` },
        body: `<!doctype html><form method="post" action="/sign"><input name="q">${hidden}</form>${seen}`,
      };
    }
    if (path === '/sign' && method === 'POST') {
      const value = fields['q'] ?? '';
      if ('csrf' in fields && fields['csrf'] !== cookies['visit']) return { status: 403, body: 'Wrong token' };
      if (isStored) entries.push(value);
      return answer(value);
    }
    if (path !== '/book') return null;
    const page = mayRead(cookies)
      ? list(
          entries
            .slice(-9)
            .map((one) => `<li>${show(one)}</li>`)
            .join(''),
        )
      : pageWith('<p>Members only</p>');
    const key = `${path}?${query}`;
    if (!caches) return page;
    if (!cached.has(key)) cached.set(key, page);
    return cached.get(key) ?? page;
  };
}

const around =
  (before: string, after: string) =>
  (entries: string): Reply =>
    pageWith(`${before}${entries}${after}`);
const inScript = around('<script>var a=[', ']</script>');
const LONG = '<a href="/">x</a>'.repeat(3_300);
const onlyWriter = (cookies: Readonly<Record<string, string>>): boolean => cookies['visit'] !== undefined;

const testTarget = sharedTestTarget();
const placeOf = (point: InsertionPoint): ReturnType<typeof placeOfPoint> =>
  placeOfPoint({ scheme: 'http', host: HOST, port: testTarget().server.port, path: '/' }, point);
function via() {
  const submissions = new Submissions({ limits: RETEST_SUBMISSIONS, refusal: () => null });
  submissions.knows(['/', '/form', '/book'].map((path) => ({ path, status: 200 })));
  return { signal: new AbortController().signal, submissions };
}

async function seen(check: WebCheck, site: FormSite, point = FORM_POINT) {
  const transport = testTarget().transport(4_000, () => siteSetup({}, servedBy(site)));
  const allowed = via();
  const { observation, baseline } = await lookFirst(check, placeOf(point), new ProbeSession(transport, allowed), {
    shown: [],
    experiment: { point },
  });
  return { observation, baseline, written: allowed.submissions.list };
}

const KINDS: readonly (readonly [string, Kind, xss: boolean, html: boolean])[] = [
  ['a page that shows it raw', { show: raw }, true, false],
  ['a slow page that shows it raw', { show: raw, isSlow: true }, true, false],
  ['a cache before a page that shows it raw', { show: raw, caches: true }, true, false],
  ['a filter that removes handlers', { show: withoutHandlers }, false, true],
  ['a page that escapes', { show: escaped }, false, false],
  ['a filter that removes tags', { show: withoutTags }, false, false],
  ['a comment', { show: raw, list: around('<!--', '-->') }, false, false],
  ['a textarea', { show: raw, list: around('<textarea>', '</textarea>') }, false, false],
  ['a script', { show: (value) => JSON.stringify(value), list: around('<script>var a=[', ']</script>') }, false, false],
  ['a template element', { show: raw, list: around('<template>', '</template>') }, false, false],
  ['a noscript element', { show: raw, list: around('<noscript>', '</noscript>') }, false, false],
  ['an attribute', { show: (value) => `<i title='${value.replaceAll("'", '')}'></i>` }, false, false],
  ['JSON', { show: raw, list: (body) => ({ body, headers: { 'content-type': 'application/json' } }) }, false, false],
  ['an echo that is not stored', { show: raw, isStored: false, answer: (value) => pageWith(value) }, false, false],
  ['a page that only the writer sees', { show: raw, mayRead: onlyWriter }, false, false],
  ['a cache before a page that only the writer sees', { show: raw, mayRead: onlyWriter, caches: true }, false, false],
  ['nothing that is stored', { show: raw, isStored: false }, false, false],
];

describe.each([
  ['a form', FORM_POINT],
  ['JSON', JSON_POINT],
])('what is stored by %s', (_kind, point) => {
  it.each(KINDS)('becomes markup for others or not in %s', async (_what, kind, isXss, isHtml) => {
    const xss = await seen(storedXss, guestbook(kind), point);
    const html = await seen(storedHtmlInjection, guestbook(kind), point);
    expect([xss.observation.state === 'vulnerable', html.observation.state === 'vulnerable']).toEqual([isXss, isHtml]);
  });
});

it('names where it was written and where it appears, lists both, and stores no script', async () => {
  const values: string[] = [];
  const site = guestbook({ show: raw });
  const { observation, baseline, written } = await seen(storedXss, (request) => {
    if (request.method === 'POST') values.push(request.fields['q'] ?? '');
    return site(request);
  });
  expect(observation.detail).toContain(
    'What is written to /sign in q becomes an element with an event handler in /book',
  );
  expect(baseline).toMatchObject({ experiment: { appearsAt: '/book' } });
  expect(written).toEqual([expect.objectContaining({ path: '/sign', submissions: values.length, shownAt: ['/book'] })]);
  expect(values.filter((one) => /<script|onclick="[^"]|javascript:|<(?!\/?assay)/i.test(one))).toEqual([]);
});

describe('a retest', () => {
  async function retested(
    site: (turn: number) => FormSite,
    check: WebCheck = storedXss,
    before = raw,
  ): Promise<string> {
    const { observation, baseline } = await seen(check, guestbook({ show: before }));
    expect(observation.state).toBe('vulnerable');
    const random = new SeededRandom(7);
    const policy = { probes: 3, spreadMs: 4, overlaps: true, randomBelow: (limit: number) => random.below(limit) };
    const transport = testTarget().transport(4_000, (turn) => siteSetup({}, servedBy(site(turn))));
    const stored = JSON.parse(JSON.stringify(baseline)) as Baseline;
    // A retest knows no pages.
    const submissions = new Submissions({ limits: RETEST_SUBMISSIONS, refusal: () => null });
    const allowed = { signal: new AbortController().signal, submissions };
    const { verdict } = await verify(check, placeOf(FORM_POINT), stored, transport, allowed, async () => null, policy);
    return `${verdict.result}: ${verdict.reason}`;
  }
  const once = (kind: Kind): (() => FormSite) => {
    const site = guestbook(kind);
    return () => site;
  };
  const refuses = (reply: Reply, isRefused: (value: string) => boolean): (() => FormSite) => {
    const site = guestbook({ show: raw });
    return () => (request) =>
      request.method === 'POST' && isRefused(request.fields['q'] ?? '') ? reply : site(request);
  };

  it.each<[string, () => (turn: number) => FormSite, string]>([
    ['it is vulnerable', () => once({ show: raw }), 'still_vulnerable'],
    ['it is escaped now', () => once({ show: escaped }), 'fixed'],
    ['tags are removed now', () => once({ show: withoutEachTag }), 'fixed'],
    ['tags that end are removed now', () => once({ show: withoutTags }), 'still_vulnerable'],
    ['handlers after a space are removed now', () => once({ show: withoutHandlers }), 'still_vulnerable'],
    [
      'one handler is removed now',
      () => once({ show: (value) => value.replaceAll(/onclick/gi, '') }),
      'still_vulnerable',
    ],
    ['it is in a comment now', () => once({ show: raw, list: around('<!--', '-->') }), 'inconclusive: .*no effect'],
    [
      'it is in a title now',
      () => once({ show: raw, list: around('<title>', '</title>') }),
      'inconclusive: .*no effect',
    ],
    [
      'it is in a script now',
      () => once({ show: (value) => JSON.stringify(value).replaceAll('<', '\\u003c'), list: inScript }),
      'inconclusive: .*no effect',
    ],
    ['it is in an attribute now', () => once({ show: (value) => `<i title='${value}'></i>` }), '(?!fixed)'],
    ['it is after the read part now', () => once({ show: raw, list: around(LONG, '') }), 'inconclusive: .*no effect'],
    [
      'it is JSON now',
      () => once({ show: raw, list: (body) => ({ body, headers: { 'content-type': 'application/json' } }) }),
      'inconclusive: .*no effect',
    ],
    [
      'markup is refused with a 400 now',
      () => refuses({ status: 400, body: '<p>Invalid characters</p>' }, (value) => value.includes('<')),
      'blocked',
    ],
    ['handlers are removed now', () => once({ show: withoutEachHandler }), 'fixed'],
    ['nothing is stored now', () => once({ show: raw, isStored: false }), 'inconclusive'],
    ['the page needs a session now', () => once({ show: raw, mayRead: onlyWriter }), 'inconclusive'],
    ['what was entered is not shown', () => once({ show: () => 'hidden' }), 'inconclusive'],
    [
      'such values are taken, and not stored',
      () => refuses(pageWith('<p>Thank you</p>'), (value) => value.includes('<')),
      'inconclusive: .*does not appear any more',
    ],
    [
      'a firewall refuses such values',
      () => refuses({ status: 403, body: 'Sorry, you have been blocked' }, (value) => value.includes('<')),
      'blocked',
    ],
    ['it fails', () => refuses({ status: 503, body: 'Not available' }, () => true), 'inconclusive'],
  ])('%s', async (_what, site, result) => {
    expect(await retested(site())).toMatch(new RegExp(`^${result}`));
  });

  it.each<[string, Show, string]>([
    ['it is vulnerable', withoutHandlers, 'still_vulnerable'],
    ['handlers arrive as well', raw, 'still_vulnerable'],
    ['it is escaped now', escaped, 'fixed'],
  ])('of HTML injection: %s', async (_what, show, result) => {
    expect(await retested(once({ show }), storedHtmlInjection, withoutHandlers)).toMatch(new RegExp(`^${result}`));
  });
});
