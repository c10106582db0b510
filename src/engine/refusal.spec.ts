import { isSameRefusal, type Refusal } from './refusal';
import { withConfirmedRefusal } from './retest';
import { snapshot, type Snapshot } from './snapshot';
import { FORMAT, type WebBaseline } from './baseline';
import { Headers } from './transport/headers';
import type { Page } from './page';

const pageOf = (status: number, text: string, path = '/'): Page => ({
  url: `https://target.test${path}`,
  status,
  headers: new Headers([['server', 'target/1']]),
  body: Buffer.from(text),
  text,
  tls: null,
  hops: [],
});
const shown = (status: number, text: string): Promise<Snapshot> => snapshot(pageOf(status, text));

const refusal = async (): Promise<Refusal> => ({
  path: 'GET /.env',
  twin: 'GET /.env-nothing-000000000000',
  status: 403,
  twinStatus: 404,
  answer: await shown(403, '<h1>Forbidden</h1>'),
  twinAnswer: await shown(404, '<h1>There is nothing of that name</h1>'),
  page: await shown(200, '<title>Shop</title><h1>Bread and rolls</h1>'),
  isOwn: true,
});

describe('a refusal is the confirmed one', () => {
  it('if the request, its twin and the page are answered as then', async () => {
    expect(isSameRefusal(await refusal(), { ...(await refusal()), twin: 'GET /.env-nothing-111111111111' })).toBe(true);
  });

  it.each<[string, Partial<Refusal> | (() => Promise<Partial<Refusal>>)]>([
    ['another request is refused', { path: 'GET /.env.bak' }],
    ['it is refused with another page', async () => ({ answer: await shown(403, '<p>Your activity is suspicious') })],
    ['it is refused with another status', async () => ({ answer: await shown(404, '<h1>Forbidden</h1>') })],
    ['the twin is refused too', async () => ({ twinAnswer: await shown(403, '<h1>Forbidden</h1>') })],
    [
      'the page is another one',
      async () => ({ page: await shown(200, '<title>Parked</title><p>This domain is for sale') }),
    ],
  ])('but not if %s', async (_what, change) => {
    const now = { ...(await refusal()), ...(typeof change === 'function' ? await change() : change) };
    expect(isSameRefusal(await refusal(), now)).toBe(false);
  });
});

it('a baseline keeps who has confirmed a refusal, unless it is one of DNS', async () => {
  const at = '2026-11-28T10:42:00.000Z';
  const before = { on: 'web', format: FORMAT } as WebBaseline;
  expect(withConfirmedRefusal(before, await refusal(), { by: 7, at })).toMatchObject({
    on: 'web',
    confirmedRefusal: { by: 7, at, refusal: { status: 403 } },
  });
  const zone = { on: 'dns', format: FORMAT, zone: 'target.test', primary: 'ns1' } as const;
  expect(withConfirmedRefusal(zone, await refusal(), { by: 7, at })).toBeNull();
});
