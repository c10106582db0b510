import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  activeScan,
  checkById,
  CHECKS,
  detect,
  needsAccounts,
  parseLocation,
  parseTarget,
  scan,
  type Scan,
  type PreviousFinding,
  Transport,
  verify,
} from '../../../engine';
import { isWeb, type WebTarget } from '../../../engine/target';
import { MemoryInventory } from '../../../engine/testing/memory-inventory';
import { USERS } from './members';
import { DemoTarget } from './demo-target';
import { type WeaknessName, WEAKNESSES, weaknessNames } from './weaknesses';

let target: DemoTarget;
let listening: AddressInfo;
let url: string;

beforeEach(async () => {
  target = new DemoTarget();
  listening = await target.listen(0);
  url = `http://127.0.0.1:${listening.port}/`;
});
afterEach(() => target.close());

const transport = (): Transport =>
  new Transport({
    userAgent: 'demo-target.spec',
    egressAllow: [listening],
    limits: { perSecond: 1_000 },
  });
const via = { signal: new AbortController().signal };

const webTarget = (): WebTarget => {
  const parsed = parseTarget(url);
  if (!isWeb(parsed)) throw new Error(`${url} is no web page`);
  return parsed;
};

const policy = { probes: 2, spreadMs: 1 };
const otherWww = async () => null;

const checks = CHECKS.filter((check) => !needsAccounts(check));

const job = (previousFindings: readonly PreviousFinding[] = []): Promise<Scan> =>
  scan({ target: parseTarget(url), checks, transport: transport(), via, otherWww, previousFindings, policy });
const foundBy = ({ sightings }: Scan): string[] => sightings.map(({ check }) => check).sort();

const setWeakness = async (verb: 'fix' | 'open', name: string): Promise<number> =>
  (await fetch(`${url}-/${verb}/${name}`, { method: 'POST' })).status;

/** Where a job with active tests finds it, if it depends on input; otherwise the page. */
const placeOf = (name: WeaknessName): string => {
  const [, path] = /(\/\w+\?\w+)=/.exec(WEAKNESSES[name].where) ?? [];
  return new URL(path ?? '/', url).href;
};
/** It needs two accounts. */
const seenSignedIn: WeaknessName = 'object-access';
const isOfPage = (name: WeaknessName): boolean => placeOf(name) === url && name !== seenSignedIn;

/** The demo target has no HTTPS, so this weakness cannot be fixed. */
const alwaysPresent = 'no-https-redirect';

