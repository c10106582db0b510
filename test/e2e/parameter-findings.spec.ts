import type { IncomingMessage } from 'node:http';
import { certificate } from '../../src/engine/testing/certificate';
import { type Reply, TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { runJob } from '../support/jobs';

let target: TargetServer;
beforeAll(async () => {
  target = await TargetServer.start(certificate());
});
afterAll(() => target.stop());

const origin = (): string => `http://127.0.0.1:${target.port}`;

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

const CHECK = 'reflected-input';
const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A site whose pages repeat the parameters that its links have, without those that are fixed. */
function showSite(links: readonly string[], isFixed: (path: string, parameter: string) => boolean = () => false): void {
  const paths = new Set(links.map((link) => link.split('?', 1)[0]));
  const answer = ({ url = '/' }: IncomingMessage): Reply | null => {
    const { pathname, searchParams } = new URL(url, origin());
    if (!paths.has(pathname)) return null;
    const words = [...searchParams].map(([name, value]) => (isFixed(pathname, name) ? escaped(value) : value));
    return { body: `<title>Results</title><h1>Results of ${pathname}</h1><p>You asked for ${words.join(' and ')}</p>` };
  };
  const list = links.map((link) => `<li><a href="${link.replaceAll('&', '&amp;')}">x</a></li>`).join('');
  target.site = { answer, pages: { '/': `<title>Shop</title><h1>Welcome to the shop</h1><ul>${list}</ul>` } };
}

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly url: string;
  readonly assetId: number;
}

async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const url = `${origin()}/`;
  const { id: assetId } = await make.asset(tenant.id, { value: url, type: 'url' });
  return { tenant, client, url, assetId };
}

interface Row {
  readonly id: number;
  readonly place: string;
  readonly status: number;
}

/** The findings of the check, by where they are on the site. */
async function findingsOf({ tenant }: Fixture): Promise<Row[]> {
  const rows = await query<Row>(
    `SELECT id, substr(check_definition ->> 'location', $2) AS place, status FROM findings
     WHERE organization_id = $1 AND check_id = $3 ORDER BY id`,
    [tenant.id, origin().length + 1, CHECK],
  );
  return [...rows];
}

const run = ({ client, url }: Fixture): Promise<string> => runJob(client, url, { checks: [CHECK] });

const gate = async ({ client }: Fixture, uuid: string) => (await client.get(`/v1/jobs/${uuid}/success`)).body;

async function retest({ client }: Fixture, id: number) {
  const path = `/v1/findings/${id}/retest`;
  expect((await client.post(path)).status).toBe(202);
  await eventually(async () => expect(['finished', 'error']).toContain((await client.get(path)).body.status), 60_000);
  return (await client.get(path)).body;
}

/** A finding as earlier versions recorded it: at the page that names the link, with the request that showed it. */
async function recordEarlier({ client, tenant, url, assetId }: Fixture): Promise<number> {
  const { slug } = await make.event(tenant.id, { status: 'running' });
  await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
  const check = { id: CHECK, location: url };
  const body = { title: 'Reflected input', severity: 'medium', asset_id: assetId, check };
  const { id } = (await client.post(`/v1/events/${slug}/findings/`, body)).body;
  await eventually(async () =>
    expect(await query('SELECT 1 FROM finding_baselines WHERE finding_id = $1', [id])).toHaveLength(1),
  );
  return id;
}

const LINKS = ['/find?term=red&size=2', '/list?sort=name', '/about'];

