import { Client as Connection } from 'pg';
import { useApi } from '../support/api';
import { query, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, uniqueDomain } from '../support/factories';
import { imported } from '../support/imports';
import { planOf } from '../support/plans';
import { Browser, signedInAs, usePortal } from '../support/portal';
import { useWorkerProcess } from '../support/processes';
import { statementsOf } from '../support/statements';

const api = useApi();
useWorkerProcess();
const portal = usePortal(api);
const make = new Factories(api);

async function fixture() {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const list = `/v1/organizations/${tenant.id}/assets/`;
  const add = async (labels?: string[], value = uniqueDomain()): Promise<number> =>
    (await client.post('/v1/assets/', { asset_value: value, asset_type: 'domain', labels })).body.id;
  const idsWith = async (filter: string): Promise<number[]> =>
    (await client.get(`${list}?${filter}`)).body.assets.map(({ id }: { id: number }) => id);
  return { tenant, client, list, add, idsWith };
}

describe('the labels of an asset', () => {
  it('are set when it is added, changed and removed, with the rules of the labels of findings', async () => {
    const { client, list, add } = await fixture();
    const id = await add([' Shop ', 'PCI', 'pci']);
    const path = `/v1/assets/${id}`;
    expect((await client.get(path)).body.labels).toEqual(['pci', 'shop']);
    expect((await client.get(list)).body.assets[0].labels).toEqual(['pci', 'shop']);
    expect((await client.patch(path, { labels: ['Straße'] })).body.labels).toEqual(['strasse']);
    expect((await client.patch(path, { tier: 1 })).body).toMatchObject({ labels: ['strasse'], tier: 1 });
    expect((await client.patch(path, { labels: [] })).body.labels).toEqual([]);
    const { audit_logs } = (await client.get(`/v1/audit-logs/?resource_type=asset&resource_id=${id}`)).body;
    const metadata = audit_logs.map((entry: { metadata: object }) => entry.metadata);
    expect(metadata[3]).toMatchObject({ labels: ['pci', 'shop'] });
    expect(metadata[2]).toMatchObject({ from: { labels: ['pci', 'shop'] }, to: { labels: ['strasse'] } });
  });

  it.each([
    [Array.from({ length: 21 }, (_one, index) => `label ${index}`), 'labels must be at most 20.'],
    [['x'.repeat(41)], 'labels must have 1 to 40 characters each, without control characters.'],
    [[' '], 'labels must have 1 to 40 characters each, without control characters.'],
    [['a\nb'], 'labels must have 1 to 40 characters each, without control characters.'],
    ['shop', 'labels must be a list of strings.'],
    [null, 'labels must be a list of strings.'],
  ])('are refused: case %#', async (labels, sentence) => {
    const { client, add } = await fixture();
    const id = await add();
    const changed = await client.patch(`/v1/assets/${id}`, { labels });
    expect([changed.status, changed.body.description]).toEqual([400, sentence]);
    const added = await client.post('/v1/assets/', { asset_value: uniqueDomain(), asset_type: 'domain', labels });
    expect([added.status, added.body.description]).toEqual([400, sentence]);
    expect((await client.get(`/v1/assets/${id}`)).body.labels).toEqual([]);
  });

  it('are written by admins alone', async () => {
    const { tenant, client, add } = await fixture();
    const id = await add(['pci']);
    const member = (await tenant.as('member')).client;
    for (const labels of [[], ['pci'], ['shop']])
      expect((await member.patch(`/v1/assets/${id}`, { tier: 2, labels })).status).toBe(403);
    const draft = { asset_value: uniqueDomain(), asset_type: 'domain' };
    expect((await member.post('/v1/assets/', { ...draft, labels: ['shop'] })).status).toBe(403);
    expect((await member.post('/v1/assets/', { ...draft, labels: [] })).status).toBe(201);
    expect((await client.get(`/v1/assets/${id}`)).body).toMatchObject({ tier: null, labels: ['pci'] });
  });

  it('filter the list, in any case, together with other filters and by pages', async () => {
    const { tenant, client, list, add, idsWith } = await fixture();
    const [one, two, three] = [await add(['pci', 'shop']), await add(['shop']), await add()];
    expect(await idsWith('label=shop')).toEqual([two, one]);
    expect(await idsWith('label=PCI')).toEqual([one]);
    expect(await idsWith('label=other')).toEqual([]);
    expect(await idsWith(`label=${tenant.id}`)).toEqual([]);
    await client.patch(`/v1/assets/${two}`, { tier: 2 });
    expect(await idsWith('label=shop&tier=2')).toEqual([two]);
    expect(await idsWith('label=shop&per_page=1&page=2')).toEqual([one]);
    expect((await client.get(`${list}?label=shop&count=true&per_page=1`)).headers.get('x-total-count')).toBe('2');
    expect(await idsWith('')).toEqual([three, two, one]);
    const refused = await client.get(`${list}?label=${'x'.repeat(41)}`);
    expect([refused.status, refused.body.description]).toEqual([
      400,
      expect.stringContaining('label must have 1 to 40'),
    ]);
    const other = await fixture();
    await other.add(['shop']);
    expect(await idsWith('label=shop')).toEqual([two, one]);
  });

  it('are found by the index, which skips the labels of other organizations', async () => {
    const { tenant, client, list } = await fixture();
    const other = await make.organization();
    await query(
      `INSERT INTO assets (organization_id, value, type, labels)
       SELECT CASE WHEN n % 2 = 0 THEN $1::int ELSE $2::int END, 'n' || n || '.example', 'domain', ARRAY['common', 'n' || n]
       FROM generate_series(1, 20000) n`,
      [tenant.id, other.id],
    );
    await query('ANALYZE assets');
    const statements = await statementsOf(async () => {
      expect((await client.get(`${list}?label=n4242`)).body.assets).toHaveLength(1);
    });
    const statement = statements.find(({ text }) => text.includes('array_append(a.labels'));
    const database = new Connection({ connectionString: (await testDatabase()).ownerUrl });
    await database.connect();
    try {
      const plan = await planOf(database, statement ?? { text: 'SELECT 1', values: [] });
      expect(plan.map((node) => node['Index Name'])).toContain('ix_assets_labels');
    } finally {
      await database.end();
    }
  });
});