describe('the demo target', () => {
  it('has its weaknesses found by a job, and shown as fixed by another job after all switches are set', async () => {
    const vulnerable = await job();
    expect([vulnerable.end, vulnerable.reason]).toEqual(['complete', null]);
    const ofPage = weaknessNames.filter(isOfPage);
    expect(foundBy(vulnerable)).toEqual([...ofPage, alwaysPresent].sort());
    for (const name of weaknessNames) expect(await setWeakness('fix', name)).toBe(200);
    const fixed = await job(vulnerable.sightings);
    expect([fixed.end, fixed.reason]).toEqual(['complete', null]);
    expect(foundBy(fixed)).toEqual([alwaysPresent]);
    const gone = fixed.coverage.filter(({ verdict }) => verdict?.result === 'fixed').map(({ check }) => check);
    expect(gone.sort()).toEqual(ofPage.sort());
  });

  it('has the weaknesses of its forms found by an active scan', async () => {
    const inventory = new MemoryInventory();
    const names = weaknessNames.filter((name) => !isOfPage(name) && name !== seenSignedIn);
    await activeScan({
      target: webTarget(),
      checks: CHECKS.filter(({ id }) => names.some((name) => name === id)),
      transport: transport(),
      via,
      otherWww,
      seeds: [],
      inventory,
      limits: { ms: 60_000, requests: 5_000 },
    });
    const found = inventory.results.flatMap(({ sighting }) => (sighting === null ? [] : [sighting.location]));
    expect(found.sort()).toEqual(names.map(placeOf).sort());
  });

  it.each(weaknessNames.filter((name) => name !== seenSignedIn))(
    'has a switch for %s that the check of that name detects',
    async (name) => {
      const check = checkById(name);
      if (check === null) throw new Error(`there is no check ${name}`);
      expect(check.title).toBe(WEAKNESSES[name].title);
      const place = parseLocation(placeOf(name));
      const before = (await detect(check, place, transport(), via))?.baseline ?? null;
      const retest = async (): Promise<string> =>
        (await verify(check, place, before, transport(), via, otherWww, policy)).verdict.result;
      expect(await retest()).toBe('still_vulnerable');
      await setWeakness('fix', name);
      expect(await retest()).toBe('fixed');
      await setWeakness('open', name);
      expect(await retest()).toBe('still_vulnerable');
    },
  );

  it('gives the order of one user to the other, until that is fixed', async () => {
    const request = (path: string, cookie?: string) =>
      fetch(new URL(path, url), { redirect: 'manual', headers: cookie === undefined ? {} : { cookie } });
    const signIn = (user: string, password: string) =>
      fetch(`${url}login`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ user, password }) });
    const cookieOf = async (name: string): Promise<string> => {
      const answer = await signIn(name, USERS[name]?.password ?? '');
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
      return /assay_demo_user=\w+/.exec(answer.headers.getSetCookie().join())?.[0] ?? '';
    };
    expect((await signIn('ada', 'other')).status).toBe(403);
    expect((await signIn('toString', '')).status).toBe(403);
    const [ada, bob] = [await cookieOf('ada'), await cookieOf('bob')];
    expect(await (await request('/orders/2044', ada)).text()).toContain('bob@shop.example');
    expect((await request('/orders/1', ada)).status).toBe(404);
    expect(checkById(seenSignedIn)?.title).toBe(WEAKNESSES[seenSignedIn].title);
    await setWeakness('fix', seenSignedIn);
    expect((await request('/orders/2044', ada)).status).toBe(403);
    expect(await (await request('/orders/2044', bob)).text()).toContain('bob@shop.example');
    for (const path of ['/account', '/orders', '/orders/2044']) {
      const answer = await request(path, 'assay_demo_user=0123');
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login']);
    }
  });

  it('shows a page with a switch for each weakness, and redirects a browser back to it', async () => {
    const switches = async (): Promise<string[]> =>
      Array.from((await (await fetch(url)).text()).matchAll(/action="\/-\/(\w+\/[\w-]+)"/g), ([, path = '']) => path);
    expect(await switches()).toEqual(weaknessNames.map((name) => `fix/${name}`));
    const headers = { accept: 'text/html', origin: url.slice(0, -1), 'sec-fetch-site': 'same-origin' };
    const response = await fetch(`${url}-/fix/exposed-git`, { method: 'POST', headers, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    expect(await switches()).toContain('open/exposed-git');
  });

  it('shows for each weakness what it is, its check, its state and the command of its switch', async () => {
    await setWeakness('fix', 'exposed-git');
    const text = await (await fetch(url)).text();
    for (const name of weaknessNames) {
      const { about, where } = WEAKNESSES[name];
      const [, item] = new RegExp(`<li id="${name}">(.*?)</li>`, 's').exec(text) ?? [];
      const [state, verb] = name === 'exposed-git' ? ['fixed', 'open'] : ['vulnerable', 'fix'];
      for (const part of [about, where, `<code>${name}</code>`, `>${state}<`, `curl -X POST ${url}-/${verb}/${name}<`])
        expect(item).toContain(part);
    }
  });

  it('links to the documentation and to the portal as far as their addresses are known', async () => {
    expect(await (await fetch(url)).text()).not.toContain('<a href="http');
    const linked = new DemoTarget({ docs: 'http://localhost:3000/docs', portal: 'http://localhost:3000/?a&b' });
    try {
      const { port } = await linked.listen(0);
      const links = (await (await fetch(`http://127.0.0.1:${port}/`)).text()).matchAll(/<a href="(http[^"]*)"/g);
      expect(Array.from(links, ([, link]) => link)).toEqual([
        'http://localhost:3000/?a&amp;b',
        'http://localhost:3000/docs',
      ]);
    } finally {
      await linked.close();
    }
  });

  it('has a page without scripts, whose style the policy of a fixed page allows', async () => {
    await setWeakness('fix', 'weak-csp');
    const response = await fetch(url);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    const text = await response.text();
    expect(text).not.toMatch(/<script|<style|style=|\son\w+=/);
    for (const [, path = ''] of text.matchAll(/<link [^>]*href="([^"]*)"/g)) {
      expect((await fetch(new URL(path, url))).headers.get('content-type')).toMatch(/^(text\/css|image\/svg\+xml)/);
    }
  });

  it.each<[string, string, number]>([
    ['GET', '/-/fix/exposed-git', 405],
    ['POST', '/-/fix/nothing', 404],
    ['POST', '/-/fix/toString', 404],
    ['POST', '/', 405],
    ['OPTIONS', '/', 405],
    ['HEAD', '/', 200],
    ['GET', '/uploads/draft.txt?download', 200],
    ['GET', '/constructor', 404],
  ])('responds to %s %s with %i', async (method, path, status) => {
    expect((await fetch(new URL(path, url), { method })).status).toBe(status);
  });
});

describe('a foreign request to the demo target', () => {
  const isVulnerable = async (name: WeaknessName): Promise<boolean> =>
    (await (await fetch(url)).text()).includes(`/-/fix/${name}"`);

  const statusFor = (path: string, method: string, headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, url), { method, headers }, ({ statusCode }) => resolve(statusCode));
      outgoing.once('error', reject).end();
    });

  it('is refused if it sets a switch from the page of another site', async () => {
    const others = ['https://foreign.example', 'null', 'http://localhost:1', `http://127.0.0.1.foreign.example`];
    for (const origin of others) expect(await statusFor('/-/fix/exposed-git', 'POST', { origin })).toBe(403);
    for (const site of ['cross-site', 'same-site']) {
      expect(await statusFor('/-/fix/exposed-git', 'POST', { 'sec-fetch-site': site })).toBe(403);
    }
    expect(await isVulnerable('exposed-git')).toBe(true);
  });

  it('is refused if its host name is not the one of the demo target', async () => {
    for (const host of ['foreign.example', `foreign.example:${listening.port}`, '127.0.0.1:1']) {
      expect(await statusFor('/', 'GET', { host })).toBe(421);
      expect(await statusFor('/-/fix/exposed-git', 'POST', { host })).toBe(421);
    }
    expect(await isVulnerable('exposed-git')).toBe(true);
    expect(await statusFor('/', 'GET', { host: `LOCALHOST:${listening.port}` })).toBe(200);
  });

  it('cannot come from another machine, because it listens on loopback only', () => {
    expect(listening.address).toBe('127.0.0.1');
  });
});
