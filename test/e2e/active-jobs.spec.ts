import { EventJobs, WINDOW_CLOSED } from '../../src/modules/jobs';
import { everything } from '../../src/platform/api/scope';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { useDnsServer } from '../support/dns-server';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';
import { signedInAs, usePortal } from '../support/portal';
import { Shop } from '../support/shop';
import { withLimit } from '../support/stored-limits';

const shop = new Shop();
beforeAll(() => shop.start());
afterAll(() => shop.stop());
beforeEach(() => shop.reset());

const dns = useDnsServer();

const settings = {
  get DNS_SERVERS() {
    return dns.settings.DNS_SERVERS;
  },
  get EGRESS_ALLOW() {
    return `127.0.0.1:${shop.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};

const api = useApi(settings);
useWorker(settings);
const portal = usePortal(api);
const make = new Factories(api);

const ACTIVE = { depth: 'active', checks: ['reflected-input', 'missing-nosniff'] };

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly url: string;
  readonly asset: string;
}

async function createFixture(activeTests = 'read_only'): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const url = `http://127.0.0.1:${shop.port}/`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  const asset = `/v1/assets/${id}`;
  const admin = await tenant.as('admin');
  const changed = await admin.client.patch(asset, { active_tests: activeTests });
  expect(changed.status).toBe(200);
  shop.publish(changed.body);
  return { tenant, client, url, asset };
}

const openTitles = async ({ client, tenant }: Fixture) =>
  (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100&status=1`)).body.findings.map(
    ({ title }: { title: string }) => title,
  );

describe('an active job', () => {
  it('finds a weakness at an insertion point, confirms its fix, and finds it again', async () => {
    const fixture = await createFixture();
    const { client, url } = fixture;
    const uuid = await runJob(client, url, ACTIVE);
    const { job } = (await client.get(`/v1/jobs/${uuid}`)).body;
    expect(job).toMatchObject({ depth: 'active', status: 'FINISHED' });
    const { pages, shapes, points, tested, reason } = job.active;
    expect(pages).toBeGreaterThanOrEqual(shapes);
    expect(points).toBeGreaterThanOrEqual(2);
    expect({ tested, reason }).toEqual({ tested: points, reason: null });
    const listed = (await client.get(`/v1/jobs/${uuid}/points?per_page=100&tested=true`)).body.points;
    expect(listed).toHaveLength(tested);
    expect(listed).toContainEqual(expect.objectContaining({ kind: 'query', name: 'q', tested: true, method: 'GET' }));
    expect((await client.get(`/v1/jobs/${uuid}/points?tested=false`)).body.points).toEqual([]);
    expect(await openTitles(fixture)).toContainEqual(expect.stringMatching(/Reflected XSS/));
    shop.isFixed = true;
    await runJob(client, url, ACTIVE);
    expect(await openTitles(fixture)).not.toContainEqual(expect.stringMatching(/Reflected XSS/));
    shop.isFixed = false;
    await runJob(client, url, ACTIVE);
    expect(await openTitles(fixture)).toContainEqual(expect.stringMatching(/Reflected XSS/));
  });

  it('is refused where the asset does not allow it, with what to do', async () => {
    const { client, url, asset, tenant } = await createFixture('off');
    const refused = await client.post('/v1/jobs/launch', { url, ...ACTIVE });
    expect(refused.status).toBe(422);
    expect(refused.body.description).toBe(
      `The job cannot be launched. Active tests are off for ${url}: an admin can allow them on the page of the asset, or by its active_tests.`,
    );
    expect((await client.post('/v1/jobs/check', { url, ...ACTIVE })).body).toMatchObject({
      valid: false,
      reason: expect.stringMatching(/^Active tests are off/),
    });
    expect((await client.post('/v1/jobs/check', { url })).body.valid).toBe(true);
    expect((await client.patch(asset, { active_tests: 'read_only' })).status).toBe(403);
    expect((await client.patch(asset, { requests_per_second: 20 })).status).toBe(403);
    const admin = await tenant.as('admin');
    const full = await admin.client.patch(asset, { active_tests: 'full' });
    expect(full.status).toBe(422);
    expect((await admin.client.patch(asset, { active_tests: 'full', confirm_full: 'other.example' })).status).toBe(422);
    const { audit_logs: logs } = (await admin.client.get('/v1/audit-logs/?operation=asset.change&per_page=50')).body;
    expect(
      logs.map(({ status, metadata }: { status: string; metadata: object }) => ({ status, metadata })),
    ).toContainEqual({
      status: 'success',
      metadata: expect.objectContaining({
        from: expect.objectContaining({ active_tests: 'off' }),
        to: { active_tests: 'off' },
      }),
    });
    expect(full.body.description).toMatch(/^active_tests cannot be full without confirm_full, .* stays on the target/);
    expect((await client.get(asset)).body).toMatchObject({ active_tests: 'off', requests_per_second: null });
    expect(shop.received).toEqual([]);
  });
});

it('a weakness is one finding, whichever depth of a job has seen it first and sees it again', async () => {
  const { client, tenant, url, asset } = await createFixture();
  shop.writing = '<a href="/go?next=/item">Item</a>';
  const checks = ['open-redirect'];
  const findings = (): Promise<object[]> =>
    query(`SELECT id, status, check_definition ->> 'location' AS location FROM findings WHERE organization_id = $1`, [
      tenant.id,
    ]);
  await runJob(client, url, { checks });
  const [first, ...others] = await findings();
  expect([first, others]).toEqual([expect.objectContaining({ location: url }), []]);
  await runJob(client, url, { ...ACTIVE, checks });
  expect(await findings()).toEqual([{ ...first, location: `${url}go?next` }]);
  await runJob(client, url, { checks });
  expect(await findings()).toEqual([{ ...first, location: `${url}go?next` }]);
  // Then nothing repeats the experiment.
  expect((await (await tenant.as('admin')).client.patch(asset, { active_tests: 'off' })).status).toBe(200);
  const again = await runJob(client, url, { checks });
  expect(await findings()).toEqual([{ ...first, location: `${url}go?next` }]);
  expect((await client.get(`/v1/jobs/${again}/success`)).body.failing_findings).toHaveLength(1);
});

it('what a job leaves out is listed with the word, and requested after an admin allows it, unless it creates something', async () => {
  const { client, tenant, url, asset } = await createFixture();
  shop.writing =
    '<a href="/transfer?to=7">x</a><a href="/createdb">x</a><form method=post action="/buy"><button>Go</button></form>';
  const first = await runJob(client, url, ACTIVE);
  const listOf = async (uuid: string): Promise<object[]> =>
    (await client.get(`/v1/jobs/${uuid}/left-out?per_page=100`)).body.left_out;
  const entry = { method: 'GET', source: 'link', by: 'word', count: 1, account_id: null };
  const transfer = { ...entry, path: '/transfer?to=7', reason: 'transfer', allowable: true };
  const creation = { ...entry, path: '/createdb', reason: 'create', allowable: false };
  const sending = {
    ...entry,
    method: 'POST',
    path: '/buy',
    source: 'form',
    by: 'method',
    reason: 'POST',
    allowable: false,
  };
  expect(await listOf(first)).toEqual(expect.arrayContaining([transfer, creation, sending]));
  expect((await client.get(`/v1/jobs/${first}`)).body.job.active).toMatchObject({ left_out: 3, notes: [] });
  expect((await client.patch(asset, { allowed_paths: ['/transfer?to=7'] })).status).toBe(403);
  const { client: admin } = await tenant.as('admin');
  const refused = await admin.patch(asset, { allowed_paths: ['/transfer?to=7', '/createdb'] });
  expect([refused.status, refused.body.description]).toEqual([
    422,
    expect.stringMatching(/^allowed_paths cannot have \/createdb: create says that it deletes, creates or resets/),
  ]);
  const page = `/o/${tenant.id}/scans/${first}/left-out`;
  const form = { path: '/transfer?to=7', scan: first };
  const address = `/o/${tenant.id}/assets/${asset.split('/').at(-1)}/active-paths`;
  const browser = await signedInAs(api, portal, await tenant.as('admin'));
  expect((await browser.get(page)).text).toContain('the word: transfer');
  expect((await browser.submit(page, address, { ...form, decision: 'allow' })).status).toBe(303);
  expect((await admin.get(asset)).body.allowed_paths).toEqual(['/transfer?to=7']);
  expect((await browser.get(page)).text).toContain('allowed for the next scan');
  const second = await runJob(client, url, ACTIVE);
  const requested = (): string[] => shop.received.map((one) => one.url);
  expect(requested()).toContain('/transfer?to=7');
  expect(requested().filter((one) => /createdb|buy/.test(one))).toEqual([]);
  expect(await listOf(second)).not.toContainEqual(transfer);
  expect((await browser.submit(page, address, { ...form, decision: 'forbid' })).status).toBe(303);
  shop.received.length = 0;
  await runJob(client, url, ACTIVE);
  expect(requested().filter((one) => one.startsWith('/transfer'))).toEqual([]);
  expect(await listOf(second)).toContainEqual({
    ...transfer,
    by: 'forbidden',
    reason: 'an admin has forbidden it',
    allowable: false,
  });
  const { audit_logs: logs } = (await admin.get('/v1/audit-logs/?operation=asset.change&per_page=50')).body;
  expect(logs.map(({ metadata }: { metadata: { to: object } }) => metadata.to)).toContainEqual({
    allowed_paths: [],
    forbidden_paths: ['/transfer?to=7'],
  });
});

it('a job without room for the points of a site is incomplete, unless its caller allows that', async () => {
  const { client, url } = await createFixture();
  shop.isFixed = true;
  await withLimit('active_points', 1, async () => {
    const uuid = await runJob(client, url, ACTIVE);
    const { success, description } = (await client.get(`/v1/jobs/${uuid}/success`)).body;
    expect([success, description]).toEqual([false, expect.stringContaining('some points were left out')]);
    expect((await client.get(`/v1/jobs/${uuid}/success?incomplete=allow`)).body.success).toBe(true);
  });
});

it('each request of an active job names the job, and its list is kept', async () => {
  const { client, url } = await createFixture();
  const uuid = await runJob(client, url, ACTIVE);
  expect(new Set(shop.received.map(({ job }) => job))).toEqual(new Set([uuid]));
  const { status, text, headers } = await client.get(`/v1/jobs/${uuid}/requests`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  const [header, ...lines] = text.trimEnd().split('\n');
  expect(header).toBe('time\tmethod\tURL\tstatus\tms');
  expect(lines.filter((line) => line.includes('\thttp://')).length).toBeGreaterThanOrEqual(shop.received.length);
  expect(lines[0]).toMatch(/^20\S+Z\tGET\thttp:\/\/127\.0\.0\.1:\d+\/\S*\t\d{3}\t\d+$/);
  const standard = await runJob(client, url, { checks: ['missing-nosniff'] });
  expect(shop.received.at(-1)?.job).toBeUndefined();
  expect((await client.get(`/v1/jobs/${standard}/requests`)).status).toBe(404);
});

it('a proof is shown as an experiment with a command that repeats it, and signed with a retest', async () => {
  const { client, url, tenant } = await createFixture();
  await runJob(client, url, ACTIVE);
  const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body;
  const { id } = findings.find(({ title }: { title: string }) => /Reflected XSS/.test(title));
  const { experiment } = (await client.get(`/v1/findings/${id}/baseline`)).body;
  expect(experiment).toMatchObject({ kind: 'query', name: 'q', certainty: expect.any(String) });
  expect(experiment.rows.length).toBeGreaterThan(1);
  expect(experiment.curl).toMatch(/^curl --include .* 'http:\/\/127\.0\.0\.1:\d+\/search\?q=\S+'$/);
  expect((await client.post(`/v1/findings/${id}/retest`)).status).toBe(202);
  await eventually(async () => {
    expect((await client.get(`/v1/findings/${id}/retest`)).body).toMatchObject({ result: 'still_vulnerable' });
  }, 60_000);
  const { evidence, signature } = (await client.get(`/v1/findings/${id}/retest/evidence`)).body;
  expect(evidence.baseline.experiment.rows).toEqual(expect.arrayContaining([expect.objectContaining({ step: 1 })]));
  expect(signature.algorithm).toBe('Ed25519');
});

it('a finding of an active check is not tested again without consent', async () => {
  const { client, url, tenant, asset } = await createFixture('off');
  const assetId = Number(asset.split('/').at(-1));
  const { id } = await make.finding(tenant.id, {
    asset: { id: assetId, value: url, tier: null },
    checkId: 'sql-injection',
    checkDefinition: { location: `${url}item?id` },
  });
  const refused = await client.post(`/v1/findings/${id}/retest`);
  expect(refused.status).toBe(409);
  expect(refused.body.description).toBe(
    `The finding cannot be retested: Active tests are off for ${url}: an admin can allow them on the page of the asset, or by its active_tests.`,
  );
  expect(shop.received).toEqual([]);
});

it('a finding that an experiment showed is tested again by retests and jobs only with consent', async () => {
  const fixture = await createFixture();
  const { client, url, tenant, asset } = fixture;
  await runJob(client, url, ACTIVE);
  const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body;
  const { id } = findings.find(({ title }: { title: string }) => /Reflected XSS/.test(title));
  const admin = await tenant.as('admin');
  await admin.client.patch(asset, { active_tests: 'off' });
  const refused = await client.post(`/v1/findings/${id}/retest`);
  expect(refused.status).toBe(409);
  expect(refused.body.description).toMatch(/^The finding cannot be retested: Active tests are off for http:\S+: /);
  // A job of any depth would repeat the experiment to confirm the fix.
  shop.isFixed = true;
  const standard = { checks: ['reflected-input'] };
  await runJob(client, url, standard);
  expect(await openTitles(fixture)).toContainEqual(expect.stringMatching(/Reflected XSS/));
  await admin.client.patch(asset, { active_tests: 'read_only' });
  await runJob(client, url, standard);
  expect(await openTitles(fixture)).not.toContainEqual(expect.stringMatching(/Reflected XSS/));
});

describe('the seeds of an active job', () => {
  const harOf = (...requests: object[]): string =>
    JSON.stringify({ log: { entries: requests.map((request) => ({ request })) } });

  it('are requested without credentials, and become points', async () => {
    const { client, url } = await createFixture();
    const headers = [
      { name: 'Cookie', value: 'theme=dark; PHPSESSID=0123456789abcdef0123' },
      { name: 'Authorization', value: 'Bearer abcdefgh1234' },
    ];
    const har = harOf(
      { method: 'GET', url: `${url}from-har?b=2`, headers },
      { method: 'POST', url: `${url}posted?c=3`, headers: [] },
      { method: 'GET', url: 'http://192.0.2.1/elsewhere?d=4', headers: [] },
    );
    const uuid = await runJob(client, url, { ...ACTIVE, urls: [`${url}hidden?a=1`], har });
    const { points } = (await client.get(`/v1/jobs/${uuid}/points?per_page=100`)).body;
    expect(points).toContainEqual(expect.objectContaining({ path: '/hidden?a=1', name: 'a' }));
    expect(points).toContainEqual(expect.objectContaining({ path: '/from-har?b=2', name: 'b' }));
    expect(points).toContainEqual(expect.objectContaining({ kind: 'cookie', name: 'theme' }));
    const sent = shop.received.map(({ url: path, cookie }) => `${path} ${cookie}`).join('\n');
    expect(sent).not.toMatch(/PHPSESSID|posted|elsewhere/);
  });

  it.each([
    [{ depth: 'standard', urls: ['http://a.test/'] }, 400, /^urls is for jobs with depth active only/],
    [{ urls: ['http://192.0.2.1/x'] }, 400, /^urls has an entry that is not on http:\S+, which the job tests: entry 1/],
    [{ har: '{"log":1}' }, 400, /^har must be the text of a HAR file/],
    // The seeds of a job that may not start are not read.
    [{ url: 'http://192.0.2.1/', har: '{"log":1}' }, 422, /^The job cannot be launched/],
    [{ har: 'x'.repeat(270_000) }, 413, /at most 262144 bytes/],
    [{ checks: ['sql-injection'], depth: 'standard' }, 400, /"sql-injection" runs in jobs with depth active only/],
  ])('%# are refused with the reason', async (more, status, reason) => {
    const { client, url } = await createFixture();
    const refused = await client.post('/v1/jobs/launch', { url, depth: 'active', ...more });
    expect(refused.status).toBe(status);
    expect(refused.body.description).toMatch(reason);
  });
});

it('looks up the record of the domain again before it begins', async () => {
  const tenant = await make.organization();
  const { value } = await make.domain(tenant.id, { verified: true });
  const { client } = await tenant.as('admin');
  const { assets } = (await client.get(`/v1/organizations/${tenant.id}/assets/`)).body;
  await client.patch(`/v1/assets/${assets[0].id}`, { active_tests: 'read_only' });
  const uuid = await launchJob(client, `https://${value}/`, ACTIVE);
  expect(await waitForJob(client, uuid)).toBe('ERROR');
  expect((await client.get(`/v1/jobs/${uuid}`)).body.job.error).toMatch(
    new RegExp(`^Nothing was sent: The record that proves ${value} was not found: .* Publish it again\\.$`),
  );
});

