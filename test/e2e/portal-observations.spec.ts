import { type RunningWorker, startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { FakeHostObserver, host, port } from '../support/fake-host-observer';
import { type Browser, signedInAs, usePortal } from '../support/portal';

/** An API of its own, because its worker sees no network. */
const api = useApi({});
const portal = usePortal(api);
const make = new Factories(api);
const observer = new FakeHostObserver();
let worker: RunningWorker;

beforeAll(async () => {
  worker = await startWorker();
  observer.installIn(worker.context);
});
afterAll(() => worker.stop());

interface Fixture {
  readonly tenant: Tenant;
  readonly name: string;
  readonly page: string;
  readonly browser: Browser;
}

const browserOf = async (tenant: Tenant, role: Parameters<Tenant['as']>[0]): Promise<Browser> =>
  signedInAs(api, portal, await tenant.as(role));

/** The asset of a verified domain, and a browser of a member. */
async function createAsset(): Promise<Fixture> {
  const tenant = await make.organization();
  const { value: name } = await make.domain(tenant.id, { verified: true });
  const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1', [tenant.id]);
  const page = `/o/${tenant.id}/assets/${asset?.id}`;
  return { tenant, name, page, browser: await browserOf(tenant, 'member') };
}

const plain = (html: string): string =>
  html
    .replace(/<style[^]*?<\/style>|<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The section of a page with this heading, as text. */
const sectionOf = (html: string, heading: string): string | undefined =>
  html
    .match(/<section[^]*?<\/section>/g)
    ?.map(plain)
    .find((section) => section.startsWith(heading));

const shown = async ({ browser, page }: Fixture, heading: string): Promise<string> =>
  sectionOf((await browser.get(page)).text, heading) ?? '';

/** Observes the asset with its button, and waits until the page says that it is over. */
async function observe(fixture: Fixture, shows: Parameters<FakeHostObserver['show']>[1]): Promise<void> {
  observer.show(fixture.name, shows);
  const answer = await fixture.browser.submit(fixture.page, `${fixture.page}/observe`);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, fixture.page]);
  await eventually(async () => expect(await shown(fixture, 'What runs here')).toContain('Observe now'));
}

const certificate = (sha256: string, until: string) => ({
  subject: 'CN=www.example.com',
  issuer: "C=US, O=Let's Encrypt, CN=R11",
  serial: '1',
  sha256,
  from: '2026-01-01T00:00:00.000Z',
  until,
  names: 'DNS:www.example.com, DNS:example.com',
  covers: true,
  key: { type: 'EC', bits: 256 },
  signature: null,
});
const nginx = (version: string) => ({ name: 'nginx', vendor: 'F5', version, os: '', cpe: '', source: 'Server header' });
const https = (version: string, sha256: string, until: string) =>
  port(443, {
    service: 'https',
    security: 'tls',
    certificate: certificate(sha256, until),
    technologies: [nginx(version)],
  });

