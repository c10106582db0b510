import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { OverviewRefresh } from '../../src/modules/findings/details/work/overview-refresh';
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
  it('says what was observed where nothing needs attention', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id);
    const { status, text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}`);
    expect([status, text]).toEqual([200, expect.stringContaining('<title>Home (0) · Assay</title>')]);
    expect(plain(sectionOf(text, 'Nothing needs attention now') ?? '')).toMatch(/Checked just now ?: open findings/);
    expect(text).toContain('No critical or high finding is open.');
  });

  it('says how many of the critical findings are proved, and how many more are claimed or cannot be tested', async () => {
    const tenant = await make.organization();
    const browser = await browserOf(tenant, 'viewer');
    const situation = async (): Promise<string> =>
      plain(/<p class="situation">[^]*?<\/p>/.exec((await browser.get(`/o/${tenant.id}`)).text)?.[0] ?? '');
    const claim = await make.finding(tenant.id, { severity: 'critical' });
    await make.finding(tenant.id, { severity: 'high' });
    expect(await situation()).toMatch(/^1 critical is untestable, and none is proved\. 1 high is open\./);
    await make.finding(tenant.id, { severity: 'critical', jobUuid: randomUUID() });
    await make.finding(tenant.id, { severity: 'cosmic', jobUuid: randomUUID() });
    expect(await situation()).toMatch(/^2 critical are proved, 1 more is untestable\. 1 high/);
    await query(`UPDATE findings SET verification_reason = 'Not tested.' WHERE id = $1`, [claim.id]);
    await make.finding(tenant.id, { severity: 'critical' });
    expect(await situation()).toMatch(/^2 critical are proved, 1 more is claimed, 1 more is untestable\. 1 high/);
    await query(`UPDATE findings SET verification = 'refuted' WHERE id = $1`, [claim.id]);
    await make.finding(tenant.id, { severity: 'high', jobUuid: randomUUID() });
    expect(await situation()).toMatch(
      /^2 critical are proved, 1 more is untestable\. 2 high are open, 1 of them proved\./,
    );
    const { text } = await browser.get(`/o/${tenant.id}`);
    expect(plain(text)).toMatch(/Last 7 days Open, high and above \d+ New 6 Fixed 0/);
  });

  it('has a checklist for those who may do its steps, until all are done or an admin ends it', async () => {
    const tenant = await make.organization();
    const home = `/o/${tenant.id}`;
    const stepsFor = async (browser: Browser): Promise<string[]> =>
      linksOf(sectionOf((await browser.get(home)).text, 'First steps'));
    const [viewer, member] = [await browserOf(tenant, 'viewer'), await browserOf(tenant, 'member')];
    const key = '/settings/api';
    await query(
      'UPDATE api_keys SET revoked = now() WHERE user_id IN (SELECT user_id FROM memberships WHERE organization_id = $1)',
      [tenant.id],
    );
    const owner = await browserOf(tenant, 'owner');
    expect([await stepsFor(viewer), await stepsFor(member)]).toEqual([
      [],
      [`${home}/domains`, `${home}/domains`, `${home}/scans`, key],
    ]);
    const { id } = await make.domain(tenant.id);
    expect(await stepsFor(member)).toEqual([`${home}/domains`, `${home}/scans`, key]);
    await query('UPDATE domains SET verified = true WHERE id = $1', [id]);
    expect(await stepsFor(member)).toEqual([`${home}/scans`, key]);
    const text = plain(sectionOf((await owner.get(home)).text, 'First steps') ?? '');
    expect(text).toContain('First steps 4 of 5');
    expect((await member.get(home)).text).not.toContain('checklist/end');
    const ended = await owner.submit(home, `${home}/checklist/end`);
    expect([ended.status, await stepsFor(owner), await stepsFor(member)]).toEqual([303, [], []]);
    const token = /name="csrf" value="([^"]*)"/.exec((await viewer.get(home)).text)?.[1] ?? '';
    expect((await viewer.post(`${home}/checklist/end`, { csrf: token })).status).toBe(403);
  });

  it('links each matter to a list that has exactly its findings', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const browser = await signedInAs(api, portal, admin);
    const finding = async (set: string, severity: 'high' | 'low' = 'low'): Promise<number> => {
      const { id } = await make.finding(tenant.id, { severity });
      await query(`UPDATE findings SET due_date = NULL WHERE id = $1`, [id]);
      if (set !== '') await query(`UPDATE findings SET ${set} WHERE id = $1`, [id]);
      return id;
    };
    const home = `/o/${tenant.id}`;
    await browser.get(home);
    const hourAgo = `visited = now() - interval '1 hour'`;
    await query(`UPDATE finding_preferences SET ${hourAgo} WHERE organization_id = $1`, [tenant.id]);
    for (let number = 0; number < 4; number++) await finding('', 'high');
    await finding(`assignee_id = ${admin.userId}`, 'high');
    await finding('due_date = current_date - 3');
    for (const days of [0, 7]) await finding(`due_date = current_date + ${days}`);
    await finding('due_date = current_date + 8');
    await finding('status = 4');
    await finding(`status = 6, previous_status = 1, accepted_until = now() + interval '3 days'`);
    await finding(`status = 6, previous_status = 1, accepted_until = now() + interval '20 days'`);
    const again = await finding('');
    for (const status of [5, 1]) await admin.client.post(`/v1/findings/${again}/status`, { status });
    await admin.client.post(`/v1/findings/${await finding('')}/status`, { status: 5 });
    await admin.client.post(`/v1/findings/${await finding('')}/retest/`);
    const undecided = await finding('');
    await admin.client.post(`/v1/findings/${undecided}/retest/`);
    await admin.client.post(`/v1/findings/${undecided}/retest/verdict`, { result: 'inconclusive', comment: 'Down.' });
    const { text } = await browser.get(home);
    const expected: Record<string, number> = {
      Overdue: 1,
      'Critical and high, assigned to no one': 4,
      'Assigned to you': 1,
      'Due in 7 days': 2,
      'Found again after a fix this week': 1,
      'Retests that wait for a verdict': 1,
      'Retests without a result': 1,
      'Waiting for a retest': 1,
      'Acceptances that end in 14 days': 1,
      'New since your last visit': 16,
    };
    for (const [title, total] of Object.entries(expected)) {
      const section = sectionOf(text, `${title} ${total}`);
      const [list = '', ...shown] = linksOf(section);
      // After the first three, a link to all.
      expect([title, shown.length]).toEqual([title, Math.min(4, total)]);
      const page = await browser.get(list);
      expect([title, page.text]).toEqual([
        title,
        expect.stringContaining(`<title>Findings (${total}) · Assay</title>`),
      ]);
      for (const link of shown.slice(0, 3)) expect(page.text).toContain(`href="${link}"`);
    }
    const week = /<aside[^]*?<\/aside>/.exec(text)?.[0] ?? '';
    expect(plain(week)).toContain('Open, high and above 5 New 16 Fixed 1');
    for (const [place, total] of [5, 16, 1].entries())
      expect((await browser.get(linksOf(week)[place] ?? '')).text).toContain(`<title>Findings (${total})`);
    expect(plain(text)).toContain(
      '5 high are open. 4 are assigned to no one. 1 is overdue. 16 are new since your last visit.',
    );
    // Another organization, and a person who has never been here.
    const viewer = await browserOf(tenant, 'viewer');
    expect(sectionOf((await viewer.get(home)).text, 'Assigned to you')).toBeUndefined();
    expect(sectionOf((await viewer.get(home)).text, 'New since')).toBeUndefined();
    const other = await browserOf(await make.organization(), 'owner');
    expect((await other.get(home)).status).toBe(404);
  });

  it('links what has failed to lists that have exactly that', async () => {
    const tenant = await make.organization();
    const home = `/o/${tenant.id}`;
    const asset = await make.asset(tenant.id);
    const plainAsset = await make.asset(tenant.id);
    const job = (gate: string | null, age: string) =>
      query(
        `INSERT INTO jobs (uuid, organization_id, url, status, gate, created, started, finished)
         VALUES (gen_random_uuid(), $1, 'https://' || $2 || '.example/', 'FINISHED', $2, now() - $3::interval, now(), now())`,
        [tenant.id, gate, age],
      );
    await job('failed', '1 day');
    await job('failed', '8 days');
    await job('passed', '1 day');
    const [host] = await query<{ id: number }>(
      `INSERT INTO observed_hosts (organization_id, asset_id, address, first_seen, last_seen)
       VALUES ($1, $2, '192.0.2.1', now(), now()) RETURNING id`,
      [tenant.id, asset.id],
    );
    for (const [port, days] of [
      [443, 14],
      [8443, null],
    ])
      await query(
        `INSERT INTO observed_ports (host_id, organization_id, port, state, certificate, certificate_told, first_seen, last_seen)
         VALUES ($1, $2, $3, 'open', '{"until": "2027-01-02T00:00:00Z"}', $4, now(), now())`,
        [host?.id, tenant.id, port, days],
      );
    const browser = await browserOf(tenant, 'viewer');
    const { text } = await browser.get(home);
    const gates = linksOf(sectionOf(text, 'Scans whose gate failed in the last 7 days 1'))[0] ?? '';
    const scans = (await browser.get(gates)).text;
    expect([gates, scans.match(/https:\/\/\w+\.example\//g)]).toEqual([
      `${home}/scans?failed=true`,
      ['https://failed.example/'],
    ]);
    expect(scans).toContain('Failed in the last 7 days');
    const expiring = sectionOf(text, 'Assets with a certificate that expires 1');
    expect(plain(expiring ?? '')).toContain(`${asset.value} port 443, 2027-01-02`);
    const assets = (await browser.get(linksOf(expiring)[0] ?? '')).text;
    expect([assets.includes(asset.value), assets.includes(plainAsset.value)]).toEqual([true, false]);
    expect((await browser.get(`${home}/imports?failed=true`)).text).toContain('Failed in the last 7 days');
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

  it('shows a finding once, with all reasons, and no list whose findings are all in lists above it', async () => {
    const tenant = await make.organization();
    const dueIn = (id: number, days: number) =>
      query('UPDATE findings SET due_date = current_date + $2::int WHERE id = $1', [id, days]);
    const high: number[] = [];
    for (let number = 0; number < 4; number++) high.push((await make.finding(tenant.id, { severity: 'high' })).id);
    const [first = 0, second = 0, third = 0, fourth = 0] = high;
    for (const [place, id] of high.entries()) await dueIn(id, place + 1);
    await query('UPDATE findings SET status = 4 WHERE id = $1', [first]);
    const browser = await browserOf(tenant, 'viewer');
    const { text } = await browser.get(`/o/${tenant.id}`);
    const links = linksOf(/<main[^]*<\/main>/.exec(text)?.[0]).filter((link) => /findings\/\d+$/.test(link));
    expect(links.sort()).toEqual([...new Set(links)].sort());
    expect(links).toHaveLength(4);
    const unassigned = plain(sectionOf(text, 'Critical and high, assigned to no one 4') ?? '');
    expect(unassigned).toContain('All 4');
    const due = sectionOf(text, 'Due in 7 days 4');
    expect(linksOf(due).filter((link) => /\/\d+$/.test(link))).toHaveLength(1);
    // The first finding waits for a retest as well: that is said where it is shown.
    expect(plain(text)).toContain('waiting for a retest');
    expect(sectionOf(text, 'Waiting for a retest 1')).toBeUndefined();
    expect([first, second, third, fourth].map((id) => links.some((link) => link.endsWith(`/${id}`)))).toEqual(
      Array(4).fill(true),
    );
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
      `/o/${tenant.id}/findings?overdue=true&sort=due_date`,
      ...[ids[1], ids[0]].map((id) => `/o/${tenant.id}/findings/${id}`),
    ]);
  });

  it('shows beacons that do not report, and unverified domains', async () => {
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
    const browser = await browserOf(tenant, 'viewer');
    const { text } = await browser.get(`/o/${tenant.id}`);
    expect(plain(sectionOf(text, 'Beacons that do not report 1') ?? '')).toContain('offline, last report');
    const domains = plain(sectionOf(text, 'Unverified domains 2') ?? '');
    expect(domains).toContain(`${lost.value} its record was not found yet`);
    expect(domains).toContain(`${failing.value} the last lookups did not find its record`);
    expect(domains).not.toContain(proven.value);
    const lists = await Promise.all(
      ['beacons?silent=true', 'domains?unproven=true'].map((list) => browser.get(`/o/${tenant.id}/${list}`)),
    );
    const [silent = '', unproven = ''] = lists.map((list) => list.text);
    const linked = [late, healthy].map(({ id }) => silent.includes(`/beacons/${id}"`));
    expect(linked).toEqual([true, false]);
    expect([lost, failing, proven].map(({ value }) => unproven.includes(`>${value}<`))).toEqual([true, true, false]);
  });
});