describe('reflected input', () => {
  it('is one finding for each page and parameter, and each of them is fixed by itself', async () => {
    const fixture = await createFixture();
    showSite(LINKS);
    await run(fixture);
    const before = await findingsOf(fixture);
    expect(before.map(({ place }) => place).toSorted()).toEqual(['/find?size', '/find?term', '/list?sort']);
    await run(fixture);
    expect(await findingsOf(fixture)).toEqual(before);

    showSite(LINKS, (_path, parameter) => parameter === 'term');
    const uuid = await run(fixture);
    const statuses = Object.fromEntries((await findingsOf(fixture)).map(({ place, status }) => [place, status]));
    expect(statuses).toEqual({ '/find?size': 1, '/find?term': 5, '/list?sort': 1 });
    expect(await gate(fixture, uuid)).toMatchObject({ success: false, incomplete_checks: [] });

    showSite(LINKS, () => true);
    expect(await gate(fixture, await run(fixture))).toMatchObject({ success: true, incomplete_checks: [] });
  });

  it('of one parameter is retested with the request that showed it', async () => {
    const fixture = await createFixture();
    showSite(LINKS);
    await run(fixture);
    const id = (await findingsOf(fixture)).find(({ place }) => place === '/find?term')?.id ?? 0;
    expect(await retest(fixture, id)).toMatchObject({ result: 'still_vulnerable' });
    showSite(LINKS, (_path, parameter) => parameter === 'size');
    expect(await retest(fixture, id)).toMatchObject({ result: 'still_vulnerable' });
    showSite(LINKS, (_path, parameter) => parameter === 'term');
    expect(await retest(fixture, id)).toMatchObject({ result: 'fixed' });
  });

  it('that no page links to any more is tested again all the same', async () => {
    const fixture = await createFixture();
    showSite(LINKS);
    await run(fixture);
    const { site } = target;
    target.site = { ...site, pages: { '/': '<title>Shop</title><h1>Welcome to the shop</h1>' } };
    expect((await gate(fixture, await run(fixture))).description).toContain('3 found by this job');
    showSite(LINKS, () => true);
    target.site = { ...target.site, pages: { '/': '<title>Shop</title><h1>Welcome to the shop</h1>' } };
    expect((await gate(fixture, await run(fixture))).success).toBe(true);
  });

  it('that an earlier version recorded moves to its parameter with its id and status', async () => {
    const fixture = await createFixture();
    showSite(LINKS);
    const id = await recordEarlier(fixture);
    expect((await findingsOf(fixture)).map(({ place }) => place)).toEqual(['/']);
    const changed = await fixture.client.post(`/v1/findings/${id}/status`, { status: 2 });
    expect(changed.status).toBe(200);
    await run(fixture);
    const found = await findingsOf(fixture);
    expect(found).toHaveLength(3);
    expect(found[0]).toEqual({ id, place: '/find?term', status: 2 });
    const { history } = (await fixture.client.get(`/v1/findings/${id}/history`)).body;
    expect(history[0].comment).toBe(`Its location now names the parameter: ${origin()}/find?term`);
    await run(fixture);
    expect(await findingsOf(fixture)).toEqual(found);
    showSite(LINKS, () => true);
    expect(await retest(fixture, id)).toMatchObject({ result: 'fixed' });
  });

  it('that an earlier version recorded and a person set aside stays set aside', async () => {
    const fixture = await createFixture();
    showSite(['/find?term=red']);
    const id = await recordEarlier(fixture);
    expect((await fixture.client.post(`/v1/findings/${id}/status`, { status: 7 })).status).toBe(200);
    const uuid = await run(fixture);
    expect(await findingsOf(fixture)).toEqual([{ id, place: '/find?term', status: 7 }]);
    expect((await gate(fixture, uuid)).success).toBe(true);
  });

  it('that an earlier version recorded is fixed by a retest and by a job', async () => {
    const fixture = await createFixture();
    showSite(LINKS);
    const id = await recordEarlier(fixture);
    showSite(LINKS, () => true);
    expect(await retest(fixture, id)).toMatchObject({ result: 'fixed' });
    const other = await createFixture();
    showSite(LINKS);
    await recordEarlier(other);
    showSite(LINKS, () => true);
    expect((await gate(other, await run(other))).success).toBe(true);
  });

  it('of more than twenty parameters of one template of pages is one finding that lists them', async () => {
    const fixture = await createFixture();
    const products = Array.from({ length: 21 }, (_none, at) => `/product/${at + 1}?tab=info`);
    showSite(products);
    await run(fixture);
    const found = await findingsOf(fixture);
    expect(found.map(({ place }) => place)).toEqual(['/product/*?*']);
    const { id = 0 } = found[0] ?? {};
    const finding = (await fixture.client.get(`/v1/findings/${id}/`)).body.findings[0];
    expect(finding.md).toContain('21 pages repeat their input as HTML: /product/1 (parameter tab), /product/2');

    showSite(products, (path) => path === '/product/1');
    expect(await retest(fixture, id)).toMatchObject({ result: 'still_vulnerable' });
    await run(fixture);
    expect(await findingsOf(fixture)).toEqual(found);
    showSite(products, () => true);
    expect(await retest(fixture, id)).toMatchObject({ result: 'fixed' });
    expect((await gate(fixture, await run(fixture))).success).toBe(true);
  });
});