it('a window that closes in the standard part leaves the checks at points to the next job', async () => {
  const { client, url } = await createFixture();
  const isProof = (path: string): boolean => path.startsWith('/.well-known/');
  shop.holds = (path) => !isProof(path) && shop.received.some(({ url: sent }) => isProof(sent));
  const checks = ['missing-nosniff', 'reflected-input', 'sql-injection'];
  await query(`CREATE FUNCTION closing() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN NEW.until = now() + interval '8 seconds'; RETURN NEW; END $$`);
  await query('CREATE TRIGGER closing BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION closing()');
  const uuid = await launchJob(client, url, { depth: 'active', checks });
  await query('DROP FUNCTION closing CASCADE');
  expect(await waitForJob(client, uuid)).toBe('FINISHED');
  const everywhere = everything('a test');
  const left = await api.app.get(EventJobs, { strict: false }).checksLeft(everywhere, uuid);
  expect(left.sort()).toEqual(checks);
  const { job } = (await client.get(`/v1/jobs/${uuid}`)).body;
  expect(job.active).toMatchObject({ tested: 0, reason: WINDOW_CLOSED });
});

it('a lost worker loses no tested point, and the next one continues', async () => {
  const { client, url } = await createFixture();
  shop.delayMs = 30;
  const uuid = await launchJob(client, url, ACTIVE);
  const testedOf = async (): Promise<string[]> =>
    (
      await query<{ id: string }>(
        'SELECT t.point_id AS id FROM job_points t JOIN jobs j ON j.id = t.job_id WHERE j.uuid = $1',
        [uuid],
      )
    ).map(({ id }) => id);
  await eventually(async () => expect((await testedOf()).length).toBeGreaterThan(0), 60_000);
  await query(
    `UPDATE work SET attempt = attempt + 1, lease_until = now() - interval '1 second' WHERE reference = $1 AND state = 'running'`,
    [uuid],
  );
  const before = await testedOf();
  shop.delayMs = 0;
  expect(await waitForJob(client, uuid)).toBe('FINISHED');
  expect(await testedOf()).toEqual(expect.arrayContaining(before));
  const { active } = (await client.get(`/v1/jobs/${uuid}`)).body.job;
  expect(active.tested).toBe(active.points);
});

