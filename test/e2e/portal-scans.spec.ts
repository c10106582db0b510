import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';
import { statementsOf } from '../support/statements';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const portal = usePortal(api);
const make = new Factories(api);

beforeAll(() => site.start());
afterEach(() => site.release());
afterAll(() => site.stop());

const browserOf = async (tenant: Tenant, role: Parameters<Tenant['as']>[0]): Promise<Browser> =>
  signedInAs(api, portal, await tenant.as(role));

const locationOf = ({ headers }: { readonly headers: Headers }): string => headers.get('location') ?? '';
const uuidOf = (page: string): string => page.split('/').at(-1) ?? '';

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');

const jobOf = async (page: string) =>
  (
    await query<Record<string, unknown>>('SELECT url, checks, event_id, status, created FROM jobs WHERE uuid = $1', [
      uuidOf(page),
    ])
  )[0];

const ended = (page: string): Promise<void> =>
  eventually(async () => expect((await jobOf(page))?.['status']).toMatch(/FINISHED|ERROR/));

async function organizationWithSite(): Promise<{ tenant: Tenant; browser: Browser; scans: string; assetId: number }> {
  const tenant = await make.organization();
  const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  return { tenant, browser: await browserOf(tenant, 'member'), scans: `/o/${tenant.id}/scans`, assetId };
}

describe('a scan', () => {
  it('has the name of its target and time, in the time zone of the reader', async () => {
    const { browser, scans } = await organizationWithSite();
    const page = locationOf(await browser.submit(scans, scans, { url: site.url, checks: 'missing-nosniff' }));
    await query(`UPDATE jobs SET created = '2024-11-23T09:02:00Z' WHERE uuid = $1`, [uuidOf(page)]);
    browser.setCookie('time-zone', 'Europe%2FBerlin');
    const { text } = await browser.get(page);
    const name = `http://${site.endpoint} · 23 Nov 2024 10:02`;
    expect(text).toContain(`<h1 dir="auto">${name}</h1>`);
    expect(text).toContain(`<title>${name} · Assay</title>`);
    expect(text).toContain(`aria-current="page" title="${name}"`);
  });

  it('is repeated with one click, with its checks and its event, by members', async () => {
    const { tenant, browser, scans, assetId } = await organizationWithSite();
    const { id, slug } = await make.event(tenant.id, { status: 'running', name: 'Spring test' });
    const admin = await tenant.as('admin');
    await admin.client.post(`/v1/events/${slug}/scope/assets`, { asset_id: assetId, in_scope: true });
    const options = { url: `${site.url}?a=1`, checks: 'missing-nosniff', event_slug: slug };
    const page = locationOf(await browser.submit(scans, scans, options));
    await ended(page);
    expect(textOf((await browser.get(page)).text)).toContain('Event Spring test');
    const again = locationOf(await browser.submit(page, `${page}/again`));
    expect(again).not.toBe(page);
    expect(await jobOf(again)).toMatchObject({ url: options.url, checks: ['missing-nosniff'], event_id: id });
    await ended(again);
    const viewer = await browserOf(tenant, 'viewer');
    const shown = (await viewer.get(again)).text;
    expect(shown).not.toContain('Scan again');
    const csrf = /name="csrf" value="([^"]*)"/.exec(shown)?.[1] ?? '';
    expect((await viewer.post(`${again}/again`, { csrf })).status).toBe(403);
    const [entry] = await query<{ metadata: object }>(
      `SELECT metadata FROM audit_logs WHERE organization_id = $1 AND operation = 'job.launch' AND resource_id = $2`,
      [tenant.id, uuidOf(again)],
    );
    expect(entry?.metadata).toMatchObject({ event: slug, checks: ['missing-nosniff'] });

    await query(`UPDATE events SET status = 'finished' WHERE id = $1`, [id]);
    expect(textOf((await browser.get(page)).text)).toContain('Scan again, without the event, which is finished');
    expect(await jobOf(locationOf(await browser.submit(page, `${page}/again`)))).toMatchObject({ event_id: null });
  });

  it('is offered the running events whose scope contains its target, and says when it is outside', async () => {
    const { tenant, browser, scans, assetId } = await organizationWithSite();
    expect((await browser.get(scans)).text).not.toContain('name="event_slug"');
    const inside = await make.event(tenant.id, { status: 'running', name: 'Inside' });
    const outside = await make.event(tenant.id, { status: 'running', name: 'Outside' });
    await make.event(tenant.id, { status: 'scheduled', name: 'Planned' });
    const admin = await tenant.as('admin');
    await admin.client.post(`/v1/events/${inside.slug}/scope/assets`, { asset_id: assetId, in_scope: true });
    const offered = (html: string): string[] =>
      [...html.matchAll(/<option value="([a-z]+-[0-9a-z]{6})"/g)].map(([, slug = '']) => slug);
    expect(offered((await browser.get(scans)).text)).toEqual([outside.slug, inside.slug]);
    const url = encodeURIComponent(site.url);
    const known = await browser.get(`${scans}?url=${url}&event_slug=`);
    expect(offered(known.text)).toEqual([inside.slug]);
    expect(textOf(known.text)).toContain('No event (1 without this target in scope)');
    expect(offered((await browser.get(`${scans}?url=htt`)).text)).toHaveLength(2);

    const refused = await browser.submit(scans, scans, { url: site.url, event_slug: outside.slug });
    expect([refused.status, textOf(refused.text)]).toEqual([
      422,
      expect.stringContaining('127.0.0.1 is not in the scope of the event'),
    ]);
    expect(refused.text).not.toContain('What to do next');
    expect(refused.text).toMatch(new RegExp(`value="${outside.slug}" selected[^>]*>Outside: the target is outside`));
    const foreign = await make.event((await make.organization()).id, { status: 'running' });
    const other = await browser.submit(scans, scans, { url: site.url, event_slug: foreign.slug });
    expect([other.status, textOf(other.text)]).toEqual([422, expect.stringContaining('There is no such event')]);
  });
});

