import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  checkById,
  CHECKS,
  detect,
  parseTarget,
  scan,
  type Scan,
  type PreviousFinding,
  Transport,
  verify,
} from '../../../engine';
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

const policy = { probes: 2, spreadMs: 1 };

const job = (previousFindings: readonly PreviousFinding[] = []): Promise<Scan> =>
  scan({ target: parseTarget(url), checks: CHECKS, transport: transport(), via, previousFindings, policy });
const foundBy = ({ sightings }: Scan): string[] => sightings.map(({ check }) => check).sort();

const turn = async (verb: 'mend' | 'open', name: string): Promise<number> =>
  (await fetch(`${url}-/${verb}/${name}`, { method: 'POST' })).status;

/** Over plain HTTP as it is, this one is there too, and no switch mends it. */
const always = 'no-https-redirect';

describe('the demo target', () => {
  it('lets a job finish that finds everything, and one that shows all of it gone but what no switch mends', async () => {
    const weak = await job();
    expect([weak.end, weak.reason]).toEqual(['complete', null]);
    expect(foundBy(weak)).toEqual([...weaknessNames, always].sort());
    for (const name of weaknessNames) expect(await turn('mend', name)).toBe(200);
    const mended = await job(weak.sightings);
    expect([mended.end, mended.reason]).toEqual(['complete', null]);
    expect(foundBy(mended)).toEqual([always]);
    const gone = mended.coverage.filter(({ verdict }) => verdict?.result === 'fixed').map(({ check }) => check);
    expect(gone.sort()).toEqual([...weaknessNames].sort());
  });

  it.each(Object.entries(WEAKNESSES))('is shown to have %s mended, by the check of that name', async (name, title) => {
    const check = checkById(name);
    if (check === null) throw new Error(`there is no check ${name}`);
    expect(check.title).toBe(title);
    const before = (await detect(check, parseTarget(url), transport(), via))?.baseline ?? null;
    const retest = async (): Promise<string> =>
      (await verify(check, parseTarget(url), before, transport(), via, policy)).verdict.result;
    expect(await retest()).toBe('still_vulnerable');
    await turn('mend', name);
    expect(await retest()).toBe('fixed');
    await turn('open', name);
    expect(await retest()).toBe('still_vulnerable');
  });

  it('shows a page with a switch for each weakness, which a browser uses and comes back', async () => {
    const switches = async (): Promise<string[]> =>
      Array.from((await (await fetch(url)).text()).matchAll(/action="\/-\/(\w+\/[\w-]+)"/g), ([, path = '']) => path);
    expect(await switches()).toEqual(weaknessNames.map((name) => `mend/${name}`));
    const headers = { accept: 'text/html', origin: url.slice(0, -1), 'sec-fetch-site': 'same-origin' };
    const pressed = await fetch(`${url}-/mend/exposed-git`, { method: 'POST', headers, redirect: 'manual' });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/']);
    expect(await switches()).toContain('open/exposed-git');
  });

  it.each<[string, string, number]>([
    ['GET', '/-/mend/exposed-git', 405],
    ['POST', '/-/mend/nothing', 404],
    ['POST', '/-/mend/toString', 404],
    ['POST', '/', 405],
    ['OPTIONS', '/', 405],
    ['HEAD', '/', 200],
    ['GET', '/uploads/draft.txt?download', 200],
    ['GET', '/constructor', 404],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await fetch(new URL(path, url), { method })).status).toBe(status);
  });
});

describe('a stranger at the demo target', () => {
  const isWeak = async (name: WeaknessName): Promise<boolean> =>
    (await (await fetch(url)).text()).includes(`/-/mend/${name}"`);

  const asked = (path: string, method: string, headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asking = request(new URL(path, url), { method, headers }, ({ statusCode }) => resolve(statusCode));
      asking.once('error', reject).end();
    });

  it('cannot turn a switch from the page of another site', async () => {
    const others = ['https://stranger.example', 'null', 'http://localhost:1', `http://127.0.0.1.stranger.example`];
    for (const origin of others) expect(await asked('/-/mend/exposed-git', 'POST', { origin })).toBe(403);
    for (const site of ['cross-site', 'same-site']) {
      expect(await asked('/-/mend/exposed-git', 'POST', { 'sec-fetch-site': site })).toBe(403);
    }
    expect(await isWeak('exposed-git')).toBe(true);
  });

  it('cannot come by a name that leads here', async () => {
    for (const host of ['stranger.example', `stranger.example:${listening.port}`, '127.0.0.1:1']) {
      expect(await asked('/', 'GET', { host })).toBe(421);
      expect(await asked('/-/mend/exposed-git', 'POST', { host })).toBe(421);
    }
    expect(await isWeak('exposed-git')).toBe(true);
    expect(await asked('/', 'GET', { host: `LOCALHOST:${listening.port}` })).toBe(200);
  });

  it('on another machine finds nobody: it listens on loopback alone', () => {
    expect(listening.address).toBe('127.0.0.1');
  });
});
