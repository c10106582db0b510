import { useApi } from '../support/api';
import { query } from '../support/database';
import { useDnsServer } from '../support/dns-server';
import { challengeOf } from '../support/domains';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique, uniqueDomain } from '../support/factories';
import { Browser, signedInAs, usePortal } from '../support/portal';
import { PrivateNetworks } from '../support/linked-networks';
import { useWorkerProcess } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const dns = useDnsServer();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
// Its port is known when it has started.
const settings = Object.assign(dns.settings, engine);
const api = useApi(settings);
// A process, because reports are rendered by the compiled program.
useWorkerProcess(settings);
const portal = usePortal(api);
const make = new Factories(api);
const networks = new PrivateNetworks();

beforeAll(() => site.start());
afterEach(() => site.release());
afterAll(() => site.stop());

const browserOf = async (tenant: Tenant, role: Parameters<Tenant['as']>[0]): Promise<Browser> =>
  signedInAs(api, portal, await tenant.as(role));

const locationOf = ({ headers }: { readonly headers: Headers }): string => headers.get('location') ?? '';

/** The visible text. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ');

const actionsIn = (html: string): string[] =>
  [...html.matchAll(/<form(?=[^>]* method="post")[^>]* action="([^"]*)"/g)].map(([, to = '']) => to);

/** A change that the page does not offer, with the token of its session. */
async function postTo(browser: Browser, page: string, action: string, fields: Record<string, string>): Promise<number> {
  const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(page)).text)?.[1] ?? '';
  return (await browser.post(action, { csrf, ...fields })).status;
}

const operationsOf = async (organizationId: number): Promise<string[]> => {
  const rows = await query<{ operation: string }>(
    `SELECT operation FROM audit_logs WHERE organization_id = $1 AND status = 'success' AND actor_type = 'user'
       AND operation NOT IN ('session.create', 'asset.create') ORDER BY id`,
    [organizationId],
  );
  return rows.map(({ operation }) => operation);
};

