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
    ]);
    await make.finding(tenant.id);
    const { text } = await browser.get(`/o/${tenant.id}`);
    expect(plain(sectionOf(text, 'Nothing needs you now') ?? '')).toContain('All findings');
    expect(text).toContain('<title>Home (0) · Assay</title>');
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
