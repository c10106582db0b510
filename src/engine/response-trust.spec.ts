import type { Page } from './page';
import { distrustReason, looksLikeLogin } from './response-trust';
import { Headers } from './transport/headers';

const at = (path: string): URL => new URL(path, 'https://a.test');

it.each([
  '/login',
  '/wp-login.php',
  '/log-in/',
  '/users/sign_in',
  '/signin?next=/',
  '/Account/LogOn',
  '/accounts/login/',
  '/oauth2/authorize',
  '/auth/realms/shop',
  '/authorize',
  '/authentication',
  '/blogin/login',
  '/sso/start',
  '/sessions/new',
  '/password',
])('%s looks like a login', (path) => {
  expect(looksLikeLogin(at(path))).toBe(true);
});

it.each([
  '/author/ada',
  '/authors/',
  '/co-authored/',
  '/authorship',
  '/accounting/',
  '/accountants/find',
  '/accountability',
  '/catalog-index',
  '/cataloging/rules',
  '/b/blog-index',
  '/blog-in-english/',
  '/products/',
])('%s does not look like a login', (path) => {
  expect(looksLikeLogin(at(path))).toBe(false);
});

describe('the age of a response by its Date', () => {
  const HOUR = 3_600;
  const NOW = Date.parse('2026-03-01T12:00:00Z');

  /** Received `at` seconds after noon, with a Date of `date` seconds after noon. */
  const page = (at: number, date: number | null, more: readonly (readonly [string, string])[] = []): Page => {
    const dated = date === null ? [] : ([['date', new Date(NOW + date * 1_000).toUTCString()]] as const);
    const url = 'https://target.test/a';
    const body = Buffer.from('a');
    const headers = new Headers([...dated, ...more]);
    return { url, status: 200, headers, body, text: 'a', tls: null, at: NOW + at * 1_000, hops: [] };
  };

  const reasonFor = (answer: Page, missing: Page, control: Page): Promise<string | null> =>
    distrustReason(
      { key: 'a', path: '/a', request: { path: '/a' }, answer },
      {
        control,
        missing,
        decisive: { kind: 'http', key: 'a' },
        before: { status: 200, empty: false },
        isGenuine: false,
        isJudged: true,
      },
    );

  beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW + 60_000));
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['right', 0],
    ['an hour late', -HOUR],
    ['an hour early', HOUR],
  ])('shows nothing if the clock of the target is %s', async (_what, wrong) => {
    expect(await reasonFor(page(60, 60 + wrong), page(2, 2 + wrong), page(0, wrong))).toBeNull();
  });

  it.each([
    ['right', 0],
    ['an hour late', -HOUR],
    ['an hour early', HOUR],
  ])('shows a stored response although the control is stored too, if the clock is %s', async (_what, wrong) => {
    const stored = page(0, wrong - 90, [['age', '90']]);
    expect(await reasonFor(page(60, 20 + wrong), page(2, 2 + wrong), stored)).toBe(
      '/a: the response is older than the request',
    );
    expect(await reasonFor(page(60, 40 + wrong), page(2, 2 + wrong), stored)).toBeNull();
  });

  it('is that by the control if missing paths are answered without a Date, and then by our clock', async () => {
    expect(await reasonFor(page(60, 60 - HOUR), page(2, null), page(0, -HOUR))).toBeNull();
    expect(await reasonFor(page(60, 20), page(2, null), page(0, 0))).toContain('older');
    expect(await reasonFor(page(60, -HOUR), page(2, null), page(0, null))).toContain('older');
    expect(await reasonFor(page(60, -1_000), page(2, null), page(0, null))).toBeNull();
    expect(await reasonFor(page(60, null), page(2, 2), page(0, 0))).toBeNull();
  });

  it('says by the clock of the target how long a cache keeps the response', async () => {
    const cached = [
      ['x-cache', 'HIT'],
      ['cache-control', 'max-age=60'],
    ] as const;
    expect(await reasonFor(page(60, 40 - HOUR, cached), page(2, 2 - HOUR), page(0, -HOUR))).toBe(
      '/a: a cache responds instead of the target: retest after 40 seconds, or purge the cache',
    );
  });
});