describe('the overview', () => {
  /** The rows of the table with this heading in its first column, without the head. */
  const rowsOf = (html: string, heading: string): string[] =>
    (sectionOf(html, heading)?.match(/<tr>[^]*?<\/tr>/g) ?? []).slice(1).map(plain);

  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

  it('says what to do where there are no findings, and links to what needs attention', async () => {
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
    for (const [id, due] of [
      [old, 1],
      [byHand, 25],
      [byTest, 10],
    ] as const)
      await query('UPDATE findings SET due_date = $2 WHERE id = $1', [id, daysAgo(due).slice(0, 10)]);
    const browser = await browserOf(tenant, 'viewer');
    const { text } = await browser.get(`/o/${tenant.id}/overview`);
    const figures = plain(/<dl class="figures">[^]*?<\/dl>/.exec(text)?.[0] ?? '');
    expect(figures).toMatch(/^Open critical 1 Open high 0 Overdue 1 Fixed this month \d/);
    expect(figures).toContain('SLA kept 33 % 1 of 3 fixed by their due date Median time to fix High 7 days');
    expect(figures).toContain('Verified fixes 50 %');
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
    expect(rowsOf(text, `${asset.value} has the highest risk, proved findings first`)).toEqual([
      `${asset.value} 7.2 2`,
    ]);
    // Each number and each bar leads to the list that it counts.
    const lengthOf = async (link = ''): Promise<string | undefined> =>
      /<title>Findings \((\d+)\)/.exec((await browser.get(link)).text)?.[1];
    const lists = linksOf(/<dl class="figures">[^]*?<\/dl>/.exec(text)?.[0]);
    expect(await Promise.all(lists.slice(0, 3).map(lengthOf))).toEqual(['1', '0', '1']);
    const found = linksOf(sectionOf(text, '3 found and 2 fixed')?.replace(/<svg[^]*?<\/svg>/g, ''));
    expect(await Promise.all([found[14], found[19], found[22]].map(lengthOf))).toEqual(['1', '2', '1']);
    expect(await Promise.all(linksOf(sectionOf(text, '1 of 2 open findings')).map(lengthOf))).toEqual(['1', '1']);
    const [risky] = linksOf(sectionOf(text, `${asset.value} has the highest`));
    expect(await lengthOf(risky)).toBe('2');
    // The page of the asset has the same weeks, and none of another asset.
    await make.finding(tenant.id, { severity: 'critical' });
    const page = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}/assets/${asset.id}`);
    expect(rowsOf(page.text, 'Open findings rose from 1 to 2 in 11 weeks')).toEqual(open);
  });

  it('has no curve of a history that is too short for a trend', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id);
    const { text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}/overview`);
    const section = sectionOf(text, '1 finding is open') ?? '';
    expect([plain(section), section]).toEqual([
      expect.stringContaining('After 4 weeks this shows a trend.'),
      expect.not.stringContaining('<svg'),
    ]);
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
    expect(plain(await sectionWith('Open findings rose from 1,999 to 2,000'))).toContain('Show the numbers');
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
    const refresh = api.app.get(OverviewRefresh, { strict: false });
    await refresh.run();
    expect(await critical()).toBe('Critical 1 0 0 0');
    await query(`UPDATE finding_overviews SET computed = computed - interval '11 minutes' WHERE organization_id = $1`, [
      tenant.id,
    ]);
    await refresh.run();
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
      `attachment; filename=audit-log-${tenant.id}.csv`,
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
    expect((await member.get(`/o/${tenant.id}/settings/members`)).text).not.toContain(`href="${page}"`);
    expect([(await member.get(page)).status, (await member.get(`${page}/export`)).status]).toEqual([403, 403]);
    const admin = await browserOf(tenant, 'admin');
    expect((await admin.get(`/o/${tenant.id}/settings/members`)).text).toContain(`href="${page}"`);
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