it('the job of a pipeline begins within ten seconds while active jobs are busy', async () => {
  // An organization has two of the three slots.
  const [one, other] = [await createFixture(), await createFixture()];
  shop.delayMs = 2_000;
  const busy: string[] = [];
  for (let count = 0; count < 3; count += 1) busy.push(await launchJob(one.client, one.url, ACTIVE));
  const elsewhere = await launchJob(other.client, other.url, ACTIVE);
  const statusOf = async ({ client }: Fixture, uuid: string): Promise<string> =>
    (await client.get(`/v1/jobs/${uuid}/status`)).body.status;
  await eventually(async () => {
    const statuses = await Promise.all([...busy.map((uuid) => statusOf(one, uuid)), statusOf(other, elsewhere)]);
    expect(statuses).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'PENDING', 'IN_PROGRESS']);
  }, 20_000);
  const uuid = await launchJob(one.client, one.url, { checks: ['missing-nosniff'] });
  await eventually(async () => expect(await statusOf(one, uuid)).not.toBe('PENDING'), 10_000);
  expect((await one.client.get(`/v1/jobs/${busy[2]}`)).body.job).toMatchObject({
    status: 'PENDING',
    position: 1,
    waiting: { reason: 'waiting for a slot: 2 active jobs of the organization run', until: null },
  });
  const browser = await signedInAs(api, portal, await one.tenant.as('member'));
  expect((await browser.get(`/o/${one.tenant.id}/scans/${busy[2]}`)).text).toContain(
    'number 1 in the queue of the organization: waiting for a slot: 2 active jobs of the organization run.',
  );
  for (const running of [...busy, uuid]) await one.client.post(`/v1/jobs/${running}/cancel`);
  await other.client.post(`/v1/jobs/${elsewhere}/cancel`);
});