describe('the scans', () => {
  it('run checks live, and end with the findings and the answer that a pipeline gets', async () => {
    const tenant = await make.organization();
    await make.asset(tenant.id, { value: site.url, type: 'url' });
    const person = await tenant.as('member');
    const browser = await signedInAs(api, portal, person);
    const scans = `/o/${tenant.id}/scans`;
    expect(textOf((await browser.get(scans)).text)).toContain('No scans yet');
    site.holdAfter(20);
    const page = locationOf(await browser.submit(scans, scans, { url: site.url }));
    expect(page).toMatch(new RegExp(`^${scans}/[0-9a-f-]{36}$`));
    const stream = await browser.events(`${page}/progress`);
    expect(await stream.readUntil('Running</span>')).toMatch(/\d+ of \d+ checks done/);
    const running = (await browser.get(page)).text;
    expect(running).toContain(`data-stream="${page}/progress"`);
    expect(running).toContain('http-equiv="refresh"');
    site.release();
    expect(await stream.readToEnd()).toContain('event: end');
    const { text } = await browser.get(page);
    expect(text).not.toContain('data-stream');
    const uuid = page.split('/').at(-1) ?? '';
    const success = await person.client.get(`/v1/jobs/${uuid}/success`);
    expect(success.body.success).toBe(false);
    expect(success.body.description).toContain(
      '1 found by this job ("No redirect to HTTPS: pages are served over plain HTTP")',
    );
    expect(textOf(text)).toContain(
      'Fails because of 1 finding of at least medium severity. No redirect to HTTPS: pages are served over',
    );
    const [finding] = await query<{ id: number }>(
      `SELECT id FROM findings WHERE organization_id = $1 AND check_id = 'missing-nosniff'`,
      [tenant.id],
    );
    expect(text).toContain(`href="/o/${tenant.id}/findings/${finding?.id}"`);
    expect(textOf(text)).toContain(`run: ./pipeline.sh '${site.url}'`);
    const report = await browser.get(`${page}/report?format=sarif`);
    expect(report.headers.get('content-disposition')).toContain('assay.sarif');
    expect(JSON.parse(report.text)).toHaveProperty('runs');
    const listed = textOf((await browser.get(scans)).text);
    expect(listed).toMatch(/Finished \d+ findings, .*Fails/);
  });

  it('are canceled by members, and not offered to viewers', async () => {
    const tenant = await make.organization();
    await make.asset(tenant.id, { value: site.url, type: 'url' });
    const [member, viewer] = [await browserOf(tenant, 'member'), await browserOf(tenant, 'viewer')];
    const scans = `/o/${tenant.id}/scans`;
    site.hold();
    const checks = 'missing-nosniff, weak-csp';
    const page = locationOf(await member.submit(scans, scans, { url: site.url, checks }));
    const [job] = await query('SELECT checks FROM jobs WHERE uuid = $1', [page.split('/').at(-1)]);
    expect(job).toEqual({ checks: ['missing-nosniff', 'weak-csp'] });
    expect(actionsIn((await viewer.get(scans)).text)).toEqual(['/sign-out']);
    expect(actionsIn((await viewer.get(page)).text)).toEqual(['/sign-out']);
    expect(await postTo(viewer, page, scans, { url: site.url })).toBe(403);
    expect(await postTo(viewer, page, `${page}/cancel`, {})).toBe(403);
    expect(locationOf(await member.submit(page, `${page}/cancel`))).toBe(page);
    expect(textOf((await member.get(page)).text)).toContain('Canceled');
    expect(await operationsOf(tenant.id)).toEqual(['job.launch', 'job.cancel']);
    const [entry] = await query(
      `SELECT resource_id FROM audit_logs WHERE organization_id = $1 AND operation = 'job.cancel' AND status = 'success'`,
      [tenant.id],
    );
    expect(entry).toEqual({ resource_id: page.split('/').at(-1) });
  });

  it('that are refused keep the URL and say what to do next', async () => {
    const tenant = await make.organization();
    const other = await make.organization();
    const person = await tenant.as('member');
    await make.membership(person.userId, other.id, 'member');
    await make.asset(other.id, { value: site.url, type: 'url' });
    const browser = await signedInAs(api, portal, person);
    const scans = `/o/${tenant.id}/scans`;
    const foreign = await browser.submit(scans, scans, { url: site.url });
    expect([foreign.status, textOf(foreign.text)]).toEqual([422, expect.stringContaining('No asset covers 127.0.0.1')]);
    expect(foreign.text).toContain(`value="${site.url}"`);
    expect(foreign.text).toContain(`href="/o/${tenant.id}/domains?value=127.0.0.1"`);
    const value = uniqueDomain();
    const { token } = await make.domain(tenant.id, { value });
    const unverified = await browser.submit(scans, scans, { url: `https://www.${value}/` });
    expect([unverified.status, textOf(unverified.text)]).toEqual([422, expect.stringContaining('is not verified')]);
    expect(unverified.text).toContain(`assay-verification=${token}`);
    const unknown = await browser.submit(scans, scans, { url: site.url, checks: 'weak-csp, nothing' });
    expect([unknown.status, textOf(unknown.text)]).toEqual([400, expect.stringContaining('"nothing" is neither')]);
    expect(unknown.text).toContain('value="weak-csp, nothing"');
    const invalid = await browser.submit(scans, scans, { url: 'ftp://example.com' });
    expect([invalid.status, invalid.text]).toEqual([400, expect.stringContaining('value="ftp://example.com"')]);
  });
});

