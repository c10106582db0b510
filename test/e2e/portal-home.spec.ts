import { parse } from 'csv-parse/sync';
import { FindingOverviewService } from '../../src/modules/findings';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const browserOf = async (tenant: Tenant, role: Parameters<Tenant['as']>[0]): Promise<Browser> =>
  signedInAs(api, portal, await tenant.as(role));

/** The text of a page without markup. */
const plain = (html: string): string =>
  html
    .replace(/<style[^]*?<\/style>|<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The section of a page with this heading. */
const sectionOf = (html: string, heading: string): string | undefined =>
  html.match(/<section[^]*?<\/section>/g)?.find((section) => plain(section).startsWith(heading));

const linksOf = (html = ''): string[] =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

describe('the home of an organization', () => {
  it('says what to do first where nothing is tested, and that nothing is to do where all is well', async () => {
    const tenant = await make.organization();
    const browser = await browserOf(tenant, 'viewer');
    const empty = await browser.get(`/o/${tenant.id}`);
    expect(empty.status).toBe(200);
    expect(linksOf(sectionOf(empty.text, 'Nothing is tested yet'))).toEqual([
      `/o/${tenant.id}/domains`,
      `/o/${tenant.id}/scans`,
      `/o/${tenant.id}/imports`,
    ]);
    await make.finding(tenant.id);
    const { text } = await browser.get(`/o/${tenant.id}`);
    expect(plain(sectionOf(text, 'Nothing needs you now') ?? '')).toContain('All findings');
    expect(text).toContain('<title>Home (0) · Assay</title>');
  });

  it('lets admins turn on observation where it is off', async () => {
    const tenant = await make.organization();
    await make.asset(tenant.id);
    const admin = await browserOf(tenant, 'admin');
    const shownTo = async (browser: Browser): Promise<boolean> =>
      sectionOf((await browser.get(`/o/${tenant.id}`)).text, 'Observation is off') !== undefined;
    expect(await shownTo(admin)).toBe(false);
    await query('UPDATE organizations SET observation_enabled = false WHERE id = $1', [tenant.id]);
    expect([await shownTo(admin), await shownTo(await browserOf(tenant, 'member'))]).toEqual([true, false]);
    expect((await admin.submit(`/o/${tenant.id}`, `/o/${tenant.id}/observation`)).status).toBe(303);
    expect((await admin.get(`/o/${tenant.id}`)).text).toContain('Observation was turned on.');
    expect(await shownTo(admin)).toBe(false);
  });

  it('shows findings that wait for a retest, five at most, with their count and a link to all', async () => {
    const tenant = await make.organization();
    const ids: number[] = [];
    for (let number = 0; number < 7; number++) ids.push((await make.finding(tenant.id)).id);
    await query('UPDATE findings SET status = 4 WHERE id = ANY($1)', [ids]);
    const { text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}`);
    const section = sectionOf(text, 'Waiting for a retest 7');
    const all = `/o/${tenant.id}/findings?status=4`;
    const newest = ids.toReversed().slice(0, 5);
    expect(linksOf(section)).toEqual([...newest.map((id) => `/o/${tenant.id}/findings/${id}`), all]);
    expect(text).toContain('<title>Home (7) · Assay</title>');
  });

  it('shows overdue findings, the longest overdue first, and none that is fixed', async () => {
    const tenant = await make.organization();
    const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const ids: number[] = [];
    for (const days of [1, 9, -3, 5]) {
      const { id } = await make.finding(tenant.id);
      await query('UPDATE findings SET due_date = $2 WHERE id = $1', [id, dayBefore(days)]);
      ids.push(id);
    }
    await query('UPDATE findings SET status = 5 WHERE id = $1', [ids[3]]);
    const { text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}`);
    const section = sectionOf(text, 'Overdue 2');
    expect(plain(section ?? '')).toContain('9 days late');
    expect(linksOf(section)).toEqual([
      ...[ids[1], ids[0]].map((id) => `/o/${tenant.id}/findings/${id}`),
      `/o/${tenant.id}/findings?overdue=true&sort=due_date`,
    ]);
  });

  it('shows what was resolved and found again, and not what is open for the first time', async () => {
    const tenant = await make.organization();
    const again = await make.finding(tenant.id);
    await make.finding(tenant.id);
    const { client } = await tenant.as('member');
    for (const status of [5, 1]) await client.post(`/v1/findings/${again.id}/status`, { status });
    const { text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}`);
    const section = sectionOf(text, 'Reopened 1');
    expect(linksOf(section)[0]).toBe(`/o/${tenant.id}/findings/${again.id}`);
  });

  it('shows acceptances that end within two weeks, the next first', async () => {
    const tenant = await make.organization();
    const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    const ends = [12, 3, 30].map(inDays);
    const ids: number[] = [];
    for (const end of ends) {
      const { id } = await make.finding(tenant.id);
      await query('UPDATE findings SET status = 6, previous_status = 1, accepted_until = $2 WHERE id = $1', [id, end]);
      ids.push(id);
    }
    const { text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}`);
    const links = linksOf(sectionOf(text, 'Acceptances that end soon 2'));
    expect(links).toEqual([
      ...[ids[1], ids[0]].map((id) => `/o/${tenant.id}/findings/${id}`),
      `/o/${tenant.id}/findings?status=6`,
    ]);
  });

  it('shows an open finding whose last retest could not decide, until a later one does', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const { client } = await tenant.as('admin');
    const judge = async (result: string): Promise<void> => {
      await client.post(`/v1/findings/${id}/retest/`);
      await client.post(`/v1/findings/${id}/retest/verdict`, { result, comment: 'The host is down.' });
    };
    const browser = await browserOf(tenant, 'viewer');
    await judge('inconclusive');
    const section = sectionOf((await browser.get(`/o/${tenant.id}`)).text, 'Retests without a result 1');
    expect(plain(section ?? '')).toContain('The host is down.');
    await judge('still_vulnerable');
    expect((await browser.get(`/o/${tenant.id}`)).text).not.toContain('Retests without a result');
  });

  it('shows beacons that do not report, and domains without proof', async () => {
    const tenant = await make.organization();
    const [late, , healthy] = [
      await make.beacon(tenant.id),
      await make.beacon(tenant.id),
      await make.beacon(tenant.id),
    ];
    await query(`UPDATE beacons SET status = 3, last_report = now() - interval '1 day' WHERE id = $1`, [late.id]);
    await query('UPDATE beacons SET status = 1, last_report = now() WHERE id = $1', [healthy.id]);
    const lost = await make.domain(tenant.id);
    const proven = await make.domain(tenant.id, { verified: true });
    const failing = await make.domain(tenant.id, { verified: true });
    await query('UPDATE domains SET misses = 1 WHERE id = $1', [failing.id]);
    const { text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}`);
    expect(plain(sectionOf(text, 'Beacons that do not report 1') ?? '')).toContain('offline, last report');
    const domains = plain(sectionOf(text, 'Domains without proof 2') ?? '');
    expect(domains).toContain(`${lost.value} its record was not found yet`);
    expect(domains).toContain(`${failing.value} the last lookups did not find its record`);
    expect(domains).not.toContain(proven.value);
  });
});

describe('the overview', () => {
  /** The rows of the table with this heading in its first column, without the head. */
  const rowsOf = (html: string, heading: string): string[] =>
    (sectionOf(html, heading)?.match(/<tr>[^]*?<\/tr>/g) ?? []).slice(1).map(plain);

  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

  it('says what to do where there are no findings, and leads to what needs a person', async () => {
    const tenant = await make.organization();
    const { status, text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}/overview`);
    expect([status, plain(text)]).toEqual([200, expect.stringContaining('No numbers yet')]);
    expect(linksOf(text)).toContain(`/o/${tenant.id}`);
  });

  it('counts what is open by severity, age and week, what was fixed, how long it took, and who showed it', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const asset = { ...(await make.asset(tenant.id)), tier: null };
    const drafts = (['critical', 'high', 'high', 'low'] as const).map((severity) => ({ severity, asset }));
    const ids: number[] = [];
    for (const draft of drafts) ids.push((await make.finding(tenant.id, draft)).id);
    const [old, byHand, byTest] = ids;
    for (const id of [byHand, byTest]) await client.post(`/v1/findings/${id}/status`, { status: 5 });
    await query(`UPDATE finding_history SET actor_type = 'system' WHERE finding_id = $1 AND status = 5`, [byTest]);
    for (const [id, created] of [
      [old, 100],
      [byHand, 30],
      [byTest, 24],
    ] as const) {
      await query('UPDATE findings SET created = $2 WHERE id = $1', [id, daysAgo(created)]);
      await query('UPDATE finding_history SET created = $2 WHERE finding_id = $1 AND previous_status IS NULL', [
        id,
        daysAgo(created),
      ]);
    }
    await query('UPDATE finding_history SET created = $2 WHERE finding_id = ANY($1) AND status = 5', [
      [byHand, byTest],
      daysAgo(20),
    ]);
    const { text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}/overview`);
    const figures = plain(/<dl class="figures">[^]*?<\/dl>/.exec(text)?.[0] ?? '');
    expect(figures).toContain('Median time to fix 7 days Mean time to fix 7 days Verified fixes 50 %');
    expect(figures).toContain('1 of 2 shown by a test');
    expect(rowsOf(text, '1 of 2 open findings is older than 90 days')).toEqual(['Critical 0 0 0 1', 'Low 1 0 0 0']);
    const weeks = rowsOf(text, '3 found and 2 fixed in 12 weeks');
    expect(weeks.map((row) => row.split(' ').slice(-2).join(' '))).toEqual([
      ...Array.from({ length: 7 }, () => '0 0'),
      '1 0',
      '1 0',
      '0 2',
      '0 0',
      '1 0',
    ]);
    const open = rowsOf(text, 'Open findings rose from 1 to 2 in 11 weeks');
    expect(open.map((row) => row.split(' ').slice(-3).join(' ')).slice(-6)).toEqual([
      '0 0 1',
      '0 1 1',
      '0 2 1',
      '0 0 1',
      '0 0 1',
      '1 0 1',
    ]);
    expect(rowsOf(text, `${asset.value} has the highest risk, 7.2 of 10.0`)).toEqual([`${asset.value} 7.2 2`]);
    // The page of the asset has the same weeks, and none of another asset.
    await make.finding(tenant.id, { severity: 'critical' });
    const page = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}/assets/${asset.id}`);
    expect(rowsOf(page.text, 'Open findings rose from 1 to 2 in 11 weeks')).toEqual(open);
  });

  it('of an asset with very many findings is left to the overview', async () => {
    const tenant = await make.organization();
    const asset = { ...(await make.asset(tenant.id)), tier: null };
    await make.finding(tenant.id, { asset });
    const browser = await browserOf(tenant, 'viewer');
    const addMany = (count: number): Promise<unknown> =>
      query(
        `INSERT INTO findings (organization_id, asset_id, asset_value, title, severity, priority, fingerprint)
         SELECT $1, $2, $3, 'Finding', 3, 3, sha256(convert_to($4 || number::text, 'UTF8'))
         FROM generate_series(1, $4) number`,
        [tenant.id, asset.id, asset.value, count],
      );
    const sectionWith = async (heading: string): Promise<string> =>
      sectionOf((await browser.get(`/o/${tenant.id}/assets/${asset.id}`)).text, heading) ?? '';
    await addMany(1_999);
    expect(plain(await sectionWith('Open findings rose from 1999 to 2000'))).toContain('Show the numbers');
    await addMany(1);
    const tooMany = await sectionWith('Open findings over time');
    expect(linksOf(tooMany)).toEqual([`/o/${tenant.id}/overview`]);
  });

  it('of very many findings is stored, and computed again by a task when something has changed', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { id } = await make.finding(tenant.id, { severity: 'critical' });
    await query(
      `INSERT INTO findings (organization_id, asset_value, title, severity, priority, fingerprint)
       SELECT $1, 'example.com', 'Finding ' || number, 3, 3, sha256(convert_to(number::text, 'UTF8'))
       FROM generate_series(1, 20000) number`,
      [tenant.id],
    );
    const browser = await browserOf(tenant, 'viewer');
    const critical = async (): Promise<string | undefined> =>
      rowsOf((await browser.get(`/o/${tenant.id}/overview`)).text, '0 of 2').find((row) => row.startsWith('Critical'));
    expect(await critical()).toBe('Critical 1 0 0 0');
    await client.post(`/v1/findings/${id}/status`, { status: 5 });
    expect(await critical()).toBe('Critical 1 0 0 0');
    const refresh = api.app.get(FindingOverviewService);
    await refresh.refresh(100);
    expect(await critical()).toBe('Critical 1 0 0 0');
    await query(`UPDATE finding_overviews SET computed = computed - interval '11 minutes' WHERE organization_id = $1`, [
      tenant.id,
    ]);
    await refresh.refresh(100);
    expect(await critical()).toBeUndefined();
  });
});

