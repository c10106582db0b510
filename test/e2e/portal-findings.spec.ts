import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const portal = usePortal(api);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());

const browserOf = async (tenant: Tenant, role: Parameters<Tenant['as']>[0]): Promise<Browser> =>
  signedInAs(api, portal, await tenant.as(role));

/** The links with this text. */
const linksWith = (html: string, text: string): string[] =>
  [...html.matchAll(/<a[^>]* href="([^"]*)"[^>]*>([^]*?)<\/a>/g)]
    .filter(([, , content = '']) =>
      content
        .replace(/<[^>]*>/g, '')
        .trim()
        .startsWith(text),
    )
    .map(([, href = '']) => href.replaceAll('&amp;', '&'));

const linkWith = (html: string, text: string): string => {
  const [link] = linksWith(html, text);
  if (link === undefined) throw new Error(`no link "${text}"`);
  return link;
};

const titlesOf = (html: string): string[] =>
  [...html.matchAll(/<td class="title wide"[^>]*><a[^>]*>([^<]*)</g)].map(([, title = '']) => title);

describe('the list of findings', () => {
  it('says what to do next when there are none', async () => {
    const tenant = await make.organization();
    const { status, text } = await (await browserOf(tenant, 'viewer')).get(`/o/${tenant.id}/findings`);
    expect([status, text]).toEqual([200, expect.stringContaining('No findings yet')]);
    expect(text).toContain('npm start -- --target');
  });

  it('leads through all pages and back, and shows the count', async () => {
    const tenant = await make.organization();
    const titles: string[] = [];
    for (let number = 0; number < 5; number++) titles.unshift((await make.finding(tenant.id)).title);
    const browser = await browserOf(tenant, 'viewer');
    const first = await browser.get(`/o/${tenant.id}/findings?per_page=2`);
    expect(first.text).toContain('<title>Findings (5) · Assay</title>');
    const second = await browser.get(linkWith(first.text, 'Next page'));
    const third = await browser.get(linkWith(second.text, 'Next page'));
    expect([first, second, third].flatMap(({ text }) => titlesOf(text))).toEqual(titles);
    expect(linksWith(third.text, 'Next page')).toEqual([]);
    expect(titlesOf((await browser.get(linkWith(third.text, 'Previous page'))).text)).toEqual(titles.slice(2, 4));
  });

  it('filters by status, severity, asset and text, sorts, and keeps the other filters in its links', async () => {
    const tenant = await make.organization();
    const { id, value } = await make.asset(tenant.id);
    const asset = { id, value, tier: null };
    const low = await make.finding(tenant.id, { title: 'A low one', severity: 'low' });
    const high = await make.finding(tenant.id, { title: 'A high one', severity: 'high' });
    const onAsset = await make.finding(tenant.id, { title: 'On the asset', severity: 'info', asset });
    await query('UPDATE findings SET status = 5 WHERE id = $1', [low.id]);
    const browser = await browserOf(tenant, 'viewer');
    const list = async (parameters: string): Promise<string[]> =>
      titlesOf((await browser.get(`/o/${tenant.id}/findings?${parameters}`)).text);
    expect(await list('status=5')).toEqual([low.title]);
    expect(await list('severity=medium')).toEqual([high.title]);
    expect(await list(`asset_id=${id}`)).toEqual([onAsset.title]);
    expect(await list('q=LOW+one')).toEqual([low.title]);
    expect(await list('sort=severity&severity=&q=')).toEqual([high.title, low.title, onAsset.title]);
    const filtered = (await browser.get(`/o/${tenant.id}/findings?severity=low&q=one&status=1`)).text;
    expect(linkWith(filtered, 'Resolved')).toBe(`/o/${tenant.id}/findings?status=5&severity=low&q=one`);
    expect(linkWith(filtered, 'Search: one')).toBe(`/o/${tenant.id}/findings?status=1&severity=low`);
    expect((await browser.get(`/o/${tenant.id}/findings?q=nothing`)).text).toContain('No finding matches');
  });

  it('counts the findings of each status, and refuses a filter that does not exist', async () => {
    const tenant = await make.organization();
    const [one] = [await make.finding(tenant.id), await make.finding(tenant.id), await make.finding(tenant.id)];
    await query('UPDATE findings SET status = 4 WHERE id = $1', [one.id]);
    const browser = await browserOf(tenant, 'viewer');
    const { text } = await browser.get(`/o/${tenant.id}/findings`);
    const tabs = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(tabs).toContain('All Open 2 In progress 0 Ready for retest 1 Resolved 0 Risk accepted 0');
    const refused = await browser.get(`/o/${tenant.id}/findings?severity=worst`);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('severity must be one of')]);
  });

  it('shows titles as text', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id, { title: '<script>alert(1)</script>', md: '<script>alert(2)</script> **bold**' });
    const browser = await browserOf(tenant, 'viewer');
    const { text } = await browser.get(`/o/${tenant.id}/findings`);
    const page = await browser.get(linkWith(text, '&lt;script'));
    expect(page.text).toContain('<strong>bold</strong>');
    expect(text + page.text).not.toContain('<script>alert');
  });
});

