import { randomUUID } from 'node:crypto';
import { titleKeyOf } from '../../src/modules/findings/domain/fingerprint';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const asset = (value: string) => ({ id: null, value, tier: null });

/** Findings with one title on many hosts. One is proved, and one is refuted. */
async function withEqual(tenant: Tenant, title: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at++)
    ids.push((await make.finding(tenant.id, { title, severity: 'medium', asset: asset(`${at}.example.com`) })).id);
  await query(`UPDATE findings SET verification = 'confirmed' WHERE id = $1`, [ids[0]]);
  await query(`UPDATE findings SET verification = 'refuted' WHERE id = $1`, [ids[1]]);
  return ids;
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The text of each row of the list. */
const rowsOf = (html: string): string[] =>
  [...(/<tbody>[^]*<\/tbody>/.exec(html)?.[0] ?? '').matchAll(/<tr[^>]*>([^]*?)<\/tr>/g)].map(([, row = '']) =>
    textOf(row),
  );

const hrefIn = (html: string, pattern: RegExp): string =>
  (pattern.exec(html)?.[1] ?? 'no link').replaceAll('&amp;', '&').replace(/#.*/, '');

const browserOf = async (tenant: Tenant, role: Parameters<Tenant['as']>[0]) =>
  signedInAs(api, portal, await tenant.as(role));

describe('the parameter title', () => {
  it('selects the findings with this title in any case and spacing, in this organization alone', async () => {
    const [tenant, other] = [await make.organization(), await make.organization()];
    const ids = await withEqual(tenant, 'Missing header', 2);
    ids.push((await make.finding(tenant.id, { title: 'missing  HEADER', asset: asset('x.example.com') })).id);
    await make.finding(tenant.id, { title: 'Missing header X' });
    await withEqual(other, 'Missing header', 2);
    const viewer = await tenant.as('viewer');
    const list = (rest: string) => viewer.client.get(`/v1/organizations/${tenant.id}/findings/?${rest}`);
    const idsOf = async (rest: string) => (await list(rest)).body.findings.map(({ id }: { id: number }) => id);
    for (const order of ['', '&sort=priority', '&sort=severity', '&sort=due_date'])
      expect((await idsOf(`title=Missing%20Header${order}`)).toSorted()).toEqual(ids.toSorted());
    expect(await idsOf('title=Missing%20Header&belief=proved')).toEqual([ids[0]]);
    expect((await list(`title=${'x'.repeat(501)}`)).status).toBe(400);
    const stranger = (await other.as('owner')).client;
    expect((await stranger.get(`/v1/organizations/${tenant.id}/findings/?title=Missing%20header`)).status).toBe(404);
    // A script changes the same findings, if the role allows it.
    const path = `/v1/organizations/${tenant.id}/findings/selections?title=missing%20header`;
    const action = { add_labels: ['shop'] };
    expect((await viewer.client.post(path, { action })).status).toBe(403);
    const selected = await (await tenant.as('member')).client.post(path, { action });
    expect([selected.status, selected.body.findings]).toEqual([201, 3]);
  });

  it('follows an edited title, and finds a title from before an upgrade after a worker has added its digest', async () => {
    const tenant = await make.organization();
    const [first = 0, second = 0] = await withEqual(tenant, 'Before the upgrade', 2);
    const { client } = await tenant.as('member');
    const found = async (title: string) =>
      (await client.get(`/v1/organizations/${tenant.id}/findings/?title=${title}`)).body.findings.length;
    expect((await client.patch(`/v1/findings/${second}/`, { title: 'Edited' })).status).toBe(200);
    expect([await found('Before the upgrade'), await found('edited')]).toEqual([1, 1]);
    await query('UPDATE findings SET title_key = NULL WHERE id = ANY($1)', [[first, second]]);
    expect([await found('Before the upgrade'), await found('edited')]).toEqual([0, 0]);
    const browser = await browserOf(tenant, 'viewer');
    const list = `/o/${tenant.id}/findings`;
    expect(rowsOf((await browser.get(list)).text)).toHaveLength(2);
    const claim = { id: '1', kind: 'finding.beliefs', reference: 'upgrade', attempt: 1, failures: 0 };
    const owner = { organizationId: null, integratorId: null, assetId: null, eventId: null };
    const handler = api.app.get(WorkRegistry).handlerOf('finding.beliefs');
    await handler.perform({ ...claim, ...owner }, new AbortController().signal);
    expect([await found('Before the upgrade'), await found('edited')]).toEqual([1, 1]);
  });
});

describe('equal findings', () => {
  it('are one row with their number, assets and beliefs, of one organization and without merged ones', async () => {
    const [tenant, other] = [await make.organization(), await make.organization()];
    const title = 'A missing header';
    const ids = await withEqual(tenant, title, 5);
    await withEqual(other, title, 3);
    const alone = await make.finding(tenant.id, { title: 'Alone', severity: 'low' });
    const on = await make.asset(tenant.id);
    await query('UPDATE findings SET asset_id = $2 WHERE id = ANY($1)', [ids.slice(0, 3), on.id]);
    await query('UPDATE findings SET severity = 5, priority = 1 WHERE id = $1', [ids[2]]);
    await query('UPDATE findings SET merged_into = $2 WHERE id = $1', [ids[4], ids[3]]);
    const browser = await browserOf(tenant, 'viewer');
    const list = `/o/${tenant.id}/findings`;
    const { text } = await browser.get(list);
    const [group = '', single = '', ...others] = rowsOf(text);
    expect(group).toBe(`Critical P1 Proved 1 Untestable 2 Refuted 1 ${title} 4 findings 1 asset`);
    expect([single, others]).toEqual([expect.stringContaining('Alone'), []]);
    expect(text).toContain(`href="${list}/${alone.id}"`);
    expect(text).toMatch(/<p class="muted total">5 findings/);
    // Without exact counts, the findings that are not proved have one common count.
    expect(rowsOf((await browser.get(`${list}?q=header`)).text)).toEqual([
      group.replace('Untestable 2', 'Not proved 2'),
    ]);
    const severe = rowsOf((await browser.get(`${list}?severity=critical`)).text);
    expect(severe).toEqual([expect.stringContaining(title)]);
    expect(severe[0]).not.toContain('findings');
    const each = await browser.get(hrefIn(text, /<a href="([^"]*)">Show each finding/));
    expect(rowsOf(each.text)).toHaveLength(5);
    expect(rowsOf((await browser.get(hrefIn(each.text, /<a href="([^"]*)">Group equal findings/))).text)).toHaveLength(
      2,
    );
    const stranger = await browserOf(other, 'owner');
    expect((await stranger.get(list)).status).toBe(404);
  });

  it('are expanded in their row, in pages of twenty', async () => {
    const tenant = await make.organization();
    const title = 'Weak TLS';
    await query(
      `INSERT INTO findings (organization_id, asset_value, title, title_key, severity, priority, fingerprint)
       SELECT $1, n || '.example.com', $2, $3, 3, 3, decode(md5(n::text), 'hex') FROM generate_series(1, 45) n`,
      [tenant.id, title, titleKeyOf(title)],
    );
    const urgent = await make.finding(tenant.id, { title: 'Urgent', severity: 'critical' });
    await make.finding(tenant.id, { title: 'Last', severity: 'info' });
    const browser = await browserOf(tenant, 'viewer');
    const closed = (await browser.get(`/o/${tenant.id}/findings`)).text;
    expect(rowsOf(closed)).toHaveLength(3);
    const first = (await browser.get(hrefIn(closed, /href="([^"]*opened[^"]*)"/))).text;
    const rows = rowsOf(first);
    expect(rows[0]).toContain(urgent.title);
    expect(rows[1]).toContain(`${title} 45 findings 1–20 of 45 Next findings`);
    expect(rows.slice(2, -1)).toEqual(Array(20).fill(expect.stringContaining(title)));
    expect(rows.at(-1)).toContain('Last');
    const second = (await browser.get(hrefIn(first, /href="([^"]*part=2[^"]*)"/))).text;
    expect(rowsOf(second)[1]).toContain('21–40 of 45 Previous findings Next findings');
    const third = (await browser.get(hrefIn(second, /href="([^"]*part=3[^"]*)"/))).text;
    expect(rowsOf(third)).toHaveLength(8);
    const assets = (html: string) => textOf(html).match(/\b\d+\. ?example/g) ?? [];
    expect(new Set([first, second, third].flatMap(assets)).size).toBe(45);
    expect(rowsOf((await browser.get(hrefIn(third, /id="group-\d+" href="([^"]*)"/))).text)).toHaveLength(3);
  });

  it('have the position of their first finding in each order, on all pages in both directions', async () => {
    const tenant = await make.organization();
    const titles = Array.from({ length: 7 }, (_, at) => `Title ${at}`);
    for (let number = 0; number < 28; number++) {
      const title = titles[(number * 5) % 7] ?? '';
      const severity = (['low', 'critical', 'high', 'info', 'medium'] as const)[number % 5];
      await make.finding(tenant.id, { title, severity, asset: asset(`${number}.example.com`) });
    }
    await query(
      `UPDATE findings SET verification = CASE id % 4 WHEN 0 THEN 'confirmed' WHEN 1 THEN 'refuted' ELSE 'untested' END,
         due_date = CASE WHEN id % 3 > 0 THEN date '2030-01-01' + id % 11 END WHERE organization_id = $1`,
      [tenant.id],
    );
    const browser = await browserOf(tenant, 'viewer');
    const list = `/o/${tenant.id}/findings?open=false`;
    const titlesOf = (html: string): string[] => rowsOf(html).map((row) => /Title \d/.exec(row)?.[0] ?? '');
    for (const sort of ['', '&sort=priority', '&sort=severity', '&sort=due_date']) {
      const each = titlesOf((await browser.get(`${list}${sort}&grouped=false`)).text);
      const expected = [...new Set(each)];
      const pages: string[] = [];
      let next = `${list}${sort}&per_page=3`;
      for (let page = 0; page < 3; page++) {
        pages.push((await browser.get(next)).text);
        next = hrefIn(pages.at(-1) ?? '', /rel="next" href="([^"]*)"/);
      }
      expect([sort, pages.flatMap(titlesOf), next]).toEqual([sort, expected, 'no link']);
      const back = await browser.get(hrefIn(pages[2] ?? '', /rel="prev" href="([^"]*)"/));
      expect(titlesOf(back.text)).toEqual(expected.slice(3, 6));
      expect(titlesOf((await browser.get(`${list}${sort}&per_page=3&page=2`)).text)).toEqual(expected.slice(3, 6));
    }
  });

  it('are all selected by the checkbox of their row, together with other groups and findings', async () => {
    const tenant = await make.organization();
    const header = await withEqual(tenant, 'Missing header', 4);
    const tls = await withEqual(tenant, 'Weak TLS', 3);
    const left = await withEqual(tenant, 'Left', 2);
    const alone = await make.finding(tenant.id, { title: 'Alone' });
    await query('UPDATE findings SET status = 5 WHERE id = $1', [header[0]]);
    const browser = await browserOf(tenant, 'member');
    const list = `/o/${tenant.id}/findings`;
    const { text } = await browser.get(list);
    const boxOf = (title: string, count: number): string =>
      new RegExp(`value="(group-\\d+)"[^>]*aria-label="Select all ${count}: ${title}"`).exec(text)?.[1] ?? 'no box';
    const boxes = [boxOf('Missing header', 3), boxOf('Weak TLS', 3), String(alone.id)];
    const form = { action: 'add_labels', labels: 'shop' };
    const fields = [...boxes.map((box): [string, string] => ['finding', box]), ...Object.entries(form)];
    const dryRun = await browser.submit(list, `${list}/bulk`, fields);
    const selection = dryRun.headers.get('location') ?? '';
    expect([dryRun.status, textOf((await browser.get(selection)).text)]).toEqual([
      303,
      expect.stringContaining('7 findings would change'),
    ]);
    const items = await query<{ id: number }>(
      `SELECT finding_id AS id FROM finding_selection_items WHERE selection_id = $1 ORDER BY 1`,
      [selection.split('/').at(-1)],
    );
    expect(items.map(({ id }) => id)).toEqual([...header.slice(1), ...tls, alone.id].toSorted((a, b) => a - b));
    expect(left.every((id) => !items.some((item) => item.id === id))).toBe(true);
    for (const finding of ['group-', 'group-x', `group-${'9'.repeat(17)}`, 'all-1'])
      expect((await browser.submit(list, `${list}/bulk`, { finding, ...form })).status).toBe(400);
    const viewer = await browserOf(tenant, 'viewer');
    expect((await viewer.get(list)).text).not.toContain('name="finding"');
  });

  it('have a row each where more than 10,000 match in a large organization, and the page says so', async () => {
    const tenant = await make.organization();
    await query(
      `INSERT INTO findings (organization_id, asset_value, title, title_key, severity, priority, fingerprint)
       SELECT $1, n || '.example.com', 'One', $2, 3, 3, decode(md5(n::text), 'hex') FROM generate_series(1, 10001) n`,
      [tenant.id, titleKeyOf('One')],
    );
    const browser = await browserOf(tenant, 'viewer');
    const list = `/o/${tenant.id}/findings`;
    expect(rowsOf((await browser.get(list)).text)).toEqual([expect.stringContaining('One 10,001 findings')]);
    // A filter that is not in the index of groups reads findings up to the same limit.
    const labeled = async () => (await browser.get(`${list}?belief=untestable`)).text;
    expect(textOf(await labeled())).toContain('Each is a row, because more than 10,000 match or are searched.');
    expect(textOf((await browser.get(`${list}?q=one`)).text)).toContain('Each is a row');
    await query(
      `INSERT INTO stored_rows (organization_id, table_name, rows, bytes) VALUES ($1, 'findings', 150000, 0)`,
      [tenant.id],
    );
    const { text } = await browser.get(list);
    expect([rowsOf(text).length, textOf(text)]).toEqual([
      50,
      expect.stringContaining('because more than 10,000 match'),
    ]);
    await make.finding(tenant.id, { title: 'Two', severity: 'high', jobUuid: randomUUID() });
    expect(rowsOf((await browser.get(`${list}?severity=high`)).text)).toEqual([expect.stringContaining('Two')]);
  });
});
