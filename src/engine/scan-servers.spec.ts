import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { TestClock } from '../kernel/test-clock';
import { CHECKS } from './checks';
import { type Scan, scan } from './scan';
import type { ScanObserver } from './scan-request';
import { HostileServer, transportTo } from './testing/hostile-server';
import type { Reply } from './testing/target-server';
import { siteSetup } from './testing/target-states';
import { HOST, TestTarget } from './testing/test-target';

const PAGE = `<!doctype html><html><head><title>Old shop</title></head><body><h1>The old shop</h1>
<p>We sell what our grandparents sold.</p><a href="/list?sort=name">List</a></body></html>`;
const MISSING = '<!doctype html><title>Not found</title><h1>Not found</h1><p>There is nothing here.</p>';

type Respond = (path: string, socket: Socket) => void;

const statusOf = (path: string): string => (/^\/(?:list)?(?:\?|$)/.test(path) ? '200 OK' : '404 Not Found');
const bodyOf = (path: string): string => (statusOf(path) === '200 OK' ? PAGE : MISSING);

/** A web server that writes raw responses. */
const serverThat = (respond: Respond): HostileServer =>
  new HostileServer((socket) => {
    socket.once('data', (data) => respond(data.toString('latin1').split(' ', 2)[1] ?? '/', socket));
  });

const head = (path: string, version: string, fields: readonly string[]): string =>
  [`HTTP/${version} ${statusOf(path)}`, 'Server: old', 'Content-Type: text/html', ...fields, '', ''].join('\r\n');

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const SERVERS: readonly (readonly [what: string, respond: Respond])[] = [
  [
    'HTTP/1.0, which ends a response with the connection',
    (path, socket) => socket.end(`${head(path, '1.0', [])}${bodyOf(path)}`),
  ],
  [
    'chunks without a length',
    (path, socket) => {
      const [start, rest] = [bodyOf(path).slice(0, 20), bodyOf(path).slice(20)];
      socket.end(`${head(path, '1.1', ['Transfer-Encoding: chunked'])}${chunk(start)}${chunk(rest)}0\r\n\r\n`);
    },
  ],
  [
    'compressed content',
    (path, socket) => {
      const packed = gzipSync(bodyOf(path));
      socket.write(head(path, '1.1', ['Content-Encoding: gzip', `Content-Length: ${packed.length}`]));
      socket.end(packed);
    },
  ],
  [
    'a page that redirects with a meta tag',
    (path, socket) =>
      socket.end(
        `${head(path, '1.1', [])}${path === '/' ? '<!doctype html><title>Old shop</title><meta http-equiv="refresh" content="0; url=/list">' : bodyOf(path)}</html>`,
      ),
  ],
  [
    'pages of almost 5 MB',
    (path, socket) => {
      const large = `${bodyOf(path)}<!--${'x'.repeat(4_900_000)}-->`;
      socket.end(`${head(path, '1.1', [`Content-Length: ${Buffer.byteLength(large)}`])}${large}`);
    },
  ],
];

const NAMES = new Set([
  'missing-nosniff',
  'exposed-git',
  'exposed-env',
  'directory-listing',
  'reflected-input',
  'debug-error-pages',
]);
const checks = CHECKS.filter(({ id }) => NAMES.has(id));

const LIMIT_MS = 60_000;

async function run(server: HostileServer, observer?: ScanObserver): Promise<Scan> {
  await server.start();
  try {
    return await scan({
      target: { scheme: 'http', host: '127.0.0.1', port: server.port, path: '/' },
      checks,
      transport: transportTo(server.port, { limits: { bytes: 5_000_000, exchangeMs: 600_000 } }),
      via: { signal: new AbortController().signal },
      otherWww: async () => null,
      policy: { probes: 2, spreadMs: 4 },
      limitMs: LIMIT_MS,
      ...(observer && { observer }),
    });
  } finally {
    await server.stop();
  }
}