describe('the scans behind a beacon', () => {
  it('are launched through a chosen beacon, which the pages name, and refused with the remedy', async () => {
    const tenant = await make.organization();
    const browser = await browserOf(tenant, 'member');
    const scans = `/o/${tenant.id}/scans`;
    expect((await browser.get(scans)).text).not.toContain('name="beacon_id"');
    const { id } = await make.beacon(tenant.id, { name: 'office-berlin' });
    const beacon_id = String(id);
    const url = 'http://10.20.0.5/';
    const offered = (await browser.get(scans)).text;
    expect(textOf(offered)).toContain('Internet office-berlin');
    const option = (html: string): string => /<option[^>]*>office-berlin/.exec(html)?.[0] ?? '';
    expect(option(offered)).toContain(`value="${id}"`);
    expect(option(offered)).not.toContain('selected');
    await make.asset(tenant.id, { value: '10.20.0.5', type: 'ip', beaconId: id });
    const refused = await browser.submit(scans, scans, { url, beacon_id });
    expect([refused.status, textOf(refused.text)]).toEqual([422, expect.stringContaining('start its agent')]);
    expect(option(refused.text)).toContain('selected');
    expect(refused.text).not.toContain('What to do next');
    expect((await browser.submit(scans, scans, { url, beacon_id: '' })).status).toBe(422);

    networks.useIn(api.app);
    networks.of(id);
    const page = locationOf(await browser.submit(scans, scans, { url, beacon_id }));
    expect(textOf((await browser.get(page)).text)).toContain('Through the beacon office-berlin');
    expect((await browser.get(page)).text).toContain(`ASSAY_BEACON: '${id}'`);
    await browser.submit(page, `${page}/cancel`);
    expect(textOf((await browser.get(scans)).text)).toContain(`${url} , through office-berlin Canceled`);

    const asset = { id: null, value: '10.20.0.5', tier: null, beaconId: id };
    const finding = await make.finding(tenant.id, { asset });
    const shown = textOf((await browser.get(`/o/${tenant.id}/findings/${finding.id}`)).text);
    expect(shown).toContain('10.20.0.5 through office-berlin');
    await query('DELETE FROM beacons WHERE id = $1', [id]);
    expect(textOf((await browser.get(page)).text)).toContain(`Through the beacon ${id} (deleted)`);
  });
});

