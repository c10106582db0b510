import { parseTarget, type Sighting } from '../../src/engine';
import { JobsService } from '../../src/modules/jobs';
import { JobFoundSoFar } from '../../src/modules/jobs/job-found-so-far';
import { LaunchRule } from '../../src/modules/retests';
import { everything } from '../../src/platform/api/scope';
import type { Claim } from '../../src/platform/work/claim';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { launchJob, waitForJob } from '../support/jobs';
import { signedInAs, usePortal } from '../support/portal';
import { startProcess } from '../support/processes';
import { Shop } from '../support/shop';

const shop = new Shop();
beforeAll(() => shop.start());
afterAll(() => shop.stop());
beforeEach(() => shop.reset());
afterEach(() => shop.release());

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${shop.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};

const api = useApi(settings);
const portal = usePortal(api);
const make = new Factories(api);

const TITLE = /template/i;

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly url: string;
}

async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const url = `http://127.0.0.1:${shop.port}/`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  shop.publish((await client.patch(`/v1/assets/${id}`, { active_tests: 'read_only' })).body);
  // The point of the last link is tested after the others, and its answers wait.
  shop.writing =
    '<a href="/greet?name=ann">a</a> <a href="/item?id=8">b</a> <a href="/search?r=1">c</a> <a href="/held?x=1">d</a>';
  shop.holds = (path) => path.startsWith('/held?') && path !== '/held?x=1';
  return { tenant, client, url };
}

const jobOf = async ({ client }: Pick<Fixture, 'client'>, uuid: string) =>
  (await client.get(`/v1/jobs/${uuid}`)).body.job;

/** While the job runs, because the target holds its answers. */
async function launchUntilItShows(
  fixture: Fixture,
  checks: readonly string[] = ['template-injection'],
  titles: readonly RegExp[] = [TITLE],
): Promise<string> {
  const uuid = await launchJob(fixture.client, fixture.url, { depth: 'active', checks });
  await eventually(async () => {
    expect(await jobOf(fixture, uuid)).toMatchObject({
      status: 'IN_PROGRESS',
      findings: titles.map((title) => ({ title: expect.stringMatching(title) })),
    });
  }, 60_000);
  return uuid;
}

/** What people and programs see of the findings: each once. */
async function expectRecordedOnce({ tenant, client }: Fixture, count = 1): Promise<void> {
  const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body;
  expect(findings.map(({ status }: { status: number }) => status)).toEqual(Array(count).fill(1));
  for (const { id } of findings) {
    expect((await client.get(`/v1/findings/${id}/sightings`)).body.sightings).toHaveLength(1);
    expect((await client.get(`/v1/findings/${id}/history`)).body.history).toHaveLength(1);
  }
  await eventually(async () => {
    const { entries } = (await client.get(`/v1/organizations/${tenant.id}/feed?limit=100`)).body;
    const types = entries.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type.startsWith('finding.'))).toEqual(Array(count).fill('finding.created'));
  });
}

const auditOf = async (uuid: string): Promise<object[]> =>
  query(
    `SELECT operation, status, metadata FROM audit_logs
     WHERE resource_id = $1 AND operation NOT IN ('job.launch', 'job.begin') ORDER BY id`,
    [uuid],
  );

