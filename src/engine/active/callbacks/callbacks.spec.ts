import type { Probe, ProbeRequest } from '../../probe';
import type { Page } from '../../page';
import { SeededRandom } from '../../testing/seeded-random';
import { Headers } from '../../transport/headers';
import { Experiment, type Oracle } from '../experiment';
import type { Outcome } from '../outcome';
import { queryPoint } from '../testing/injectable-shop';
import { hostsIn, VirtualListener } from '../testing/virtual-listener';
import { ALL_CALLBACKS, SHELL_CALLBACKS, SQL_CALLBACKS, TEMPLATE_CALLBACKS, URL_CALLBACKS } from './callback-syntax';
import { callbacksAlone, withCallbacks } from './with-callbacks';

interface Request {
  /** Of the parameter `v`. */
  readonly value: string;
  /** The whole query, decoded, as a log shows it. */
  readonly query: string;
  readonly random: SeededRandom;
  call(host: string, protocol: 'dns' | 'http' | 'https', afterMs?: number): void;
}

/** Returns the page, or an error with its status. */
type Site = (request: Request) => string | { readonly status: number; readonly text: string };

const PAGE = '<title>Shop</title><p>Items</p>';
const urlHost = (text: string): string[] => (/^https?:\/\//.test(text) ? hostsIn(text) : []);
const linked = (page: string): string[] =>
  [...page.matchAll(/(?:href|src)="([^"]*)"/g)].flatMap(([, to = '']) => {
    const { protocol, hostname } = new URL(to, 'http://site.test/');
    return protocol.startsWith('http') ? hostsIn(hostname) : [];
  });