describe('the assets', () => {
  it('are added, found, changed and deleted', async () => {
    const tenant = await make.organization();
    const browser = await browserOf(tenant, 'member');
    const assets = `/o/${tenant.id}/assets`;
    expect(textOf((await browser.get(assets)).text)).toContain('No assets yet');
    const value = uniqueDomain();
    const page = locationOf(
      await browser.submit(assets, assets, { asset_value: value, type: 'domain', tier: '2', beacon_id: '' }),
    );
    const again = await browser.submit(assets, assets, { asset_value: value, type: 'domain', tier: '3' });
    expect([again.status, textOf(again.text)]).toEqual([409, expect.stringContaining('already has an asset')]);
    expect(again.text).toContain(`value="${value}"`);
    expect(again.text).toContain('<option value="3" selected>');
    const hasOwner = async (one: Browser) => (await one.get(assets)).text.includes('<label for="owner"');
    const person = await tenant.as('admin');
    const admin = await signedInAs(api, portal, person);
    const owned = { asset_value: uniqueDomain(), type: 'domain', tier: '', owner: `user:${person.userId}` };
    expect([await hasOwner(browser), await hasOwner(admin)]).toEqual([false, true]);
    await admin.submit(assets, assets, owned);
    const owners = await query('SELECT owner_user_id AS owner FROM assets WHERE value = $1', [owned.asset_value]);
    expect(owners).toEqual([{ owner: person.userId }]);
    await make.finding(tenant.id, { asset: { id: Number(page.split('/').at(-1)), value, tier: 2 }, severity: 'high' });
    const listed = textOf((await browser.get(assets)).text);
    expect(listed).toContain(`${value} Domain Tier 2 1 High`);
    expect(textOf((await browser.get(`${assets}?q=nothing`)).text)).toContain('No asset matches');
    await browser.submit(page, page, { tier: '1', purl: 'pkg:npm/shop@1.0.0', cpe: '' });
    const changed = (await browser.get(page)).text;
    expect(changed).toContain('value="pkg:npm/shop@1.0.0"');
    expect(changed).toContain('<option value="1" selected>');
    const refused = await browser.submit(page, page, { purl: 'shop' });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringMatching(/Package URL must be a package URL, [^<]*begin with pkg:\.</),
    ]);
    expect(await postTo(browser, page, `${page}/delete`, {})).toBe(403);
    expect(locationOf(await admin.submit(page, `${page}/delete`))).toBe(assets);
    expect((await browser.get(page)).status).toBe(404);
  });

  it('have pages', async () => {
    const tenant = await make.organization();
    for (let number = 0; number < 3; number++) await make.asset(tenant.id, { value: uniqueDomain(), type: 'domain' });
    const browser = await browserOf(tenant, 'viewer');
    const first = (await browser.get(`/o/${tenant.id}/assets?per_page=2`)).text;
    expect(first).toContain('<title>Assets (3) · Assay</title>');
    const next = /rel="next" href="([^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = (await browser.get(next)).text;
    expect(second).toContain('rel="prev"');
    expect(second.match(/class="main wide"/g)).toHaveLength(1);
  });

  it('have accepted checks, by admins only', async () => {
    const tenant = await make.organization();
    const { id } = await make.asset(tenant.id, { value: uniqueDomain(), type: 'domain' });
    const page = `/o/${tenant.id}/assets/${id}`;
    const accepted = `${page}/accepted-checks`;
    const [admin, member] = [await browserOf(tenant, 'admin'), await browserOf(tenant, 'member')];
    const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const acceptance = { check_id: 'missing-hsts', reason: 'Staging only.', until };
    const late = await admin.submit(page, accepted, { ...acceptance, until: '2000-01-01' });
    expect([late.status, late.text]).toEqual([400, expect.stringContaining('value="Staging only."')]);
    expect(locationOf(await admin.submit(page, accepted, acceptance))).toBe(page);
    const shown = (await member.get(page)).text;
    expect(textOf(shown)).toContain('missing-hsts Its findings Staging only.');
    await admin.submit(page, accepted, { ...acceptance, covers: 'incompleteness' });
    expect(textOf((await member.get(page)).text)).toContain('missing-hsts That it is incomplete Staging only.');
    expect(actionsIn(shown)).not.toContain(accepted);
    expect(await postTo(member, page, accepted, acceptance)).toBe(403);
    await admin.submit(page, `${accepted}/missing-hsts/delete`);
    expect(textOf((await admin.get(page)).text)).not.toContain('Staging only.');
  });

  it('have references of pipelines, by admins only', async () => {
    const tenant = await make.organization();
    const { id } = await make.asset(tenant.id, { value: uniqueDomain(), type: 'domain' });
    const page = `/o/${tenant.id}/assets/${id}`;
    const [admin, member] = [await browserOf(tenant, 'admin'), await browserOf(tenant, 'member')];
    const references = `${page}/references`;
    const wrong = await admin.submit(page, references, { reference: 'main', access_keys: 'as_secret' });
    expect([wrong.status, textOf(wrong.text)]).toEqual([
      400,
      expect.stringContaining('Keys that may record must be at most 20 access keys'),
    ]);
    const keys = { reference: 'main', access_keys: 'ak_one, ak_two' };
    expect(locationOf(await admin.submit(page, references, keys))).toBe(`${page}#references-title`);
    const shown = (await member.get(page)).text;
    expect(textOf(shown)).toContain('main ak_one, ak_two None: pipelines fail');
    expect(actionsIn(shown)).not.toContain(references);
    expect(await postTo(member, page, references, keys)).toBe(403);
    await admin.submit(page, `${references}/main/delete`);
    expect(textOf((await admin.get(page)).text)).not.toContain('ak_one');
  });
});