describe('an import that adds assets', () => {
  const fileOn = (host: string): Blob =>
    new Blob([`title,severity,url\nWeak,low,https://${host}/\n`], { type: 'text/csv' });

  it('labels those that it adds, and no others', async () => {
    const { tenant, client, add, idsWith } = await fixture();
    const known = uniqueDomain();
    const id = await add(['shop'], known);
    const at = { client, path: `/v1/organizations/${tenant.id}/imports` };
    const options = '?unknown_assets=add&asset_labels=Supplier,%20pci';
    const host = uniqueDomain();
    for (const one of [host, known])
      expect(await imported(at, fileOn(one), options)).toMatchObject({
        status: 'FINISHED',
        asset_labels: ['pci', 'supplier'],
        rows: { new: 1 },
      });
    const [added, ...others] = await idsWith('label=supplier');
    expect(others).toEqual([]);
    expect((await client.get(`/v1/assets/${added}`)).body).toMatchObject({ value: host, labels: ['pci', 'supplier'] });
    expect((await client.get(`/v1/assets/${id}`)).body.labels).toEqual(['shop']);
    const { audit_logs } = (await client.get(`/v1/audit-logs/?operation=asset.create&resource_id=${added}`)).body;
    expect(audit_logs[0].metadata.labels).toEqual(['pci', 'supplier']);
  });

  const refusal = async (role: 'member' | 'admin', options: string) => {
    const tenant: Tenant = await make.organization();
    const { client } = await tenant.as(role);
    const answer = await client.post(`/v1/organizations/${tenant.id}/imports${options}`, fileOn(uniqueDomain()));
    return [answer.status, answer.body.description];
  };

  it('labels them for admins alone', async () => {
    const refused = await refusal('member', '?unknown_assets=add&asset_labels=pci');
    expect(refused).toEqual([403, expect.stringContaining('This needs the role admin')]);
  });

  it.each([
    ['?asset_labels=pci', 'asset_labels is only for unknown_assets=add'],
    [`?unknown_assets=add&asset_labels=${'x'.repeat(41)}`, 'asset_labels must have 1 to 40 characters'],
  ])('is refused: %s', async (options, sentence) => {
    expect(await refusal('admin', options)).toEqual([400, expect.stringContaining(sentence)]);
  });
});

describe('the portal', () => {
  const textOf = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const browserOf = async (tenant: Tenant, role: Parameters<Tenant['as']>[0]): Promise<Browser> =>
    signedInAs(api, portal, await tenant.as(role));

  it('shows and filters labels, which admins change', async () => {
    const { tenant, client, add } = await fixture();
    const [id, other] = [await add(), await add()];
    const [admin, member] = [await browserOf(tenant, 'admin'), await browserOf(tenant, 'member')];
    const [list, page] = [`/o/${tenant.id}/assets`, `/o/${tenant.id}/assets/${id}`];
    expect((await admin.submit(page, `${page}/labels`, { labels: 'Shop & <co>, PCI' })).status).toBe(303);
    expect((await client.get(`/v1/assets/${id}`)).body.labels).toEqual(['pci', 'shop & <co>']);
    const shown = (await member.get(page)).text;
    expect(shown).toContain(`href="${list}?label=shop+%26+%3Cco%3E"`);
    expect(shown).not.toContain(`action="${page}/labels"`);
    const filtered = (await member.get(`${list}?label=pci`)).text;
    expect([filtered.includes(`href="${page}"`), filtered.includes(`href="${list}/${other}"`)]).toEqual([true, false]);
    expect(filtered).toContain('value="pci"');
    expect(textOf((await member.get(`${list}?label=none`)).text)).toContain('No asset matches');
    const csrf = /name="csrf" value="([^"]*)"/.exec(shown)?.[1] ?? '';
    expect((await member.post(`${page}/labels`, { csrf, labels: 'x' })).status).toBe(403);
    const refused = await admin.submit(page, `${page}/labels`, { labels: 'x'.repeat(41) });
    expect([refused.status, textOf(refused.text)]).toEqual([400, expect.stringContaining('Labels must have 1 to 40')]);
    expect((await admin.submit(page, `${page}/labels`, { labels: '' })).status).toBe(303);
    expect((await client.get(`/v1/assets/${id}`)).body.labels).toEqual([]);
  });

  it('labels the hosts that an import adds, for admins', async () => {
    const { tenant, idsWith } = await fixture();
    const [admin, member] = [await browserOf(tenant, 'admin'), await browserOf(tenant, 'member')];
    const page = `/o/${tenant.id}/imports`;
    expect((await member.get(page)).text).not.toContain('name="asset_labels"');
    const file = new File([`title,severity,url\nWeak,low,https://${uniqueDomain()}/\n`], 'findings.csv');
    const sent = await admin.upload(page, page, { unknown_assets: 'add', asset_labels: 'supplier' }, file);
    expect(sent.status).toBe(303);
    const shown = await admin.get(sent.headers.get('location') ?? '');
    expect(textOf(shown.text)).toContain('Labels of added hosts supplier');
    await eventually(async () => expect(await idsWith('label=supplier')).toHaveLength(1));
  });
});
