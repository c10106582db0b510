import type { Page } from './page';
import { anotherPageReason, differenceOf, reactionOf, snapshot } from './snapshot';
import { type MovingPage, MOVING_PAGES } from './testing/moving-pages';
import { SeededRandom } from './testing/seeded-random';
import { turnsDuring } from './testing/turns';
import type { TlsFacts } from './transport/exchange';
import { Headers } from './transport/headers';

const CERTIFICATE = { subject: 'CN=a', issuer: 'CN=b', serial: '1', from: '', until: '', names: '' };
const tls = (sha256: string, trusted = true, covers = true): TlsFacts => ({
  protocol: 'TLSv1.3',
  cipher: 'x',
  problem: null,
  trusted,
  certificate: { ...CERTIFICATE, key: { type: 'rsa', bits: 2048 }, signature: null, sha256, covers },
  chain: [],
});

const page = (text: string, more: Partial<Page> = {}): Page => ({
  url: 'https://a.test/',
  status: 200,
  headers: new Headers([['content-type', 'text/html']]),
  body: Buffer.from(text),
  text,
  tls: tls('one'),
  hops: [],
  ...more,
});

const story = (words: string, title = 'News'): string =>
  `<html><head><title>${title}</title></head><body class="front"><nav id="top"><a class="l">Home</a></nav>
  <article class="lead"><h2>${words}</h2></article></body></html>`;

const NEWS = page(story('Ministers meet in the capital to talk about grain and ships'));
const difference = async (now: Page): Promise<string | null> => differenceOf(await snapshot(NEWS), await snapshot(now));

describe('two snapshots are of the same page', () => {
  it.each([
    ['unchanged', NEWS],
    ['with other news in the same frame', page(story('A comet will be seen with the naked eye on Thursday night'))],
    [
      'with another frame and the same words',
      page('<title>News</title>Home Ministers meet in the capital to talk about grain and ships'),
    ],
    ['with a renewed certificate', page(NEWS.text, { tls: tls('two') })],
  ])('%s', async (_what, now) => expect(await difference(now)).toBeNull());
});

it('a redirect that repeats a made-up path is the same each time, also beside a file', async () => {
  const to = async (path: string): Promise<string | null> =>
    (await snapshot(page('', { status: 302, headers: new Headers([['location', `/en${path}`]]) }))).redirect;
  expect(await to('/nothing-0123456789ab')).toBe('a.test/en/nothing-*');
  expect(await to('/.env-nothing-0123456789ab')).toBe(await to('/.env-nothing-ba9876543210'));
});

describe('two snapshots differ', () => {
  const redirect = new Headers([['location', 'https://parked.test/?a=b']]);
  it.each([
    ['another status', page(NEWS.text, { status: 404 }), 'it responds with 404 instead of 200'],
    ['a redirect', page('', { status: 302, headers: redirect }), 'it redirects to parked.test/'],
    [
      'another type',
      page(NEWS.text, { headers: new Headers([]) }),
      'its content type is not stated instead of text/html',
    ],
    ['a login', page(`${NEWS.text}<input id=p type="password">`), 'it asks for a password'],
    ['a certificate for another name', page(NEWS.text, { tls: tls('two', true, false) }), 'another certificate'],
    ['an untrusted certificate', page(NEWS.text, { tls: tls('two', false) }), 'another certificate'],
    ['no TLS any more', page(NEWS.text, { tls: null }), 'another certificate'],
    [
      'other words in another frame',
      page('<title>Bread</title><main><p>Rolls and rye every morning</p></main>'),
      'the page differs',
    ],
    ['nothing', page(''), 'the page differs'],
  ])('%s', async (_what, now, reason) => expect(await difference(now)).toContain(reason));

  it('is quick on a hostile page', async () => {
    const pages = ['<', '<a ', '<input type ', '<script', '<title', '\n', 'class="'].map((piece) =>
      page(piece.repeat(5_000_000 / piece.length)),
    );
    const before = process.cpuUsage();
    for (const one of pages) await snapshot(one);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(20_000);
  });

  it('yields to the event loop on a page with many words', async () => {
    expect(await turnsDuring(() => snapshot(page('漢字 '.repeat(100_000))))).toBeGreaterThan(10);
  });
});

describe('at the end of a job', () => {
  const LETTERS = 'abcdefghijkmnopqrstuvwxyz0123456789'.split('');
  const twoFetchesOf = ({ page: render }: MovingPage): [Page, Page] => {
    const letters = new SeededRandom(1);
    const random = (length: number): string => Array.from({ length }, () => letters.pick(LETTERS)).join('');
    return [page(render(random, 0)), page(render(random, 1))];
  };
  const reaction = async (before: Page, now: Page): Promise<string | null> => {
    const [one, other] = [await snapshot(before), await snapshot(now)];
    return reactionOf(one, other) ?? anotherPageReason(one, other);
  };

  it.each(MOVING_PAGES)('$software is the same page, although something moves: $moves', async (moving) => {
    const [before, now] = twoFetchesOf(moving);
    expect(now.text).not.toBe(before.text);
    expect(await reaction(before, now)).toBeNull();
  });

  const maintenance = page(
    '<html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1><p>The service is being updated.</p></body></html>',
  );
  const login = page('<title>Sign in</title><form><input name="user"><input type="password" name="password"></form>');
  const parked = page(
    '<html><head><title>a.test is for sale</title></head><body><div class="offer"><p>Buy this domain at an auction.</p></div></body></html>',
  );

  it.each(MOVING_PAGES)(
    '$software becomes another page: maintenance with 200, another site, or a login',
    async (moving) => {
      const [before] = twoFetchesOf(moving);
      expect(await reaction(before, maintenance)).toBe('it shows another page (Maintenance)');
      expect(await reaction(before, parked)).toBe('it shows another page (a.test is for sale)');
      const asksNow = (await snapshot(before)).login ? 'it shows another page (Sign in)' : 'it asks for a password';
      expect(await reaction(before, login)).toContain(asksNow);
      expect(await reaction(before, page(before.text, { status: 503 }))).toBe('it responds with 503 instead of 200');
    },
  );

  it('a page with the same title and neither its frame nor its words is another one', async () => {
    const before = page(
      '<title>Shop</title><nav class="top"><a>Tea</a></nav><main class="list"><p>Fine leaves from the hills</p></main>',
    );
    const now = page('<title>Shop</title><center><h3>Closed for stocktaking until Monday</h3></center>');
    expect(await reaction(before, now)).toBe('it shows another page (Shop)');
  });

  it('data without a title may be other data', async () => {
    const data = (text: string): Page => page(text, { headers: new Headers([['content-type', 'application/json']]) });
    expect(await reaction(data('{"quote":"Rain helps"}'), data('{"quote":"Owls listen"}'))).toBeNull();
  });
});
