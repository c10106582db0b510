import { type DnsCheck, notVulnerable, inconclusive, vulnerable, type WebCheck } from './check';
import { certificate } from './testing/certificate';
import { siteSetup } from './testing/target-states';
import { MISSING, type Site } from './testing/target-server';
import { HOST, TestTarget } from './testing/test-target';
import { truthTable } from './testing/truth-table';
import { checkFromYaml } from './templates/check-from-yaml';
import { detect } from './detect';
import { verify } from './verdict';

const about = {
  title: 'A sample',
  severity: 'low',
  cwe: [],
  owasp: [],
  wstg: [],
  cvss: null,
  references: [],
  decides: 'By this test.',
  text: 'For this test.',
} as const;

/** Checks of the kinds that differ in their control. */
const plainHttp: WebCheck = {
  ...about,
  id: 'sample-followed',
  on: 'page',
  schemes: ['http'],
  control: 'followed',
  observe: ({ page }) =>
    page.hops[0]?.headers.get('location')?.startsWith('https:') ? notVulnerable('led on') : vulnerable('not led on'),
};
const listing: WebCheck = {
  ...about,
  id: 'sample-missing',
  on: 'page',
  control: 'missing',
  async observe({ probe }) {
    const { text } = await probe.http({});
    return text.includes('Index of /') ? vulnerable('a listing') : notVulnerable('no listing');
  },
};
const untrusted: WebCheck = {
  ...about,
  id: 'sample-tls',
  on: 'tls',
  async observe({ probe }) {
    const handshake = await probe.tls();
    if (handshake.state === 'refused') return inconclusive(handshake.alert);
    return handshake.tls.certificate?.key.type === 'rsa' ? vulnerable('an RSA key') : notVulnerable('another key');
  },
};
const noSpf: DnsCheck = {
  ...about,
  id: 'sample-dns',
  on: 'dns',
  async observe({ target, probe }) {
    const { records } = await probe.dns(target.host, 'TXT');
    return records.some((record) => record.startsWith('v=spf1')) ? notVulnerable('SPF') : vulnerable('no SPF');
  },
};

const ledOn = {
  answer: ({ socket, headers, url = '/' }: { socket: object; headers: { host?: string }; url?: string }) =>
    'encrypted' in socket ? null : { status: 301, headers: { location: `https://${headers.host}${url}` } },
};

truthTable(plainHttp, { scheme: 'http', vulnerable: {}, fixed: ledOn });
truthTable(listing, {
  path: '/files/',
  vulnerable: { pages: { '/files/': '<title>Index of /files/</title>' } },
  fixed: {},
  alsoBlocked: { 'the server refuses it': { pages: { '/files/': { status: 403 } } } },
});
truthTable(untrusted, {
  vulnerable: { tls: certificate({ names: [HOST], key: 'rsa' }) },
  fixed: {},
  lookalikes: { 'it shows the certificate of another host': { tls: certificate({ names: ['other.test'] }) } },
});
truthTable(noSpf, {
  vulnerable: { [HOST]: { TXT: ['hello'] } },
  fixed: { [HOST]: { TXT: ['v=spf1 -all'] } },
});

describe('verify', () => {
  const target = (testTarget: TestTarget) =>
    ({ scheme: 'https', host: HOST, port: testTarget.server.port, path: '/' }) as const;
  const always: WebCheck = { ...about, id: 'sample', on: 'page', observe: () => notVulnerable('nothing there') };
  let testTarget: TestTarget;
  beforeEach(async () => {
    testTarget = await TestTarget.open();
  });
  afterEach(() => testTarget.close());

  it('is inconclusive without a baseline', async () => {
    const { signal } = new AbortController();
    const { verdict, probes } = await verify(
      always,
      target(testTarget),
      null,
      testTarget.transport(4_000, () => siteSetup({})),
      { signal },
      async () => null,
    );
    expect(verdict).toEqual({ result: 'inconclusive', reason: expect.stringContaining('no earlier detection') });
    expect(probes).toHaveLength(1);
  });

  it('is inconclusive when the check does not apply to the target', async () => {
    const { signal } = new AbortController();
    const { verdict } = await verify(
      plainHttp,
      target(testTarget),
      null,
      testTarget.transport(4_000, () => siteSetup({})),
      { signal },
      async () => null,
    );
    expect(verdict).toEqual({ result: 'inconclusive', reason: 'tested over http only' });
  });

  it('stops when its signal is aborted, whatever it is waiting for', async () => {
    const stop = new AbortController();
    const reason = new Error('canceled');
    const transport = testTarget.transport(60_000, () =>
      siteSetup({}, () => {
        setTimeout(() => stop.abort(reason), 10);
        return true;
      }),
    );
    await expect(
      verify(always, target(testTarget), null, transport, { signal: stop.signal }, async () => null),
    ).rejects.toBe(reason);
  });

  it('is inconclusive when the repeats have one and the same Date for more than three seconds', async () => {
    const stored = { pages: { '/files/': { ...MISSING, headers: { date: new Date().toUTCString() } } } };
    const seen = { pages: { '/files/': '<title>Index of /files/</title>' } };
    const via = { signal: new AbortController().signal };
    const place = { ...target(testTarget), path: '/files/' };
    const { baseline } = (await detect(
      listing,
      place,
      testTarget.transport(4_000, () => siteSetup(seen)),
      via,
    )) ?? { baseline: null };
    const { verdict } = await verify(
      listing,
      place,
      baseline,
      testTarget.transport(4_000, () => siteSetup(stored)),
      via,
      async () => null,
      { probes: 3, spreadMs: 8_000 },
    );
    expect(`${verdict.result}: ${verdict.reason}`).toMatch(/^inconclusive: the Date of 1\d responses .* is the same/);
  });

  it('sends a YAML check with credentials exactly once for each probe, at detection and at a retest', async () => {
    const check = checkFromYaml(`id: reset
info: { name: Reset without a token, severity: high }
http:
  - headers: { Authorization: Basic dGVzdDp0ZXN0 }
    path: ["{{BaseURL}}/token", "{{BaseURL}}/reset"]
    matchers: [{ type: word, words: ["password was reset"] }]`);
    let isFixed = false;
    let logins = 0;
    const site: Site = {
      answer({ headers, url }) {
        if (headers.authorization === undefined) return null;
        logins += 1;
        return isFixed || url !== '/reset' ? { status: 403, body: 'no token' } : { body: 'Your password was reset.' };
      },
    };
    const place = { ...target(testTarget), scheme: 'http' } as const;
    const transport = testTarget.transport(4_000, () => siteSetup(site));
    const via = { signal: new AbortController().signal };
    const seen = await detect(check, place, transport, via);
    expect([seen?.observation.state, logins]).toEqual(['vulnerable', 2]);

    isFixed = true;
    logins = 0;
    const { verdict, probes } = await verify(check, place, seen?.baseline ?? null, transport, via, async () => null, {
      probes: 8,
      spreadMs: 4,
    });
    expect(logins).toBe(2 * probes.filter(({ kind }) => kind === 'probe').length);
    expect(verdict).toEqual({ result: 'inconclusive', reason: expect.stringContaining('not repeated often enough') });
  });
});