describe('the domains', () => {
  it('show the record to publish, and are verified by a button', async () => {
    const tenant = await make.organization();
    const [member, viewer] = [await browserOf(tenant, 'member'), await browserOf(tenant, 'viewer')];
    const page = `/o/${tenant.id}/domains`;
    expect(textOf((await member.get(page)).text)).toContain('No domains yet');
    const value = uniqueDomain();
    expect((await member.get(`${page}?value=${value}`)).text).toContain(`value="${value}"`);
    await member.submit(page, page, { value });
    const [domain] = await query<{ id: number; token: string }>(
      'SELECT id, verification_token AS token FROM domains WHERE value = $1',
      [value],
    );
    const added = (await member.get(page)).text;
    expect(textOf(added)).toContain(`Publish this TXT record at ${challengeOf(value)}`);
    expect(added).toContain(`assay-verification=${domain?.token}`);
    expect(actionsIn((await viewer.get(page)).text)).toEqual(['/sign-out']);
    const verify = `${page}/${domain?.id}/verify`;
    await member.submit(page, verify);
    expect(textOf((await member.get(page)).text)).toContain('has no TXT record');
    dns.publish(challengeOf(value), `assay-verification=${domain?.token}`);
    await member.submit(page, verify);
    const verified = (await member.get(page)).text;
    expect(textOf(verified)).toContain('Verified');
    expect(verified).not.toContain(`assay-verification=${domain?.token}`);
    expect(await postTo(member, page, `${page}/${domain?.id}/delete`, {})).toBe(403);
    const admin = await browserOf(tenant, 'admin');
    await admin.submit(page, `${page}/${domain?.id}/delete`);
    expect(textOf((await admin.get(page)).text)).toContain('No domains yet');
  });
});

describe('the beacons', () => {
  it('show their secrets once, and are changed and deleted by admins', async () => {
    const tenant = await make.organization();
    const [admin, member] = [await browserOf(tenant, 'admin'), await browserOf(tenant, 'member')];
    const beacons = `/o/${tenant.id}/beacons`;
    const settings = { name: 'office', allowed_cidrs: '10.1.0.0/16\n10.2.0.0/16', dns_server: '' };
    const refused = await admin.submit(beacons, beacons, { ...settings, allowed_cidrs: '127.0.0.0/8' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('must not include loopback')]);
    expect(refused.text).toContain('127.0.0.0/8</textarea>');
    const created = await admin.submit(beacons, beacons, settings);
    const token = /<pre id="token"[^>]*>([^<]*)</.exec(created.text)?.[1] ?? '';
    expect(token).toMatch(/^\w{2,}/);
    expect(textOf(created.text)).toMatch(/ASSAY_BEACON_TOKEN=.*node assay-beacon.cjs --url .* --beacon-id \d+/);
    const page = /href="([^"]*\/beacons\/\d+)"/.exec(created.text)?.[1] ?? '';
    const shown = (await admin.get(page)).text;
    expect(shown).not.toContain(token);
    expect(shown).toContain('10.1.0.0/16\n10.2.0.0/16</textarea>');
    expect(actionsIn((await member.get(page)).text)).toEqual(['/sign-out']);
    expect(await postTo(member, page, page, settings)).toBe(403);
    expect(shown).toContain('not connected');
    const replaced = await admin.submit(page, `${page}/token`, { overlap_hours: '0' });
    expect(/<pre id="token"[^>]*>(ab_[^<]*)</.exec(replaced.text)?.[1]).not.toBe(token);
    expect(await postTo(member, page, `${page}/token`, { overlap_hours: '0' })).toBe(403);
    for (const [purpose, prefix, command] of [
      ['registration', 'ar', '--from-literal=registration-token='],
      ['deletion', 'ad', '"deletion-token": "'],
    ] as const) {
      const once = await admin.submit(page, `${page}/${purpose}`, {});
      const oneTime = /<pre id="token"[^>]*>([^<]*)</.exec(once.text)?.[1] ?? '';
      expect(oneTime).toMatch(new RegExp(`^${prefix}_\\d+_`));
      expect(textOf(once.text)).toContain(command);
      expect((await admin.get(page)).text).not.toContain(oneTime);
      expect(await postTo(member, page, `${page}/${purpose}`, {})).toBe(403);
    }
    await admin.submit(page, page, { ...settings, name: 'office-2' });
    expect(textOf((await member.get(beacons)).text)).toContain('office-2 Pending 10.1.0.0/16, 10.2.0.0/16');
    await admin.submit(page, `${page}/delete`);
    expect(textOf((await member.get(beacons)).text)).toContain('No beacons yet');
  });
});

