import { setTimeout as delay } from 'node:timers/promises';
import { page } from '../../testing/active-scans';
import { type FormSite, type Posted, servedBy } from '../../testing/form-site';
import { MemoryInventory } from '../../testing/memory-inventory';
import { HOST, sharedTestTarget } from '../../testing/test-target';
import { activeScan } from '../active-scan';
import { JOB_SUBMISSIONS, Submissions } from './submissions';

const testTarget = sharedTestTarget();
afterEach(() => void (testTarget().server.disturb = () => false));

async function crawled(site: FormSite): Promise<{ inventory: MemoryInventory; posted: Posted[] }> {
  const inventory = new MemoryInventory();
  const posted: Posted[] = [];
  testTarget().server.disturb = servedBy(site, (one) => void (one.path.startsWith('/sign') && posted.push(one)));
  await activeScan({
    target: { scheme: 'http', host: HOST, port: testTarget().server.port, path: '/' },
    checks: [],
    transport: testTarget().transport(500, () => () => {}),
    via: {
      signal: new AbortController().signal,
      submissions: new Submissions({ limits: JOB_SUBMISSIONS, refusal: () => null }),
    },
    otherWww: async () => null,
    seeds: [],
    inventory,
    limits: { ms: 60_000, requests: 5_000 },
  });
  return { inventory, posted };
}

const reasonsOf = ({ leftOut }: MemoryInventory): string[] =>
  [...leftOut.values()].map(({ path, leftOut: one }) => `${one?.method} ${path}: ${one?.reason}`);

const form = (action: string): string =>
  `<form method="post" action="${action}"><input name="author"><button>Save</button></form>`;

it.each([
  [401, /: the response to it was 401$/],
  [403, /: the response to it was 403$/],
  [404, /: the response to it was 404$/],
  [405, /: the response to it was 405$/],
  [429, /: it limits the request rate/],
  [503, /: it fails with 503$/],
])('a form with the response %d is listed, and the crawl is not complete', async (status, reason) => {
  const { inventory, posted } = await crawled(({ method, path }) => {
    if (path === '/') return page(form('/sign'));
    return method === 'POST' && path === '/sign' ? { status, body: 'No' } : null;
  });
  expect(posted).toHaveLength(1);
  expect(reasonsOf(inventory)).toEqual([expect.stringMatching(reason)]);
  expect(inventory.unread).toMatch(/forms/);
});

it('a form without a response is listed, and the crawl is not complete', async () => {
  const { inventory } = await crawled(async ({ method, path }) => {
    if (path === '/') return page(form('/sign'));
    if (method === 'POST' && path === '/sign') await delay(1_500);
    return null;
  });
  expect(reasonsOf(inventory)).toEqual([expect.stringMatching(/: there was no response to it$/)]);
  expect(inventory.unread).toMatch(/forms/);
});

it('a form that is tested leaves the crawl complete', async () => {
  const { inventory } = await crawled(({ method, path }) => {
    if (path === '/') return page(form('/sign'));
    return method === 'POST' && path === '/sign' ? page('Thanks') : null;
  });
  expect(inventory.points.size).toBeGreaterThan(0);
  expect([reasonsOf(inventory), inventory.unread]).toEqual([[], null]);
});

it('forms after the hundredth are listed, and the crawl is not complete', async () => {
  const links = Array.from({ length: 15 }, (_one, at) => `<a href="/list-${'abcdefghijklmno'[at]}">x</a>`).join('');
  const { inventory, posted } = await crawled(({ method, path }) => {
    if (method === 'POST') return page('Thanks');
    if (path === '/') return page(links);
    const [, list] = /^\/list-([a-o])$/.exec(path) ?? [];
    if (list === undefined) return null;
    return page(
      Array.from('pqrstuvw')
        .map((one) => form(`/sign-${list}${one}`))
        .join(''),
    );
  });
  expect(new Set(posted.map(({ path }) => path)).size).toBe(100);
  expect(reasonsOf(inventory).filter((one) => one.endsWith(': a test submits 100 forms'))).toHaveLength(20);
  expect(inventory.unread).toMatch(/forms/);
});