describe('the comparison of two scans', () => {
  it('says what is new, fixed, still there and not known, and which options differ', async () => {
    const { tenant, browser, scans } = await organizationWithSite();
    const scan = async (state: typeof site.state, checks: string): Promise<string> => {
      site.state = state;
      const page = locationOf(await browser.submit(scans, scans, { url: site.url, checks }));
      await ended(page);
      return page;
    };
    const compared = async (page: string, other?: string): Promise<string> =>
      textOf((await browser.get(`${page}/compare${other === undefined ? '' : `?with=${uuidOf(other)}`}`)).text);
    const clean = await scan('fixed', 'missing-nosniff, exposed-git');
    expect(await compared(clean)).toContain('No other scan of this target');
    const exposed = await scan('exposed', 'missing-nosniff, exposed-git');
    expect((await browser.get(exposed)).text).toContain(`href="${exposed}/compare"`);
    const first = await compared(exposed);
    expect(first).toContain(': 2 new.');
    expect(first).not.toContain('Not every change');
    const removed = await scan('removed', 'missing-nosniff, exposed-git');
    expect(await compared(removed)).toContain(': 1 fixed, 1 still there.');
    // The other one may be the later one.
    expect(await compared(exposed, removed)).toContain(': 1 fixed, 1 still there.');
    const partial = await scan('removed', 'weak-csp');
    const last = await compared(partial, exposed);
    expect(last).toContain(': 1 found, and not tested before, 2 not known.');
    expect(last).toContain('Its check did not run');
    expect(last).toContain('The earlier scan ran missing-nosniff, exposed-git, the later one ran weak-csp.');
    const viewer = await browserOf(tenant, 'viewer');
    expect((await viewer.get(`${removed}/compare`)).status).toBe(200);
  });

  it('is of scans of one target and organization that have ended', async () => {
    const { tenant, browser, scans } = await organizationWithSite();
    const page = locationOf(await browser.submit(scans, scans, { url: site.url, checks: 'missing-nosniff' }));
    await ended(page);
    const elsewhere = locationOf(
      await browser.submit(scans, scans, { url: `${site.url}other`, checks: 'missing-nosniff' }),
    );
    const between = async (other: string) => browser.get(`${page}/compare?with=${uuidOf(other)}`);
    const different = await between(elsewhere);
    expect([different.status, textOf(different.text)]).toEqual([422, expect.stringContaining('different targets')]);
    site.hold();
    const running = locationOf(await browser.submit(scans, scans, { url: site.url, checks: 'missing-nosniff' }));
    expect((await between(running)).status).toBe(422);
    await browser.submit(running, `${running}/cancel`);
    expect(textOf((await between(running)).text)).toContain('the later one ended early (it was canceled)');
    site.release();

    const other = await organizationWithSite();
    const foreign = locationOf(
      await other.browser.submit(other.scans, other.scans, { url: site.url, checks: 'missing-nosniff' }),
    );
    expect((await between(foreign)).status).toBe(404);
    expect((await browser.get(`${page}/compare?with=nothing`)).status).toBe(400);
    const both = await tenant.as('member');
    await make.membership(both.userId, other.tenant.id, 'member');
    const ofBoth = await signedInAs(api, portal, both);
    expect((await ofBoth.get(`${page}/compare?with=${uuidOf(foreign)}`)).status).toBe(404);
  });
});