describe('the events', () => {
  it('have a scope, findings, a state and a timeline', async () => {
    const tenant = await make.organization();
    const { id: assetId, value } = await make.asset(tenant.id, { value: uniqueDomain(), type: 'domain' });
    const [admin, member] = [await browserOf(tenant, 'admin'), await browserOf(tenant, 'member')];
    const events = `/o/${tenant.id}/events`;
    expect(textOf((await admin.get(events)).text)).toContain('No events yet');
    const draft = { name: unique('Spring test'), event_type: '2', event_category: '1', status: 'draft' };
    const refused = await admin.submit(events, events, { ...draft, start_date: '2026-01-01', end_date: '' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`value="${draft.name}"`)]);
    const page = locationOf(
      await admin.submit(events, events, { ...draft, start_date: '2026-01-01', end_date: '2099-01-31' }),
    );
    expect(textOf((await member.get(page)).text)).toContain('Nothing may be tested in this event yet');
    expect(actionsIn((await member.get(page)).text)).toEqual(['/sign-out']);
    expect(await postTo(member, page, `${page}/scope`, { asset_id: String(assetId) })).toBe(403);
    await admin.submit(page, `${page}/scope`, {
      asset_id: String(assetId),
      in_scope: 'true',
      description: 'Be gentle.',
    });
    await admin.submit(page, `${page}/status`, { status: 'scheduled' });
    const slug = page.split('/').at(-1) ?? '';
    const { client } = await tenant.as('member');
    const recorded = await client.post(`/v1/events/${slug}/findings/`, {
      title: 'By hand',
      asset_id: assetId,
      severity: 'low',
    });
    const shown = (await member.get(page)).text;
    expect(textOf(shown)).toContain(`${value} with Be gentle.`);
    expect(shown).toContain(`href="/o/${tenant.id}/findings/${recorded.body.id}"`);
    expect(textOf(shown)).toMatch(/Scheduled|Running/);
    expect(textOf(shown)).toContain('The event was created');
    await admin.submit(page, `${page}/scope/${assetId}/delete`);
    expect(textOf((await member.get(page)).text)).not.toContain('Be gentle.');
    expect(await operationsOf(tenant.id)).toEqual([
      'event.create',
      'scope_asset.create',
      'event.status_change',
      'finding.record',
      'scope_asset.delete',
    ]);
  });
});

describe('the same address behind two beacons', () => {
  it('has the name of its beacon in the lists of findings and assets, and in the chart of risks', async () => {
    const tenant = await make.organization();
    const value = '10.20.0.5';
    const names = ['berlin', 'oslo'];
    for (const name of names) {
      const { id: beaconId } = await make.beacon(tenant.id, { name });
      const { id } = await make.asset(tenant.id, { value, type: 'ip', beaconId });
      await make.finding(tenant.id, { asset: { id, value, tier: null, beaconId }, severity: 'high' });
    }
    const browser = await browserOf(tenant, 'viewer');
    const [findings, assets, overview] = await Promise.all(
      ['findings', 'assets', 'overview'].map(async (page) => (await browser.get(`/o/${tenant.id}/${page}`)).text),
    );
    for (const name of names) {
      for (const list of [findings, assets])
        expect(list).toContain(`${value}</a><span class="muted">, through ${name}</span>`);
      expect(overview).toContain(`${value} (${name})</a><svg`);
    }
  });
});