describe('in the portal', () => {
  it('an admin allows active tests and sets a pace, and a member is not offered it', async () => {
    const { tenant, asset } = await createFixture('off');
    const page = `/o/${tenant.id}/assets/${asset.split('/').at(-1)}`;
    const admin = await signedInAs(api, portal, await tenant.as('admin'));
    const form = { active_tests: 'read_only', requests_per_second: '7' };
    expect((await admin.submit(page, `${page}/active-tests`, form)).status).toBe(303);
    expect((await admin.get(page)).text).toContain('Read only, 7 requests a second');
    const member = await signedInAs(api, portal, await tenant.as('member'));
    expect((await member.get(page)).text).not.toContain('active-tests');
  });

  it('an admin confirms full tests on a page that says what they leave, and saves the pace without confirming again', async () => {
    const { tenant, asset, client } = await createFixture('read_only');
    const page = `/o/${tenant.id}/assets/${asset.split('/').at(-1)}`;
    const admin = await signedInAs(api, portal, await tenant.as('admin'));
    const { value } = (await client.get(asset)).body;
    expect((await admin.get(`${page}/full-tests`)).text).toContain('stays on the target');
    const refused = await admin.submit(`${page}/full-tests`, `${page}/full-tests`, { confirm_full: 'yes' });
    expect(refused.text).toContain('must repeat the value of the asset');
    expect((await client.get(asset)).body.active_tests).toBe('read_only');
    const confirmed = await admin.submit(`${page}/full-tests`, `${page}/full-tests`, { confirm_full: value });
    expect(confirmed.status).toBe(303);
    const pace = { active_tests: 'full', requests_per_second: '9' };
    expect((await admin.submit(page, `${page}/active-tests`, pace)).status).toBe(303);
    expect((await client.get(asset)).body).toMatchObject({ active_tests: 'full', requests_per_second: 9 });
    const member = await signedInAs(api, portal, await tenant.as('member'));
    expect((await member.get(`${page}/full-tests`)).status).toBe(403);
  });

  it('a member starts an active scan with seeds, and sees its points, its requests and the experiment', async () => {
    const { tenant, client, url } = await createFixture();
    const browser = await signedInAs(api, portal, await tenant.as('member'));
    const scans = `/o/${tenant.id}/scans`;
    const form = new FormData();
    const { text: empty } = await browser.get(scans);
    form.append('csrf', /name="csrf" value="([^"]*)"/.exec(empty)?.[1] ?? '');
    form.append('url', url);
    form.append('checks', 'reflected-input');
    form.append('depth', 'active');
    form.append('urls', `${url}typed?t=1`);
    const har = JSON.stringify({ log: { entries: [{ request: { method: 'GET', url: `${url}filed?f=1` } }] } });
    form.append('har', new File([har], 'site.har', { type: 'application/json' }));
    const started = await browser.postForm(scans, form);
    const page = started.headers.get('location') ?? '';
    expect(await waitForJob(client, page.split('/').at(-1) ?? '')).toBe('FINISHED');
    expect((await browser.get(page)).text).toMatch(/\d+ of \d+ points tested, on \d+ pages of \d+ shapes?/);
    const { text: points } = await browser.get(`${page}/points`);
    expect(points).toContain('/typed?t=1');
    expect(points).toContain('/filed?f=1');
    expect((await browser.get(`${page}/requests`)).text).toContain('/filed?f=1');
    const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body;
    const { text: finding } = await browser.get(`/o/${tenant.id}/findings/${findings[0].id}`);
    expect(finding).toContain('Experiment');
    expect(finding).toContain('curl --include');
  });
});