const inText = (text: string): string[] =>
  [...text.matchAll(/https?:\/\/[^\s"'<>]+/g)].flatMap(([url]) => hostsIn(url));
const all = (
  request: Request,
  hosts: readonly string[],
  afterMs = 20,
  protocol: 'dns' | 'http' | 'https' = 'http',
): void => hosts.forEach((host) => request.call(host, protocol, afterMs));
const echoing = (page: string, visit: (page: string) => string[]): Site => {
  return (request) => {
    const shown = page.replaceAll('VALUE', request.value.replaceAll('"', '&quot;'));
    all(request, visit(shown), request.random.between(10, 1_000));
    return shown;
  };
};

/** Without the weakness, whatever calls the listener. */
const SOUND: Readonly<Record<string, Site>> = {
  'a page that does nothing': () => PAGE,
  'a page that repeats the value': ({ value }) => `<p>${value}</p>`,
  'a link checker that opens each URL in the text of a page': echoing('<p>VALUE</p>', inText),
  'a link checker that follows the links of a page': echoing('<a href="VALUE">more</a>', linked),
  'a preview robot that loads the pictures of a page': echoing('<img src="VALUE">', linked),
  'a link checker behind a page that repeats only URLs': (request) => {
    if (urlHost(request.value).length === 0) return { status: 400, text: 'not a URL' };
    return echoing('<a href="VALUE">more</a>', linked)(request);
  },
  'a robot that opens each URL in the log of requests': (request) => {
    all(request, inText(request.query));
    return PAGE;
  },
  'a robot that opens each name in the log of requests': (request) => {
    all(request, hostsIn(request.query), 300);
    return PAGE;
  },
  'a firewall that resolves each name in requests': (request) => {
    all(request, hostsIn(request.query), 15, 'dns');
    return PAGE;
  },
  'a mail filter that opens half of the URLs in the log': (request) => {
    all(
      request,
      hostsIn(request.query).filter(() => request.random.next() < 0.5),
    );
    return PAGE;
  },
  'a mail filter that opens URLs at any time within a minute': (request) => {
    for (const host of hostsIn(request.query)) request.call(host, 'http', request.random.between(10, 60_000));
    return PAGE;
  },
  'a robot that opens a URL of the parameter once': (() => {
    let isDone = false;
    return (request: Request) => {
      if (!isDone) all(request, urlHost(request.value));
      isDone ||= urlHost(request.value).length > 0;
      return PAGE;
    };
  })(),
};

const shellRuns = (value: string): string[] =>
  [...value.matchAll(/(?<!\\)\$\((?:curl|wget)[^()]*\)/g)].flatMap(([command]) => hostsIn(command));
const oracleRuns = (value: string): string[] =>
  [...value.matchAll(/HTTPURITYPE\('([^']*)'\)/g)].flatMap(([, url = '']) => hostsIn(url));
const jinjaRuns = (value: string): string[] =>
  [...value.matchAll(/os\.popen\('([^']*)'\)/g)].flatMap(([, one = '']) => hostsIn(one));

const acting = (
  run: (value: string) => string[],
  afterMs: number | ((random: SeededRandom) => number),
  page = PAGE,
): Site => {
  return (request) => {
    all(request, run(request.value), typeof afterMs === 'number' ? afterMs : afterMs(request.random));
    return page.replaceAll('VALUE', request.value);
  };
};

const onlyHttps: Site = (request) => {
  if (!request.value.startsWith('https://')) return { status: 400, text: 'not a URL of HTTPS' };
  all(request, urlHost(request.value), 20, 'https');
  return PAGE;
};

const SSRF = callbacksAlone(URL_CALLBACKS, 'no value makes the server call the listener');
const DNS = callbacksAlone(ALL_CALLBACKS, 'nothing resolves', 'dns');
const nothing: Oracle = { observe: async () => ({ state: 'sound', detail: 'nothing' }) };
const SHELL = withCallbacks(nothing, SHELL_CALLBACKS);
const SQL = withCallbacks(nothing, SQL_CALLBACKS);
const TEMPLATE = withCallbacks(nothing, TEMPLATE_CALLBACKS);

const VULNERABLE: readonly (readonly [string, Oracle, Site])[] = [
  ['a server that requests the URL at once', SSRF, acting(urlHost, 20)],
  ['a server that requests the URL and repeats it', SSRF, acting(urlHost, 20, '<p>VALUE</p>')],
  ['a queue that requests the URL after three seconds', SSRF, acting(urlHost, 3_000)],
  ['a queue with an uneven delay', SSRF, acting(urlHost, (random) => random.between(1_000, 1_900))],
  ['a server that requests only URLs of HTTPS', SSRF, (request) => onlyHttps(request)],
  ['a server that requests the host', SSRF, acting((value) => (/^[\w.]+$/.test(value) ? hostsIn(value) : []), 20)],
  ['a shell', SHELL, acting(shellRuns, 30)],
  ['Oracle with a text', SQL, acting(oracleRuns, 30)],
  ['Jinja2', TEMPLATE, acting(jinjaRuns, 30)],
  [
    'a server behind a firewall that lets only DNS through',
    DNS,
    (request) => {
      all(request, urlHost(request.value), 20, 'dns');
      return PAGE;
    },
  ],
];

const point = queryPoint('/list', '5');

async function run(
  oracle: Oracle,
  site: Site,
  random: SeededRandom,
  {
    variant = null,
    isRepeat = false,
    hasHttps = true,
  }: { variant?: string | null; isRepeat?: boolean; hasHttps?: boolean } = {},
): Promise<Outcome> {
  const listener = new VirtualListener(random, hasHttps);
  const http = async ({ path = '/' }: ProbeRequest): Promise<Page> => {
    await listener.pause(30);
    const { searchParams } = new URL(path, 'http://site.test');
    const query = [...searchParams].map(([name, value]) => `${name}=${value}`).join(' ');
    const call: Request['call'] = (host, protocol, afterMs) => listener.call(host, protocol, afterMs);
    const reply = site({ value: searchParams.get('v') ?? '', query, random, call });
    const { status, text } = typeof reply === 'string' ? { status: 200, text: reply } : reply;
    const headers = new Headers([['Content-Type', 'text/html']]);
    return { url: `http://site.test${path}`, status, headers, body: Buffer.from(text), text, tls: null, hops: [] };
  };
  const probe = { http, callbacks: listener, markAsJudged: () => undefined, requestPage: http } as unknown as Probe;
  return oracle.observe(new Experiment(point, probe, variant, isRepeat));
}

describe('an experiment with callbacks', () => {
  it.each(VULNERABLE)('proves %s', async (_name, oracle, site) => {
    for (let seed = 0; seed < 20; seed += 1)
      expect(await run(oracle, site, new SeededRandom(seed))).toMatchObject({ state: 'proved' });
  });

  it('says who called, after what time, and what was not called', async () => {
    expect(await run(SSRF, acting(urlHost, 700), new SeededRandom(1))).toEqual({
      state: 'proved',
      variant: 'callback-url',
      detail: 'The server requests the URL in v: the server called the listener 3 times, for a new name each time.',
      certainty: expect.stringMatching(
        /^3 names .* were called: http from 203\.0\.113\.5 after 0\.7 s, http .*None of 6 names/,
      ),
    });
  });

  it('proves nothing at 1,200 points without the weakness, with robots that open every address they find', async () => {
    const proved: string[] = [];
    for (const [name, site] of Object.entries(SOUND))
      for (let seed = 0; seed < 20; seed += 1)
        for (const oracle of [SSRF, DNS, SHELL, SQL, TEMPLATE])
          if ((await run(oracle, site, new SeededRandom(seed))).state === 'proved') proved.push(name);
    expect(proved).toEqual([]);
    expect(Object.keys(SOUND).length * 20 * 5).toBe(1_200);
  }, 60_000);

  it('says that a target that called nothing is not testable, and that others are sound', async () => {
    expect(await run(SSRF, () => PAGE, new SeededRandom(1))).toMatchObject({
      state: 'disturbed',
      hasNoSubject: true,
      reason: expect.stringContaining('not testable from here'),
    });
    const late = acting(urlHost, 30_000);
    expect(await run(SSRF, late, new SeededRandom(1))).toMatchObject({ state: 'disturbed', hasNoSubject: true });
  });

  it('is no finding over HTTP where only names are resolved, and no DNS lookup where HTTP follows', async () => {
    const onlyDns: Site = (request) => {
      all(request, urlHost(request.value), 20, 'dns');
      return PAGE;
    };
    expect((await run(SSRF, onlyDns, new SeededRandom(1))).state).not.toBe('proved');
    expect((await run(DNS, acting(urlHost, 20), new SeededRandom(1))).state).not.toBe('proved');
  });
});

describe('a retest of what callbacks have shown', () => {
  const refusing: Site = ({ value }) => (/^\d+$/.test(value) ? PAGE : { status: 400, text: 'not a number' });

  it('is vulnerable while only https:// is called', async () => {
    const outcome = await run(SSRF, onlyHttps, new SeededRandom(3), { variant: 'callback-url' });
    expect(outcome).toMatchObject({ state: 'proved', variant: 'callback-url-https' });
  });

  it('is inconclusive if each value is refused and the listener has no HTTPS', async () => {
    const of = { variant: 'callback-url', hasHttps: false };
    for (const isRepeat of [false, true])
      expect(await run(SSRF, refusing, new SeededRandom(3), { ...of, isRepeat })).toMatchObject({
        state: 'disturbed',
        reason: expect.stringContaining('has no HTTPS'),
      });
    expect(await run(DNS, refusing, new SeededRandom(3), of)).toMatchObject({ state: 'sound' });
  });

  it.each<[string, Site, RegExp]>([
    ['is vulnerable while it is called', acting(urlHost, 20), /^proved/],
    ['is sound if each value is refused as invalid', refusing, /^sound/],
    ['is inconclusive if nothing is called, whatever the page is', () => PAGE, /^disturbed .*does not show a fix/],
    ['is inconclusive if a firewall refuses the value', () => ({ status: 403, text: 'no' }), /^disturbed/],
  ])('%s', async (_name, site, expected) => {
    for (const isRepeat of [false, true]) {
      const outcome = await run(SSRF, site, new SeededRandom(3), { variant: 'callback-url', isRepeat });
      expect(`${outcome.state} ${'reason' in outcome ? outcome.reason : outcome.detail}`).toMatch(expected);
    }
  });
});