describe('an error', () => {
  it('keeps the frame of a user on a path that no page has, and shows none to others', async () => {
    const tenant = await make.organization();
    const browser = await signedInAs(api, portal, await tenant.as('viewer'));
    for (const path of ['/nowhere', `/o/${tenant.id}/nowhere/at/all`]) {
      const { status, text } = await browser.get(path);
      expect([status, text.includes('aria-label="Main"'), text.includes(tenant.name)]).toEqual([404, true, true]);
    }
    const stranger = await new Browser(portal).get('/nowhere');
    expect(stranger.status).toBe(404);
    expect(stranger.text).toContain('This page does not exist');
    expect(stranger.text).not.toContain('aria-label="Main"');
  });

  it('keeps the frame of the organization and names it, for what a role may not see and for what does not exist', async () => {
    const tenant = await make.organization();
    const browser = await browserOf(tenant, 'member');
    for (const [path, status, title] of [
      ['audit', 403, 'You may not do this'],
      ['findings/2147483647', 404, 'This page does not exist'],
    ] as const) {
      const page = await browser.get(`/o/${tenant.id}/${path}`);
      expect([page.status, page.text]).toEqual([status, expect.stringContaining(`>${title}</h1>`)]);
      expect(page.text).toContain('aria-label="Search findings"');
      expect(page.text).toContain(`<bdi>${tenant.name}</bdi></summary>`);
      expect(page.text).not.toContain(`organization ${tenant.id}`);
    }
    const other = await make.organization();
    const foreign = await browser.get(`/o/${other.id}/audit`);
    expect([foreign.status, foreign.text]).toEqual([
      404,
      expect.stringContaining(`<bdi>${tenant.name}</bdi></summary>`),
    ]);
    expect(foreign.text).toContain('Search findings');
    expect(foreign.text).not.toContain(other.name);
  });
});