describe('a finding', () => {
  it('offers only the changes of status that the role allows, and refuses the others', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const optionsFor = (html: string): number[] =>
      [...html.matchAll(/<option value="(\d+)"/g)].map(([, value]) => Number(value));
    const viewer = await browserOf(tenant, 'viewer');
    expect((await viewer.get(page)).text).not.toContain(`${page}/`);
    const member = await browserOf(tenant, 'member');
    expect(optionsFor((await member.get(page)).text)).toEqual([2, 3, 4, 5]);
    const admin = await browserOf(tenant, 'admin');
    expect(optionsFor((await admin.get(page)).text)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect((await member.submit(page, `${page}/status`, { status: '7' })).status).toBe(403);
    const token = /name="csrf" value="([^"]*)"/.exec((await viewer.get(page)).text)?.[1] ?? '';
    expect((await viewer.post(`${page}/status`, { csrf: token, status: '2' })).status).toBe(403);
    expect((await viewer.post(`${page}/retest`, { csrf: token })).status).toBe(403);
  });

  it('changes its status with a comment, as the API does', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const person = await tenant.as('admin');
    const browser = await signedInAs(api, portal, person);
    const comment = 'Behind the firewall.';
    const changed = await browser.submit(page, `${page}/status`, { status: '6', comment, until: '2999-01-31' });
    expect([changed.status, changed.headers.get('location')]).toEqual([303, page]);
    const { text } = await browser.get(page);
    expect(text).toContain(comment);
    expect(text).toContain('2999-01-31T23:59:59.999Z');
    const refused = await browser.submit(page, `${page}/status`, { status: '5', until: '2999-01-31' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('until is only allowed')]);
    const entries = await query<{ status: string; metadata: object }>(
      `SELECT status, metadata FROM audit_logs WHERE operation = 'finding.status_update' AND actor_id = $1 AND resource_id = $2 ORDER BY id`,
      [String(person.userId), String(id)],
    );
    expect(entries).toMatchObject([{ status: 'success', metadata: { from: 1, to: 6 } }, { status: 'failure' }]);
  });

  it('is retested while its page is open, and then shows the verdict, the evidence and its signature', async () => {
    const tenant = await make.organization();
    const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
    const asset = { id: assetId, value: site.url, tier: null };
    const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
    const { id } = await make.finding(tenant.id, { asset, title: unique('Sniffing'), ...check });
    const page = `/o/${tenant.id}/findings/${id}`;
    const person = await tenant.as('member');
    const browser = await signedInAs(api, portal, person);
    site.hold();
    expect((await browser.submit(page, `${page}/retest`)).headers.get('location')).toBe(page);
    const running = (await browser.get(page)).text;
    expect(running).toContain(`hx-get="${page}/live"`);
    expect(running).toContain('http-equiv="refresh"');
    expect(running).not.toContain('Retest now');
    site.release();
    await eventually(async () => expect((await browser.get(`${page}/live`)).text).toContain('Still vulnerable'));
    const live = (await browser.get(`${page}/live`)).text;
    expect(live).toMatch(/^<div id="live"/);
    expect(live).not.toContain('hx-get');
    const { text } = await browser.get(page);
    expect(text).not.toContain('http-equiv="refresh"');
    expect(text).toContain('GET / HTTP/1.1');
    expect(text).toContain('Retest now');
    const evidence = JSON.parse((await browser.get(`${page}/evidence.json`)).text);
    const ofApi = (await person.client.get(`/v1/findings/${id}/retest/evidence`)).body;
    expect(evidence).toEqual(ofApi);
    const keys = JSON.parse((await browser.get(`${page}/keys.json`)).text);
    expect(keys.keys.map((key: { id: string }) => key.id)).toContain(ofApi.signature.key);
    const [entry] = await query(
      `SELECT status, resource_id FROM audit_logs WHERE operation = 'retest.start' AND actor_id = $1`,
      [String(person.userId)],
    );
    expect(entry).toEqual({ status: 'success', resource_id: ofApi.uuid });
  });

  it('without a check gets its verdict by hand from an admin, or its retest is canceled', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const page = `/o/${tenant.id}/findings/${id}`;
    const [member, admin] = [await browserOf(tenant, 'member'), await browserOf(tenant, 'admin')];
    await member.submit(page, `${page}/retest`);
    const waiting = (await member.get(page)).text;
    expect(waiting).not.toContain('hx-get');
    expect(waiting).not.toContain(`${page}/retest/verdict`);
    const verdict = { result: 'fixed', comment: 'Seen by two of us.' };
    const given = await admin.submit(page, `${page}/retest/verdict`, verdict);
    expect(given.headers.get('location')).toBe(page);
    const { text } = await member.get(page);
    expect(text).toContain('Seen by two of us.');
    expect(text).toContain('<strong>Resolved</strong>');
    await member.submit(page, `${page}/retest`);
    await member.submit(page, `${page}/retest/cancel`);
    expect((await member.get(page)).text).toContain('It was canceled.');
  });

  it('under the path of another organization does not exist, also where the caller belongs to both', async () => {
    const [one, other] = [await make.organization(), await make.organization()];
    const { id } = await make.finding(one.id);
    const person = await one.as('admin');
    await make.membership(person.userId, other.id, 'owner');
    const browser = await signedInAs(api, portal, person);
    const page = `/o/${one.id}/findings/${id}`;
    const wrong = `/o/${other.id}/findings/${id}`;
    expect((await browser.get(page)).status).toBe(200);
    const token = /name="csrf" value="([^"]*)"/.exec((await browser.get(page)).text)?.[1] ?? '';
    for (const path of ['', '/live', '/evidence.json', '/keys.json'])
      expect([path, (await browser.get(wrong + path)).status]).toEqual([path, 404]);
    for (const path of ['/status', '/retest', '/retest/verdict', '/retest/cancel']) {
      const fields = {
        csrf: token,
        ...(path === '/status' && { status: '2' }),
        ...(path.endsWith('verdict') && { result: 'fixed' }),
      };
      expect([path, (await browser.post(wrong + path, fields)).status]).toEqual([path, 404]);
    }
  });
});

describe('the start page', () => {
  it('leads to the findings of the organization, and without one to the settings', async () => {
    const tenant = await make.organization();
    const browser = await browserOf(tenant, 'viewer');
    expect((await browser.get('/')).headers.get('location')).toBe(`/o/${tenant.id}/findings`);
    const alone = await signedInAs(api, portal, { userId: await make.user() });
    expect((await alone.get('/')).headers.get('location')).toBe('/settings/api');
    expect((await alone.get('/settings/sessions')).text).not.toContain('href="/o/');
  });
});

describe('the live part of a page', () => {
  it('makes the browser load the page again when the session has ended', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const answer = await fetch(`${portal.url}/o/${tenant.id}/findings/${id}/live`, {
      headers: { 'hx-request': 'true' },
    });
    expect([answer.status, answer.headers.get('hx-refresh')]).toEqual([401, 'true']);
  });
});