describe('the audit log', () => {
  const entriesOf = (html: string): string[] =>
    [...html.matchAll(/<code>([a-z_]+\.[a-z_]+)<\/code>/g)].map(([, operation = '']) => operation);

  /** An organization in which one admin has changed the status of a finding. */
  async function withHistory() {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    await query(`UPDATE users SET name = 'Akiko Ito' WHERE id = $1`, [admin.userId]);
    const { id } = await make.finding(tenant.id);
    for (const status of [3, 99])
      await admin.client.post(`/v1/findings/${id}/status`, { status, comment: '=HYPERLINK("http://evil.example")' });
    return { tenant, admin, id, page: `/o/${tenant.id}/audit` };
  }

  it('shows who did what, by name, filters by all of it, and records that it was read', async () => {
    const { tenant, admin, id, page } = await withHistory();
    const browser = await browserOf(tenant, 'owner');
    const { text } = await browser.get(page);
    expect(entriesOf(text)).toContain('session.create');
    expect(plain(text)).toContain('Akiko Ito finding.status_update');
    expect(text).toContain(`<a href="/o/${tenant.id}/findings/${id}">${id}</a>`);
    const read = async (parameters: string): Promise<string[]> =>
      entriesOf((await browser.get(`${page}?${parameters}`)).text);
    expect(new Set(await read('operation=finding.status_update&actor_id='))).toEqual(
      new Set(['finding.status_update']),
    );
    expect(await read(`actor_id=${admin.userId}&status=failure`)).toEqual(['finding.status_update']);
    expect(await read(`resource_type=finding&resource_id=${id}&status=success`)).toEqual(['finding.status_update']);
    expect(await read('end_date=2020-01-01')).toEqual([]);
    expect(new Set(await read('operation=audit_log.list'))).toEqual(new Set(['audit_log.list']));
    const refused = await browser.get(`${page}?status=perhaps`);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('status must be one of')]);
  });

  it('names and links the records, and of a retest the finding', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const { id: assetId, value } = await make.asset(tenant.id);
    const { id } = await make.finding(tenant.id);
    await admin.client.post(`/v1/findings/${id}/retest/`);
    const { text } = await (await browserOf(tenant, 'admin')).get(`/o/${tenant.id}/audit`);
    expect(text).toContain(`Asset <a href="/o/${tenant.id}/assets/${assetId}">${value}</a>`);
    expect(text).toContain(`Retest of finding <a href="/o/${tenant.id}/findings/${id}">${id}</a>`);
  });

  it('has pages, whose links keep the filters', async () => {
    const { tenant, page } = await withHistory();
    const browser = await browserOf(tenant, 'admin');
    const first = await browser.get(`${page}?per_page=1&operation=finding.status_update`);
    const next = linksOf(first.text).find((link) => link.includes('after='));
    const second = await browser.get(next ?? '');
    expect([entriesOf(first.text), entriesOf(second.text)]).toEqual([
      ['finding.status_update'],
      ['finding.status_update'],
    ]);
    expect(/region" aria-label="Entry ([^"]*)/.exec(first.text)?.[1]).not.toBe(
      /region" aria-label="Entry ([^"]*)/.exec(second.text)?.[1],
    );
  });

  it('is downloaded as CSV without formulas and as NDJSON, with its filters and beyond one page', async () => {
    const { tenant, page } = await withHistory();
    // More than one piece of the download.
    await query(
      `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
         resource_type, resource_id, status, metadata)
       SELECT ('0190a3f4-5c00-7c3e-9d0b-' || lpad(to_hex(number), 12, '0'))::uuid, '2024-07-11T00:00:00Z', $1, 'user', '1',
         'test.fill', 'findings', 'finding', '=cmd()' || number, 'success', '{"comment": "=1+1"}'
       FROM generate_series(1, 2300) number`,
      [tenant.id],
    );
    const browser = await browserOf(tenant, 'admin');
    const { text } = await browser.get(`${page}?operation=test.fill`);
    // They are no ids.
    expect(text).not.toContain(`href="/o/${tenant.id}/findings/`);
    const [csvLink = '', ndjsonLink = ''] = linksOf(text).filter((link) => link.includes('/export?'));
    const csv = await browser.get(csvLink);
    expect([csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      `attachment; filename="audit-log-${tenant.id}.csv"`,
    ]);
    const rows = parse<Record<string, string>>(csv.text, { columns: true, bom: true });
    expect(rows).toHaveLength(2300);
    expect(rows[0]).toMatchObject({ operation: 'test.fill', resource_id: "'=cmd()2300" });
    const lines = (await browser.get(ndjsonLink)).text.trimEnd().split('\n');
    expect(lines).toHaveLength(2300);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ resource_id: '=cmd()1', metadata: { comment: '=1+1' } });
    const log = await browser.get(`${page}?operation=audit_log.list`);
    expect(entriesOf(log.text).length).toBeGreaterThanOrEqual(3);
  });

  it('is for admins: others do not see its link, and are refused', async () => {
    const { tenant, page } = await withHistory();
    const member = await browserOf(tenant, 'member');
    expect((await member.get(`/o/${tenant.id}`)).text).not.toContain(`href="${page}"`);
    expect([(await member.get(page)).status, (await member.get(`${page}/export`)).status]).toEqual([403, 403]);
    const admin = await browserOf(tenant, 'admin');
    expect((await admin.get(`/o/${tenant.id}`)).text).toContain(`href="${page}"`);
  });
});

describe('the breadcrumb', () => {
  it('has the organization and the section above a record', async () => {
    const tenant = await make.organization();
    const { id, value } = await make.asset(tenant.id);
    const browser = await browserOf(tenant, 'viewer');
    const home = `/o/${tenant.id}`;
    const breadcrumbOf = async (path: string): Promise<[string, string[]]> => {
      const nav = /<nav class="breadcrumb"[^]*?<\/nav>/.exec((await browser.get(home + path)).text)?.[0] ?? '';
      return [plain(nav), linksOf(nav)];
    };
    expect(await breadcrumbOf(`/assets/${id}`)).toEqual([`${tenant.name} Assets ${value}`, [home, `${home}/assets`]]);
    expect(await breadcrumbOf('/assets')).toEqual([`${tenant.name} Assets`, [home]]);
    expect(await breadcrumbOf('/overview')).toEqual([`${tenant.name} Overview`, [home]]);
  });
});