describe('the list of scans', () => {
  it('shows the gates at the ends of the scans, and computes none', async () => {
    const { tenant, browser, scans, assetId } = await organizationWithSite();
    await query(
      `INSERT INTO findings (organization_id, asset_id, asset_value, title, md, html, status, severity, priority, fingerprint, check_id, check_definition)
       SELECT $1, $2, $3, 'Listing', 'Text.', '<p>Text.</p>', 1, 3, 1, decode(md5('a' || n) || md5('b' || n), 'hex'), 'exposed-git',
         jsonb_build_object('location', $3::text || n) FROM generate_series(1, 103) n`,
      [tenant.id, assetId, site.url],
    );
    const jobs = await query<{ id: number; uuid: string; gate: string | null }>(
      `INSERT INTO jobs (uuid, organization_id, asset_id, url, kind, depth, status, started, finished, coverage, gate)
       SELECT gen_random_uuid(), $1, $2, $3 || gate, 'job', 'standard', 'FINISHED', now(), now(), '[]', nullif(gate, 'none')
       FROM unnest(ARRAY['none', 'incomplete', 'failed', 'passed']) gate RETURNING id, uuid, gate`,
      [tenant.id, assetId, site.url],
    );
    const idOf = (gate: string): number | undefined => jobs.find((job) => job.gate === gate)?.id;
    await query(
      `INSERT INTO job_findings (job_id, finding_id, organization_id, outcome, severity, seen_at)
       SELECT job.id, f.id, $1, 'seen', 3, now() FROM findings f JOIN (VALUES ($2::int, 100), ($3::int, 103)) AS job (id, count)
         ON (SELECT count(*) FROM findings o WHERE o.organization_id = $1 AND o.id <= f.id) <= job.count WHERE f.organization_id = $1`,
      [tenant.id, idOf('incomplete'), idOf('failed')],
    );
    let text = '';
    const statements = await statementsOf(async () => {
      text = textOf((await browser.get(scans)).text);
    });
    const own = statements.filter(({ values }) => values.includes(tenant.id));
    expect(own.filter((statement) => statement.text.includes('check_definition'))).toEqual([]);
    expect(text).toContain('Gate at the end');
    expect(text).toMatch(/\/passed Finished nothing Passes/);
    expect(text).toMatch(/\/failed Finished at least 101 findings Fails/);
    expect(text).toMatch(/\/incomplete Finished 100 findings, Medium Fails/);
    expect(text).toMatch(/\/none Finished nothing not stored/);
    const passed = jobs.find((job) => job.gate === 'passed')?.uuid ?? '';
    expect(textOf((await browser.get(`${scans}/${passed}`)).text)).toContain('Fails because of 103 findings');
  });
});