describe('with a worker', () => {
  useWorker(settings);

  it('what a running job has confirmed is a finding at once, and the gate waits for its end', async () => {
    const fixture = await createFixture();
    const { client } = fixture;
    const uuid = await launchUntilItShows(fixture);
    await expectRecordedOnce(fixture);
    expect((await client.get(`/v1/jobs/${uuid}/success`)).body).toMatchObject({ success: null, failing: 0 });
    expect(await auditOf(uuid)).toEqual([]);
    shop.release();
    expect(await waitForJob(client, uuid)).toBe('FINISHED');
    await expectRecordedOnce(fixture);
    expect(await auditOf(uuid)).toMatchObject([{ operation: 'job.finish', metadata: { findings: 1, fixed: 0 } }]);
    expect((await client.get(`/v1/jobs/${uuid}/success`)).body).toMatchObject({ success: false, failing: 1 });
  });

  it('a weakness with a finding at its parameter gets no second one for the page while the job runs', async () => {
    const fixture = await createFixture();
    const { client, tenant, url } = fixture;
    const { holds } = shop;
    shop.holds = () => false;
    shop.writing += ' <a href="/go?next=/item">e</a>';
    const launch = { depth: 'active', checks: ['open-redirect'] };
    expect(await waitForJob(client, await launchJob(client, url, launch))).toBe('FINISHED');
    shop.holds = holds;
    const uuid = await launchUntilItShows(fixture, ['open-redirect'], [/redirect/i]);
    const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/`)).body;
    expect(findings).toMatchObject([{ title: expect.stringMatching(/redirect/i) }]);
    shop.release();
    await waitForJob(client, uuid);
  });

  it('a cancel keeps what was found until then, says so, and the gate stays closed', async () => {
    const fixture = await createFixture();
    const { client, tenant } = fixture;
    const uuid = await launchUntilItShows(fixture);
    const browser = await signedInAs(api, portal, await tenant.as('member'));
    const page = `/o/${tenant.id}/scans/${uuid}`;
    const { text } = await browser.get(page);
    expect(text).toContain('What it has found stays.');
    expect(text).toMatch(/id="found-title"[^]*template injection/);
    expect(text).not.toContain('does not fail it');
    expect((await browser.submit(page, `${page}/cancel`, {})).status).toBe(303);
    expect(await jobOf(fixture, uuid)).toMatchObject({
      status: 'CANCELED',
      findings: [{ title: expect.stringMatching(TITLE) }],
    });
    expect((await client.get(`/v1/jobs/${uuid}/success`)).body).toMatchObject({
      success: false,
      description: 'The job ended in CANCELED: what it has not tested is unknown, and what it had found is kept.',
    });
    expect(await auditOf(uuid)).toMatchObject([{ operation: 'job.cancel', metadata: { findings: 1 } }]);
    await expectRecordedOnce(fixture);
  });

  it('a job whose target stops responding keeps what was found until then', async () => {
    const fixture = await createFixture();
    const { client } = fixture;
    const uuid = await launchUntilItShows(fixture);
    shop.isFailing = true;
    shop.release();
    expect(['FINISHED', 'ERROR']).toContain(await waitForJob(client, uuid));
    const { findings, incomplete_checks: incomplete } = await jobOf(fixture, uuid);
    expect(findings).toHaveLength(1);
    expect(incomplete).not.toEqual([]);
    expect((await client.get(`/v1/jobs/${uuid}/success`)).body.success).toBe(false);
    await expectRecordedOnce(fixture);
  });
});

it('a finding whose worker is killed before the end of the job is there once, and the next worker ends the job', async () => {
  const fixture = await createFixture();
  const environment = { ...settings, WORK_LEASE_SECONDS: '3', WORK_SWEEP_SECONDS: '0.2' };
  const first = await startProcess('worker', environment);
  const uuid = await launchUntilItShows(
    fixture,
    ['missing-nosniff', 'template-injection'],
    [TITLE, /type of content|MIME/i],
  );
  first.kill('SIGKILL');
  await first.exited;
  shop.release();
  // The next attempt sees neither again.
  shop.isFixed = true;
  const second = await startProcess('worker', environment);
  expect(await waitForJob(fixture.client, uuid)).toBe('FINISHED');
  await expectRecordedOnce(fixture, 2);
  expect((await jobOf(fixture, uuid)).findings).toHaveLength(2);
  expect(await auditOf(uuid)).toMatchObject([{ operation: 'job.finish', metadata: { fixed: 0 } }]);
  expect((await fixture.client.get(`/v1/jobs/${uuid}/success`)).body.success).toBe(false);
  second.kill('SIGTERM');
  await second.exited;
});

describe('what an attempt has found', () => {
  const scope = everything('a test');

  /** An attempt that fails after it has found this, beside other workers. */
  async function attempt({ tenant, client, url }: Fixture) {
    const uuid = await launchJob(client, url, { checks: ['missing-nosniff'] });
    const [claim] = await query<Claim>(
      `UPDATE work SET state = 'running', attempt = 1, lease_until = now() + interval '1 hour' WHERE reference = $1
       RETURNING id, kind, reference, organization_id AS "organizationId", attempt`,
      [uuid],
    );
    await query(`UPDATE jobs SET status = 'IN_PROGRESS', started = now() WHERE uuid = $1`, [uuid]);
    const get = <T>(type: abstract new (...args: never[]) => T): T => api.app.get<T>(type, { strict: false });
    const job = await get(JobsService).get(scope, uuid);
    const of = { organizationId: tenant.id, beaconId: null, eventId: null };
    const launch = await get(LaunchRule).evaluate({ scope, ...of, target: parseTarget(url) });
    if (claim === undefined || !launch.launchable) throw new Error('the job cannot run');
    const sighting: Sighting = {
      check: 'missing-nosniff',
      template: null,
      location: url,
      title: 'Template injection of a test',
      severity: 'low',
      cwe: null,
      cvss: null,
      detail: 'seen',
      seenAt: new Date().toISOString(),
      baseline: null,
      exchanges: [],
    };
    const fail = (claimed: Claim, ...seen: Sighting[]): Promise<never> =>
      get(JobFoundSoFar).keep(claimed, job, launch, (found) => {
        found(seen.length > 0 ? seen : [sighting, sighting], []);
        throw new Error('the beacon was lost');
      });
    return { uuid, claim, sighting, fail };
  }

  it('is recorded once, however often, and stays when the attempt fails', async () => {
    const fixture = await createFixture();
    const { uuid, claim, sighting, fail } = await attempt(fixture);
    await expect(fail(claim)).rejects.toThrow('the beacon was lost');
    // As the standard part does, which begins again after a lost worker.
    const later = { ...sighting, seenAt: new Date(Date.now() + 1_000).toISOString() };
    await expect(fail(claim, later)).rejects.toThrow('the beacon was lost');
    await expectRecordedOnce(fixture);
    expect((await jobOf(fixture, uuid)).findings).toHaveLength(1);
    expect(await auditOf(uuid)).toEqual([]);
  });

  it('reopens what was resolved meanwhile when it is seen once more, and not by what was seen before', async () => {
    const fixture = await createFixture();
    const { client, tenant } = fixture;
    const { claim, sighting, fail } = await attempt(fixture);
    const findingOf = async () => (await client.get(`/v1/organizations/${tenant.id}/findings/`)).body.findings[0];
    await expect(fail(claim)).rejects.toThrow('the beacon was lost');
    const { id } = await findingOf();
    expect((await client.post(`/v1/findings/${id}/status`, { status: 5 })).status).toBe(200);
    await expect(fail(claim)).rejects.toThrow('the beacon was lost');
    expect(await findingOf()).toMatchObject({ id, status: 5 });
    await expect(fail(claim, { ...sighting, seenAt: new Date().toISOString() })).rejects.toThrow('the beacon was lost');
    expect(await findingOf()).toMatchObject({ id, status: 1 });
    const seen = `SELECT g.seen_at > s.created AS "isLater" FROM job_findings g JOIN finding_sightings s USING (finding_id) WHERE finding_id = $1`;
    expect(await query(`${seen} ORDER BY s.id LIMIT 1`, [id])).toEqual([{ isLater: true }]);
  });

  it('is proved by the experiment that comes after it, without a second sighting', async () => {
    const fixture = await createFixture();
    const { client, tenant } = fixture;
    const { claim, sighting, fail } = await attempt(fixture);
    await expect(fail(claim)).rejects.toThrow('the beacon was lost');
    const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/`)).body;
    const textOf = async (): Promise<string> =>
      (await query<{ md: string }>('SELECT md FROM findings WHERE id = $1', [findings[0].id]))[0]?.md ?? '';
    expect(await textOf()).not.toContain('To send the payload again');
    const request = { path: '/search?q=tea' };
    const point = { request, kind: 'query', name: 'q', value: 'tea' };
    const experiment = { point, variant: 'a', certainty: 'b', rows: [], decisive: request };
    await expect(
      fail(claim, { ...sighting, baseline: { on: 'web', experiment } as unknown as Sighting['baseline'] }),
    ).rejects.toThrow('the beacon was lost');
    expect(
      await query(
        `SELECT baseline #>> '{experiment,variant}' AS variant FROM finding_baselines WHERE finding_id = $1`,
        [findings[0].id],
      ),
    ).toEqual([{ variant: 'a' }]);
    expect(await textOf()).toContain('To send the payload again');
    await expectRecordedOnce(fixture);
  });

  it.each([
    ['another worker has the job', `UPDATE work SET attempt = attempt + 1 WHERE reference = $1`],
    ['the job was canceled', `UPDATE work SET state = 'canceled', lease_until = NULL WHERE reference = $1`],
    ['the job is over', `UPDATE jobs SET status = 'CANCELED', finished = now() WHERE uuid = $1`],
  ])('is not recorded after %s', async (_name, change) => {
    const fixture = await createFixture();
    const { uuid, claim, fail } = await attempt(fixture);
    await query(change, [uuid]);
    await expect(fail(claim)).rejects.toThrow('the beacon was lost');
    expect(await query('SELECT 1 FROM findings WHERE organization_id = $1', [fixture.tenant.id])).toEqual([]);
  });
});
