import type { Page } from './page';
import { differenceOf, snapshot } from './snapshot';
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