describe("an asset's page", () => {
  it('shows the hosts, ports, services, technologies and certificates of the last look, and what has changed', async () => {
    const fixture = await createAsset();
    expect(await shown(fixture, 'What runs here')).toContain('Last look none yet');
    const until = '2999-02-01T00:00:00.000Z';
    await observe(fixture, {
      hosts: [host('192.0.2.7', https('1.22.1', 'aa', until), port(8080, { state: 'closed' }))],
    });
    expect(await shown(fixture, 'What runs here')).toContain(
      "192.0.2.7 Port Service Security Technologies Certificate 443 https TLS nginx 1.22.1 www.example.com, example.com ends 2999-02-01, by Let's Encrypt",
    );
    expect(await shown(fixture, 'Changes')).toContain('Nothing has changed since the first look.');
    const later = https('1.24.0', 'bb', '2999-03-01T00:00:00.000Z');
    await observe(fixture, { hosts: [host('192.0.2.7', later, port(8080, { service: 'http' }))] });
    const changes = await shown(fixture, 'Changes');
    expect(changes).toContain('Port 8080 opened (http).');
    expect(changes).toContain('nginx 1.22.1 → 1.24.0 on port 443.');
    expect(changes).toContain('The certificate on port 443 was replaced; it ends on 2999-03-01.');
    expect(plain((await fixture.browser.get(`${fixture.page}/changes`)).text)).toContain('Port 8080 opened (http).');
    expect(plain((await fixture.browser.get(`${fixture.page}/observation`)).text)).toMatch(/^What runs here/);
  });

  it('says how far the search of a block has come', async () => {
    const tenant = await make.organization();
    const { id } = await make.asset(tenant.id, { value: '10.20.0.0/19', type: 'cidr' });
    await query(
      `INSERT INTO observed_assets (asset_id, organization_id, block_position, block_searched, block_searched_at, block_completed)
       VALUES ($1, $2, 4096, 4096, now(), '2026-01-31T12:00:00Z')`,
      [id, tenant.id],
    );
    const page = `/o/${tenant.id}/assets/${id}`;
    const section = sectionOf((await (await browserOf(tenant, 'viewer')).get(page)).text, 'What runs here');
    expect(section).toContain('Searched today 4,096 addresses This search 4,096 of 8,190 addresses Last complete');
    expect(section).toContain('2026');
  });

  it('shows the newest 20 changes, and links to a page with all', async () => {
    const fixture = await createAsset();
    const { browser, page, tenant } = fixture;
    await query(
      `INSERT INTO asset_changes (id, organization_id, asset_id, seen, kind, address, port, after)
       SELECT lpad(n::text, 32, '0')::uuid, $1, $2, now(), 'port_opened', '192.0.2.7', n, '{}' FROM generate_series(1, 25) n`,
      [tenant.id, Number(page.split('/').at(-1))],
    );
    const portsOn = (html: string): number[] => [...html.matchAll(/Port (\d+) opened/g)].map(([, n]) => Number(n));
    const { text } = await browser.get(page);
    expect(portsOn(text)).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
    expect(text).toContain(`href="${page}/changes"`);
    const [, next = ''] = /rel="next" href="([^"]*)"/.exec((await browser.get(`${page}/changes`)).text) ?? [];
    expect(portsOn((await browser.get(next.replaceAll('&amp;', '&'))).text)).toEqual([5, 4, 3, 2, 1]);
  });

  it('says who else runs the host, that this limits the ports, and why a look showed nothing', async () => {
    const fixture = await createAsset();
    const hosting = { by: 'GitHub Pages', target: 'example.github.io' };
    await observe(fixture, { hosts: [host('192.0.2.7', port(443))], hosting });
    const section = await shown(fixture, 'What runs here');
    expect(section).toContain('Run by GitHub Pages ( example.github.io )');
    expect(section).toContain('Only ports 80 and 443 are tried');
    await observe(fixture, 'It has no address. Correct its records.');
    expect(await shown(fixture, 'What runs here')).toContain(
      'The last look showed nothing. It has no address. Correct its records.',
    );
  });

  it('shows that a look runs, and asks for the result by itself', async () => {
    const fixture = await createAsset();
    observer.show(fixture.name, { hosts: [] });
    const release = observer.hold(fixture.name);
    await fixture.browser.submit(fixture.page, `${fixture.page}/observe`);
    const { text } = await fixture.browser.get(fixture.page);
    expect(text).toContain(`hx-get="${fixture.page}/observation"`);
    expect(sectionOf(text, 'What runs here')).toContain('Assay is looking at it now.');
    expect(text).not.toContain('Observe now');
    release();
    await eventually(async () => expect(await shown(fixture, 'What runs here')).toContain('Observe now'));
    expect((await fixture.browser.get(fixture.page)).text).not.toContain(`hx-get="${fixture.page}`);
  });

  it('lets an admin, but not a member, confirm who runs the host and withdraw that', async () => {
    const fixture = await createAsset();
    const { page } = fixture;
    const admin = { ...fixture, browser: await browserOf(fixture.tenant, 'admin') };
    expect(await shown(admin, 'What runs here')).not.toContain('Confirm the host');
    await observe(fixture, {
      hosts: [host('192.0.2.7', port(443))],
      hosting: { by: 'GitHub Pages', target: 'example.github.io' },
    });
    expect(await shown(fixture, 'What runs here')).not.toContain('Confirm the host');
    const csrf = /name="csrf" value="([^"]*)"/.exec((await fixture.browser.get(page)).text)?.[1] ?? '';
    expect((await fixture.browser.post(`${page}/observe/host`, { csrf, own_target: 'example.github.io' })).status).toBe(
      403,
    );
    const decide = async (fields: Record<string, string>) =>
      (await admin.browser.submit(page, `${page}/observe/host`, fields)).status;
    const decisions = () =>
      query('SELECT own_target, permitted_target FROM observed_assets WHERE asset_id = $1', [
        Number(page.split('/').at(-1)),
      ]);
    const section = () => shown(admin, 'What runs here');
    expect(await section()).toContain(
      'Its operator permits it : GitHub Pages allows you to test this host on further ports',
    );
    expect(await decide({ permitted_target: 'example.github.io' })).toBe(303);
    expect(await decisions()).toEqual([{ own_target: null, permitted_target: 'example.github.io' }]);
    expect(await section()).toContain('An admin has confirmed that the operator of the host permits wider tests.');
    expect(await section()).not.toContain('Only ports 80 and 443');
    expect(await decide({})).toBe(303);
    expect(await decisions()).toEqual([{ own_target: null, permitted_target: null }]);
    expect(await decide({ own_target: 'example.github.io' })).toBe(303);
    expect(await decisions()).toEqual([{ own_target: 'example.github.io', permitted_target: null }]);
    expect(await section()).toContain('An admin has confirmed that the host is your own.');
    expect(await decide({})).toBe(303);
    expect(await decide({ own_target: 'old.github.io' })).toBe(422);
    expect(await decisions()).toEqual([{ own_target: null, permitted_target: null }]);
  });

  it('lets an admin turn off the observation of an asset, a beacon and the organization, and set its interval', async () => {
    const { tenant, page } = await createAsset();
    const admin = await browserOf(tenant, 'admin');
    const asset = () => query('SELECT observe FROM assets WHERE organization_id = $1', [tenant.id]);
    for (const observe of [false, true]) {
      expect((await admin.submit(page, `${page}/observe/setting`, { observe: String(observe) })).status).toBe(303);
      expect(await asset()).toEqual([{ observe }]);
    }
    const settings = `/o/${tenant.id}/settings/organization`;
    const save = async (fields: Record<string, string>) =>
      (await admin.submit(settings, `${settings}/observation`, fields)).status;
    const organization = () =>
      query('SELECT observation_enabled AS "on", observe_every_hours AS hours FROM organizations WHERE id = $1', [
        tenant.id,
      ]);
    expect(await save({ enabled: 'true', every_hours: '100' })).toBe(303);
    expect(await organization()).toEqual([{ on: true, hours: 100 }]);
    expect(await save({ enabled: 'false', every_hours: '' })).toBe(303);
    expect(await organization()).toEqual([{ on: false, hours: null }]);
    const { id } = await make.beacon(tenant.id);
    const beacon = `/o/${tenant.id}/beacons/${id}`;
    const fields = { name: 'office', allowed_cidrs: '10.1.0.0/16', dns_server: '' };
    const isOn = () => query('SELECT observation_enabled AS "on" FROM beacons WHERE id = $1', [id]);
    expect((await admin.submit(beacon, beacon, fields)).status).toBe(303);
    expect(await isOn()).toEqual([{ on: false }]);
    expect((await admin.submit(beacon, beacon, { ...fields, observe: 'true' })).status).toBe(303);
    expect(await isOn()).toEqual([{ on: true }]);
  });

  it('lets an admin choose ports, and shows at the field why they are refused', async () => {
    const fixture = await createAsset();
    const { page } = fixture;
    const admin = await browserOf(fixture.tenant, 'admin');
    const save = (ports: string) => admin.submit(page, `${page}/observe/ports`, { observe_ports: ports });
    const refused = await save('22,70000');
    expect([refused.status, plain(refused.text)]).toEqual([400, expect.stringContaining('Further ports')]);
    expect(refused.text).toMatch(/<details class="panel" open[^]*id="observe_ports-error"/);
    expect((await save('22,3000-3002')).status).toBe(303);
    expect((await admin.get(page)).text).toContain('value="22,3000-3002"');
    const entries = await query(
      `SELECT resource_type, resource_id FROM audit_logs WHERE operation = 'asset.observation_change' AND status = 'success'
         AND organization_id = $1`,
      [fixture.tenant.id],
    );
    expect(entries).toEqual([{ resource_type: 'asset', resource_id: page.split('/').at(-1) }]);
    expect((await save('')).status).toBe(303);
    expect((await admin.get(page)).text).not.toContain('value="22,3000-3002"');
    expect((await fixture.browser.get(page)).text).not.toContain('Further ports');
  });

  it('cancels a running observation', async () => {
    const fixture = await createAsset();
    const { browser, page } = fixture;
    observer.show(fixture.name, { hosts: [] });
    const release = observer.hold(fixture.name);
    await browser.submit(page, `${page}/observe`);
    expect(await shown(fixture, 'What runs here')).toContain('Cancel the observation');
    const viewer = await browserOf(fixture.tenant, 'viewer');
    expect(plain((await viewer.get(page)).text)).not.toContain('Cancel the observation');
    expect((await browser.submit(page, `${page}/observe/cancel`)).status).toBe(303);
    release();
    expect(await shown(fixture, 'What runs here')).toContain('Observe now');
    const [row] = await query<{ uuid: string; status: string }>(
      'SELECT uuid, status FROM observations WHERE organization_id = $1',
      [fixture.tenant.id],
    );
    expect(row?.status).toBe('CANCELED');
    const sql = `SELECT resource_id FROM audit_logs WHERE operation = 'asset.observation_cancel' AND organization_id = $1`;
    expect(await query(sql, [fixture.tenant.id])).toEqual([{ resource_id: row?.uuid }]);
  });

  it('has no button for a viewer, and none where the asset may not be observed, with the reason', async () => {
    const fixture = await createAsset();
    const viewer = await browserOf(fixture.tenant, 'viewer');
    const { text } = await viewer.get(fixture.page);
    expect(text).not.toContain('Observe now');
    const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
    expect((await viewer.post(`${fixture.page}/observe`, { csrf })).status).toBe(403);
    const { id } = await make.asset(fixture.tenant.id, { value: 'foreign.example', type: 'domain' });
    const foreign = { ...fixture, page: `/o/${fixture.tenant.id}/assets/${id}` };
    const section = await shown(foreign, 'What runs here');
    expect(section).toContain('It is not observed.');
    expect(section).toMatch(/domain/i);
    expect(section).not.toContain('Observe now');
    await query('UPDATE assets SET observe = false WHERE id = $1', [Number(fixture.page.split('/').at(-1))]);
    const turnedOff = await shown(fixture, 'What runs here');
    expect(turnedOff).toContain('An admin has turned off the observation of this asset.');
    expect(turnedOff).not.toContain('Observe now');
  });

  it('does not exist for another organization', async () => {
    const fixture = await createAsset();
    const tenant = await make.organization();
    const other = await browserOf(tenant, 'owner');
    const own = fixture.page.replace(/^\/o\/\d+/, `/o/${tenant.id}`);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await other.get(`/o/${tenant.id}`)).text)?.[1] ?? '';
    for (const page of [fixture.page, own]) {
      const statuses = ['', '/observation', '/changes'].map(async (rest) => (await other.get(page + rest)).status);
      expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
      expect((await other.post(`${page}/observe`, { csrf })).status).toBe(404);
    }
  });
});

describe('the home of an organization', () => {
  it('shows the changes of the week by kind, and the newest three with their assets', async () => {
    const fixture = await createAsset();
    const home = `/o/${fixture.tenant.id}`;
    const week = async (): Promise<string | undefined> =>
      sectionOf((await fixture.browser.get(home)).text, 'Changes on your assets');
    const looks = (state: 'open' | 'closed') => ({
      hosts: ['192.0.2.7', '192.0.2.8'].map((address) =>
        host(address, ...[80, 443, 8080, 8443].map((number) => port(number, { state }))),
      ),
    });
    await observe(fixture, looks('closed'));
    expect(await week()).toBeUndefined();
    await observe(fixture, looks('open'));
    const section = (await week()) ?? '';
    expect(section).toMatch(/^Changes on your assets 8 8 ports opened\./);
    expect(section.split(fixture.name)).toHaveLength(4);
    expect(section).toMatch(/Port (80|443|8080|8443) opened\./);
    await query(`UPDATE asset_changes SET seen = seen - interval '8 days' WHERE organization_id = $1`, [
      fixture.tenant.id,
    ]);
    expect(await week()).toBeUndefined();
  });
});