it('does not count the time in which a job waits for its turn of an account', async () => {
  const server = serverThat(
    (path, socket) =>
      void socket.end(`${head(path, '1.1', [`Content-Length: ${Buffer.byteLength(bodyOf(path))}`])}${bodyOf(path)}`),
  );
  await server.start();
  const clock = new TestClock();
  let waiting: Promise<unknown> | null = null;
  const wait = (): Promise<unknown> =>
    (waiting ??= clock.whileWaiting(() => new Promise<void>((resolve) => void setTimeout(resolve, 3_000))));
  try {
    const { end } = await scan({
      target: { scheme: 'http', host: '127.0.0.1', port: server.port, path: '/' },
      checks: checks.filter(({ id }) => id === 'missing-nosniff'),
      transport: transportTo(server.port),
      via: { signal: new AbortController().signal, clock, beforeRequest: async () => void (await wait()) },
      otherWww: async () => null,
      policy: { probes: 2, spreadMs: 4 },
      limitMs: 2_500,
    });
    expect([end, waiting]).toEqual(['complete', expect.any(Promise)]);
  } finally {
    await server.stop();
  }
});

/** An end of the checks' time that the test controls. */
function controlledEnd() {
  let end = (): void => {};
  const after = TestClock.prototype.after;
  const clock = jest.spyOn(TestClock.prototype, 'after').mockImplementation(function (this: TestClock, ms, act) {
    if (ms !== 0.9 * LIMIT_MS) return after.call(this, ms, act);
    end = act;
    return () => {};
  });
  return { clock, end: () => end() };
}

function expectOpen({ end, coverage }: Scan, reason: RegExp): void {
  expect(end).toBe('partial');
  const open = coverage.filter(({ outcome }) => outcome === 'inconclusive');
  expect(open.map(({ check }) => check)).toContain('exposed-git');
  expect(open.map((one) => one.reason).join('\n')).toMatch(reason);
  expect(coverage.filter(({ outcome }) => outcome === 'not_vulnerable').length).toBeGreaterThan(1);
}

describe('a job on a server with', () => {
  it.each(SERVERS)('%s is complete', async (_what, respond) => {
    const { end, reason, coverage } = await run(serverThat(respond));
    expect([end, reason]).toEqual(['complete', null]);
    expect(new Set(coverage.map(({ outcome }) => outcome))).toEqual(new Set(['not_vulnerable', 'vulnerable']));
  });

  it.each<[string, RegExp, Respond]>([
    [
      'a page of more than 5 MB',
      /larger than 5000000 bytes/,
      (path, socket) => {
        const body = path === '/.git/HEAD' ? 'x'.repeat(6_000_000) : bodyOf(path);
        socket.end(`${head(path, '1.1', [`Content-Length: ${Buffer.byteLength(body)}`])}${body}`);
      },
    ],
    [
      'a compressed page that is shorter than its length says',
      /the connection was closed|truncated|ended/i,
      (path, socket) => {
        const packed = gzipSync(bodyOf(path));
        const length = path === '/.git/HEAD' ? packed.length + 100 : packed.length;
        socket.write(head(path, '1.1', ['Content-Encoding: gzip', `Content-Length: ${length}`]));
        socket.end(packed);
      },
    ],
  ])('%s finishes with what it could not complete', async (_what, reason, respond) => {
    expectOpen(await run(serverThat(respond)), reason);
  });

  it('a path that never responds finishes with what it could not complete', async () => {
    const { clock, end } = controlledEnd();
    let isRequested = false;
    let complete = 0;
    const endChecks = (): void => {
      if (isRequested && complete > 1) end();
    };
    const server = serverThat((path, socket) => {
      if (path !== '/.git/HEAD') socket.end(`${head(path, '1.1', ['Connection: close'])}${bodyOf(path)}</html>`);
      else isRequested = true;
      endChecks();
    });
    const covered: ScanObserver['covered'] = ({ outcome }) => {
      if (outcome === 'not_vulnerable') complete += 1;
      endChecks();
    };
    try {
      const result = await run(server, { planned: () => undefined, started: () => undefined, covered });
      expectOpen(result, /the job had no time left for it, because the target responds slowly/);
    } finally {
      clock.mockRestore();
    }
  });
});