describe('the reports', () => {
  it('are ordered, previewed without rights, downloaded and deleted', async () => {
    const tenant = await make.organization();
    await make.finding(tenant.id, { title: 'In the report' });
    const [admin, member, viewer] = [
      await browserOf(tenant, 'admin'),
      await browserOf(tenant, 'member'),
      await browserOf(tenant, 'viewer'),
    ];
    const reports = `/o/${tenant.id}/reports`;
    expect((await viewer.get(reports)).text).not.toContain('New report');
    expect((await viewer.get(`${reports}/new`)).status).toBe(403);
    const form = `${reports}/new`;
    expect((await member.get(reports)).text).toContain(`href="${form}"`);
    const order = { subject: 'organization', format: 'html', min_severity: 'none', section_findings: 'true' };
    const reversed = { ...order, title: 'My title', start_date: '2026-02-01', end_date: '2026-01-01' };
    const refused = await member.submit(form, reports, reversed);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('value="My title"')]);
    expect(await postTo(viewer, reports, reports, order)).toBe(403);
    const page = locationOf(await member.submit(form, reports, { ...order, title: 'My title' }));
    await eventually(async () => expect((await viewer.get(`${page}/live`)).text).toContain('Download the HTML file'));
    expect((await viewer.get(page)).text).toContain('<h1 dir="auto">My title</h1>');
    const preview = await viewer.get(`${page}/preview`);
    expect(preview.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(preview.headers.get('content-disposition')).toBe('inline');
    expect(preview.text).toContain('In the report');
    expect(preview.text).not.toContain('Methodology');
    const download = await viewer.get(`${page}/download`);
    expect(download.headers.get('content-disposition')).toContain('attachment');
    expect(download.text).toBe(preview.text);
    expect(await postTo(member, page, `${page}/delete`, {})).toBe(403);
    expect(locationOf(await admin.submit(page, `${page}/delete`))).toBe(reports);
    expect((await viewer.get(page)).status).toBe(404);
  });

  it('are only about events and jobs of the organization in the path', async () => {
    const [one, other] = [await make.organization(), await make.organization()];
    const person = await one.as('member');
    await make.membership(person.userId, other.id, 'member');
    const { slug } = await make.event(other.id);
    const browser = await signedInAs(api, portal, person);
    const reports = `/o/${one.id}/reports`;
    const order = { subject: `event ${slug}`, format: 'csv', min_severity: 'none' };
    expect((await browser.submit(`${reports}/new`, reports, order)).status).toBe(404);
    const foreign = `new?${new URLSearchParams({ subject: `event ${slug}` })}`;
    expect((await browser.get(`${reports}/${foreign}`)).status).toBe(404);
    const own = `/o/${other.id}/reports`;
    expect((await browser.get(`${own}/${foreign}`)).status).toBe(200);
    expect((await browser.submit(`${own}/${foreign}`, own, order)).status).toBe(303);
  });

  it('begin with presets and a draft of the facts, and say what they have and leave out', async () => {
    const tenant = await make.organization();
    const shown = await make.finding(tenant.id, { title: 'Shown *first*', severity: 'critical' });
    const hidden = await make.finding(tenant.id, { title: 'Hidden <b>', severity: 'low' });
    const person = await tenant.as('member');
    const browser = await signedInAs(api, portal, person);
    const reports = `/o/${tenant.id}/reports`;
    const form = `${reports}/new`;
    const empty = (await browser.get(form)).text;
    expect(empty).toMatch(/<textarea[^>]* name="summary"[^>]*><\/textarea>/);
    const drafted = (await browser.get(`${form}?draft=true`)).text;
    expect(drafted).toContain('There are 2 findings: 1 critical and 1 low.');
    expect(drafted).toContain('0 of 2 findings were retested: 0 are fixed and proved, and 0 are still vulnerable.');
    expect(drafted).toContain(`1. Fix finding ${shown.id}, Shown \\*first\\*, on `);
    expect(drafted).toContain('value="Critical risk"');
    const letter = (await browser.get(`${form}?preset=letter`)).text;
    expect([letter.includes('name="summary"'), letter.includes('value="csv"')]).toEqual([false, false]);
    expect((await browser.get(`${form}?preset=comparison`)).text).toContain('There is no earlier report');
    const bad = await browser.submit(form, reports, {
      subject: 'organization',
      format: 'json',
      min_severity: 'none',
      first_findings: 'x',
      summary: 'Kept text',
      left_out: String(hidden.id),
    });
    expect([bad.status, bad.text]).toEqual([400, expect.stringContaining('must be numbers of findings')]);
    expect(bad.text).toContain('Kept text</textarea>');
    expect(bad.text).toMatch(new RegExp(`name="left_out" value="${hidden.id}" checked`));
    const order = {
      subject: 'organization',
      format: 'html',
      min_severity: 'none',
      kind: 'report',
      order: 'severity',
      first_findings: `#${shown.id}`,
      left_out: String(hidden.id),
      compare_with: '',
      rating: 'Critical risk',
      summary: 'In *my* words',
    };
    const page = locationOf(await browser.submit(form, reports, order));
    await eventually(async () => expect((await browser.get(`${page}/live`)).text).toContain('Download the HTML file'));
    const text = textOf((await browser.get(page)).text);
    expect(text).toMatch(/What is in it 1 finding: 1 critical\. 1 open, 0 resolved\./);
    expect(text).toContain(`Not in it: 1 #${hidden.id} Hidden &lt;b> It was left out by choice.`);
    const preview = (await browser.get(`${page}/preview`)).text;
    expect(preview).toContain('In <em>my</em> words');
    const again = await browser.get(`${form}?preset=comparison`);
    expect(again.text).toMatch(new RegExp(`value="${page.split('/').at(-1)}" selected`));
  });
});