describe('a job on a slow site', () => {
  it('ends its checks in time although garbage is collected meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const collecting = setInterval(collect, 2_000);
    const testTarget = await TestTarget.open();
    try {
      const { end, coverage } = await scan({
        target: { scheme: 'https', host: HOST, port: testTarget.server.port, path: '/' },
        checks: CHECKS.filter(({ id }) => ['exposed-git', 'missing-nosniff'].includes(id)),
        transport: testTarget.transport(60_000, () => siteSetup({}, ({ url }) => url === '/.git/HEAD')),
        via: { signal: new AbortController().signal },
        otherWww: async () => null,
        limitMs: 10_000,
      });
      expect(end).toBe('partial');
      expect(coverage.map(({ check, outcome }) => `${check}: ${outcome}`).sort()).toEqual([
        'exposed-git: inconclusive',
        'missing-nosniff: vulnerable',
      ]);
    } finally {
      clearInterval(collecting);
      await testTarget.close();
    }
  });

  it.each(['vulnerable', 'not_vulnerable'])(
    'names each parameter that it had no time for, where the rest of the site is %s',
    async (outcome) => {
      const testTarget = await TestTarget.open();
      const { clock, end } = controlledEnd();
      try {
        const paths = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'gnu', 'hen'].map((name) => `/${name}`);
        const answer = ({ url = '' }: { readonly url?: string | undefined }): Reply | null => {
          const { pathname, searchParams } = new URL(url, 'http://target.test');
          if (paths.includes(pathname)) return { body: `<p>None of ${searchParams.get('q')}</p>` };
          if (outcome === 'not_vulnerable' || pathname === '/') return null;
          return { status: 404, body: `<p>No ${decodeURIComponent(pathname)}</p>` };
        };
        const links = paths.map((path) => `<a href="${path}?q=tea">x</a>`).join('');
        const { coverage } = await scan({
          target: { scheme: 'https', host: HOST, port: testTarget.server.port, path: '/' },
          checks: CHECKS.filter(({ id }) => id === 'reflected-input'),
          transport: testTarget.transport(4_000, () => siteSetup({ answer, pages: { '/': links } })),
          via: { signal: new AbortController().signal },
          otherWww: async () => null,
          limitMs: LIMIT_MS,
          observer: {
            planned: () => undefined,
            started: () => undefined,
            covered: ({ location }) => (location.includes('?') ? end() : undefined),
          },
        });
        const [main, ...places] = coverage;
        expect(main?.outcome).toBe(outcome);
        expect(places.map(({ location }) => new URL(location).pathname).sort()).toEqual(paths);
        const open = places.filter((one) => one.outcome === 'inconclusive');
        expect(open.length).toBeGreaterThanOrEqual(paths.length - 4);
        expect(new Set(open.map(({ reason }) => reason))).toEqual(
          new Set(['the job had no time left for it, because the target responds slowly']),
        );
      } finally {
        clock.mockRestore();
        await testTarget.close();
      }
    },
  );

  it('tests fewer parameters of links, says so, and completes its checks', async () => {
    const testTarget = await TestTarget.open();
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const links = Array.from({ length: 60 }, (_none, at) => `<a href="/product/${at}?tab=a">x</a>`).join('');
      const answer = ({ url = '' }: { readonly url?: string | undefined }): Reply | null => {
        if (/[?]tab=assay/.test(url)) now += 2_000;
        const { pathname, searchParams } = new URL(url, 'http://target.test');
        return pathname === '/product/0' ? { body: `<p>None of ${searchParams.get('tab')}</p>` } : null;
      };
      const { end, coverage, sightings } = await scan({
        target: { scheme: 'https', host: HOST, port: testTarget.server.port, path: '/' },
        checks: CHECKS.filter(({ id }) => ['reflected-input', 'missing-nosniff'].includes(id)),
        transport: testTarget.transport(4_000, () =>
          siteSetup({ answer, pages: { '/': `<title>Shop</title>${links}` } }),
        ),
        via: { signal: new AbortController().signal },
        otherWww: async () => null,
      });
      expect(end).toBe('partial');
      const found = sightings.filter(({ check }) => check === 'reflected-input');
      expect(found.map(({ location }) => new URL(location).pathname)).toEqual(['/product/0']);
      const { pathname, search } = new URL(coverage.find(({ outcome }) => outcome === 'inconclusive')?.location ?? '');
      expect(`${pathname}${search}`).toBe('/?*');
      expect(coverage.flatMap(({ outcome, reason }) => (outcome === 'inconclusive' ? [reason] : []))).toEqual([
        expect.stringMatching(/^1\d parameters were not tested within 90 seconds$/),
      ]);
    } finally {
      clock.mockRestore();
      await testTarget.close();
    }
  });
});
