import type { IncomingMessage } from 'node:http';
import { AddHostsOfPlaces1796680000000 } from '../../migrations/1796680000000-add-hosts-of-places';
import { checkById } from '../../src/engine';
import { certificate } from '../../src/engine/testing/certificate';
import { TargetServer } from '../../src/engine/testing/target-server';
import { Clock } from '../../src/kernel/clock';
import { type Severity, severityNumber } from '../../src/kernel/severity';
import { LibraryLoader } from '../../src/modules/checks';
import { fingerprintOfCheck } from '../../src/modules/findings';
import type { Job } from '../../src/modules/jobs';
import { JobChecks } from '../../src/modules/jobs/job-checks';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { everything } from '../../src/platform/api/scope';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { useApi, useWorker } from '../support/api';
import { sortedStatuses, repeat } from '../support/answers';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique } from '../support/factories';
import { imported } from '../support/imports';
import { waitForJob, launchJob, runJob } from '../support/jobs';
import { requestRetest } from '../support/retests';

/** A site without security headers and with a public Git repository. */
const vulnerable = {
  pages: {
    '/.git/HEAD': { headers: { 'content-type': 'text/plain' }, body: 'ref: refs/heads/main\n' },
    '/.git/config': { headers: { 'content-type': 'text/plain' }, body: '[core]\n\trepositoryformatversion = 0\n' },
  },
};

let target: TargetServer;
beforeAll(async () => {
  target = await TargetServer.start(certificate());
});
afterAll(() => target.stop());
beforeEach(() => {
  target.site = vulnerable;
  target.disturb = () => false;
});

const origin = (): string => `http://127.0.0.1:${target.port}`;

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};

const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

/** For tests in which the checks do not matter, because a job with all of them takes seconds of CPU time. */
const SOME = { checks: ['exposed-git', 'missing-nosniff', 'missing-frame-protection', 'no-https-redirect'] };

const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();

/** An organization with the target as an asset. */
async function createFixture(): Promise<{ tenant: Tenant; client: Client; url: string; assetId: number }> {
  const tenant = await make.organization();
  const { client } = await make.member(tenant.id, 'member');
  const url = `${origin()}/`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  return { tenant, client, url, assetId: id };
}

const findingsOf = async (client: Client, tenant: Tenant): Promise<{ id: number; title: string; status: number }[]> =>
  (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body.findings;

const success = (client: Client, uuid: string, parameters = ''): Promise<Answer> =>
  client.get(`/v1/jobs/${uuid}/success${parameters}`);

describe('a job', () => {
  it('is checked and launched on a target that may be tested', async () => {
    const { tenant, client, url, assetId } = await createFixture();
    const checked = await client.post('/v1/jobs/check', { url });
    expect(checked.body).toEqual({ url, beacon_id: null, event_slug: null, valid: true });
    const asked = `${url}?token=secret#part`;
    const answer = await client.post('/v1/jobs/launch', { url: asked });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ url: asked, uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const { uuid } = answer.body;
    expect(answer.headers.get('location')).toBe(`/v1/jobs/${uuid}`);
    await waitForJob(client, uuid);
    const admin = await tenant.as('admin');
    const { audit_logs: logs } = (await admin.client.get(`/v1/audit-logs/?resource_id=${uuid}`)).body;
    expect(
      logs.map(({ operation, status, actor_type }: Record<string, string>) => [operation, status, actor_type]),
    ).toEqual([
      ['job.finish', 'success', 'system'],
      ['job.begin', 'success', 'system'],
      ['job.launch', 'success', 'user'],
    ]);
    expect(logs[1].metadata).toMatchObject({ from: 'PENDING', to: 'IN_PROGRESS' });
    expect(logs[2].metadata).toMatchObject({ url, asset_id: assetId });
  });

  it('records each finding once; the same job again adds none', async () => {
    const { tenant, client, url, assetId } = await createFixture();
    const uuid = await runJob(client, url);
    const { job } = (await client.get(`/v1/jobs/${uuid}`)).body;
    expect(job).toMatchObject({ uuid, url, status: 'FINISHED', error: null });
    // The most severe first, then by title.
    const ranks = job.findings.map(({ severity }: { severity: Severity }) => severityNumber(severity));
    expect(ranks).toEqual(ranks.toSorted((a: number, b: number) => b - a));
    expect(new Set(ranks).size).toBeGreaterThan(2);
    const titles = job.findings.map(({ title }: { title: string }) => title).sort();
    expect(titles.length).toBeGreaterThan(2);
    const findings = await findingsOf(client, tenant);
    expect(findings.map(({ title }) => title).sort()).toEqual(titles);
    expect(findings[0]).toMatchObject({ asset_id: assetId, asset_value: url, event_id: null, status: 1 });
    expect(findings.find(({ title }) => title === checkById('exposed-git')?.title)).toMatchObject({
      severity: 'high',
      score: 7.5,
      cvss_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
      cwe: 527,
    });

    const again = await runJob(client, url);
    expect((await findingsOf(client, tenant)).map(({ id }) => id)).toEqual(findings.map(({ id }) => id));
    expect((await client.get(`/v1/jobs/${again}`)).body.job.findings).toEqual(job.findings);
    expect((await client.get('/v1/jobs?per_page=1')).body.jobs).toEqual([expect.objectContaining({ uuid: again })]);
    expect((await client.get('/v1/jobs')).body.jobs).toHaveLength(2);
  });

  it('resolves findings that are verified as fixed, and reopens those that return', async () => {
    const { tenant, client, url } = await createFixture();
    const first = await runJob(client, url, SOME);
    const statusOf = async () => (await findingsOf(client, tenant)).find(({ title }) => /git/i.test(title));
    const found = await statusOf();
    expect(found).toMatchObject({ status: 1 });
    expect((await success(client, first, '?severity=high')).body.success).toBe(false);

    target.site = {};
    const second = await runJob(client, url);
    expect(await statusOf()).toMatchObject({ id: found?.id, status: 5, previous_status: 1 });
    expect((await success(client, second, '?severity=high')).body).toEqual({
      success: true,
      description: 'No open finding of at least high severity.',
      accepted_checks: [],
      incomplete_checks: [],
      refused_checks: [],
      failing: 0,
      failing_findings: [],
    });
    expect((await success(client, first, '?severity=high')).body.success).toBe(false);
    const lastMove = async () => (await client.get(`/v1/findings/${found?.id}/history`)).body.history[0];
    expect(await lastMove()).toMatchObject({ status: 5, comment: expect.stringContaining(second) });

    target.site = vulnerable;
    const third = await runJob(client, url, SOME);
    expect(await statusOf()).toMatchObject({ id: found?.id, status: 1, previous_status: 5 });
    expect(await lastMove()).toMatchObject({ status: 1, comment: `Job ${third} found it again.` });
    expect((await success(client, third, '?severity=high')).body.success).toBe(false);
  });

  it.each([
    ['down', () => ({ status: 503, body: 'down' })],
    ['behind a web application firewall', () => ({ status: 403, body: 'Sorry, you have been blocked' })],
    ['limiting the request rate', () => ({ status: 429, body: 'Too many requests' })],
    ['refusing every request', () => ({ status: 403, body: 'Forbidden' })],
  ])('resolves nothing and fails on a target that is %s', async (_what, answer) => {
    const { tenant, client, url } = await createFixture();
    await runJob(client, url, SOME);
    const before = await findingsOf(client, tenant);
    target.site = { answer };
    const uuid = await launchJob(client, url, SOME);
    expect(await waitForJob(client, uuid)).toBe('ERROR');
    expect(await findingsOf(client, tenant)).toEqual(before);
    const answered = await success(client, uuid, '?severity=cosmic&fail=true');
    expect(answered.status).toBe(422);
    expect(answered.body.description).toMatch(
      /^The job ended in ERROR: (could not be completed|nothing could be tested)/,
    );
    expect((await client.get(`/v1/jobs/${uuid}`)).body.job.error).toMatch(
      /^(could not be completed|nothing could be tested)/,
    );
  });
});

it('the entry of the end of a job in the feed has what the job says to pipelines', async () => {
  const { tenant, client, url } = await createFixture();
  const checks = ['exposed-git', 'missing-nosniff'];
  await runJob(client, url, { checks });
  target.site = {};
  await runJob(client, url, { checks });
  target.site = { answer: ({ url: path = '' }) => (path.startsWith('/.git/') ? { status: 502 } : null) };
  await runJob(client, url, { checks });
  target.site = { answer: () => ({ status: 503, body: 'down' }) };
  await waitForJob(client, await launchJob(client, url, { checks }));
  const { body } = await client.get(`/v1/organizations/${tenant.id}/feed?type=job.changed`);
  const entries = body.entries as { data: { status: string; gate: string | null } }[];
  expect(entries.map(({ data }) => [data.status, data.gate])).toEqual([
    ['IN_PROGRESS', null],
    ['FINISHED', 'failed'],
    ['IN_PROGRESS', null],
    ['FINISHED', 'passed'],
    ['IN_PROGRESS', null],
    ['FINISHED', 'incomplete'],
    ['IN_PROGRESS', null],
    ['ERROR', 'failed'],
  ]);
});

describe('a job that could not complete a check', () => {
  const partly = { answer: ({ url = '' }: IncomingMessage) => (url.startsWith('/.git/') ? { status: 502 } : null) };
  const ALLOW = '?severity=cosmic&incomplete=allow';

  it('finishes with the check, fails, and succeeds if the caller allows that, which is recorded', async () => {
    const { tenant, client, url } = await createFixture();
    target.site = partly;
    const uuid = await runJob(client, url);
    const { job } = (await client.get(`/v1/jobs/${uuid}`)).body;
    expect(job).toMatchObject({ status: 'FINISHED', error: null });
    expect(job.incomplete_checks).toContainEqual({
      id: 'exposed-git',
      place: url,
      reason: expect.stringContaining('/.git/HEAD: it fails with 502'),
      result: 'inconclusive',
      next_step: expect.stringMatching(
        /^Test again when the target responds as it usually does\. If it is gone for good, /,
      ),
    });
    const strict = await success(client, uuid, '?severity=cosmic&fail=true');
    expect(strict.status).toBe(422);
    expect(strict.body.description).toContain('exposed-git at');
    expect(await operationsOf(tenant)).not.toContain('job.allow_incomplete');

    const allowed = (await success(client, uuid, ALLOW)).body;
    expect(allowed).toMatchObject({ success: true, incomplete_checks: job.incomplete_checks });
    expect(allowed.description).toContain('Incomplete checks are allowed by this request: exposed-git');
    expect(await operationsOf(tenant)).toContain('job.allow_incomplete');
    expect((await success(client, uuid, '?severity=low&incomplete=allow')).body.success).toBe(false);
    await query('UPDATE organizations SET second_approval = true WHERE id = $1', [tenant.id]);
    const needsApproval = (await success(client, uuid, ALLOW)).body;
    expect(needsApproval.success).toBe(false);
    expect(needsApproval.description).toContain('not allowed without a second approval');
    expect((await success(client, uuid, '?incomplete=maybe')).status).toBe(400);
  });

  it('fails although the caller allows it, if it completed fewer than half of its checks', async () => {
    const { client, url } = await createFixture();
    target.site = { answer: ({ url: path = '' }) => (path.startsWith('/.') ? { status: 502 } : null) };
    const checks = ['exposed-git', 'exposed-env', 'missing-nosniff', 'missing-frame-protection'];
    const half = await runJob(client, url, { checks });
    expect((await success(client, half, ALLOW)).body).toMatchObject({ success: true, incomplete_checks: [{}, {}] });
    const few = await runJob(client, url, { checks: checks.slice(0, 3) });
    const answer = (await success(client, few, ALLOW)).body;
    expect(answer.success).toBe(false);
    expect(answer.description).toContain('cannot be allowed, because fewer than half of the checks are complete');
  });

  describe('that an admin accepts', () => {
    const reason = 'The gateway refuses these paths.';
    const accepting = async (until = tomorrow()) => {
      const fixture = await createFixture();
      const { client: admin } = await fixture.tenant.as('admin');
      const path = `/v1/assets/${fixture.assetId}/accepted-checks/exposed-git`;
      const accept = (body: object = {}): Promise<Answer> =>
        admin.put(path, { reason, until, covers: 'incompleteness', ...body });
      return { ...fixture, admin, path, accept };
    };
    const SEVERITY = '?severity=cosmic';

    it('succeeds until a date, and names the acceptance', async () => {
      const { tenant, client, url, assetId, accept } = await accepting();
      target.site = partly;
      const uuid = await runJob(client, url, SOME);
      expect((await success(client, uuid, SEVERITY)).body.success).toBe(false);
      const accepted = await accept();
      expect(accepted.body).toMatchObject({ covers: 'incompleteness', reason, expired: false });
      const answer = (await success(client, uuid, SEVERITY)).body;
      expect(answer).toMatchObject({
        success: true,
        accepted_checks: [{ check_id: 'exposed-git', asset_id: assetId, reason, until: accepted.body.until }],
        incomplete_checks: expect.arrayContaining([expect.objectContaining({ id: 'exposed-git' })]),
      });
      expect(answer.description).toContain('Accepted checks may be incomplete: exposed-git on');
      expect(await operationsOf(tenant)).not.toContain('job.allow_incomplete');
      await query(
        "UPDATE accepted_checks SET incomplete_until = now(), accepted_at = now() - interval '1 day', until = now() - interval '1 day' WHERE asset_id = $1",
        [assetId],
      );
      expect((await success(client, uuid, SEVERITY)).body.success).toBe(false);
    });

    it('fails because of findings of the check, and while it has an open finding', async () => {
      const { client, url, accept } = await accepting();
      await accept();
      const seen = await runJob(client, url, {
        checks: ['exposed-git', 'missing-nosniff', 'missing-frame-protection'],
      });
      expect((await success(client, seen, '?severity=high')).body).toMatchObject({
        success: false,
        accepted_checks: [],
      });
      target.site = partly;
      const uuid = await runJob(client, url, {
        checks: ['exposed-git', 'missing-nosniff', 'missing-frame-protection'],
      });
      const answer = (await success(client, uuid, SEVERITY)).body;
      expect(answer.description).toContain('the check has an open finding here): exposed-git');
      expect(answer.success).toBe(false);
    });

    it('fails because of an incomplete check whose findings are accepted, or of another organization', async () => {
      const { client, url, accept } = await accepting();
      const foreign = await accepting();
      await foreign.accept();
      target.site = partly;
      const uuid = await runJob(client, url, SOME);
      await accept({ covers: 'findings' });
      expect((await success(client, uuid, SEVERITY)).body.success).toBe(false);
      expect((await accept({ covers: 'both' })).status).toBe(400);
    });
  });

  it('fails although the caller allows it, while the check has an open finding there', async () => {
    const { client, url } = await createFixture();
    await runJob(client, url, SOME);
    target.site = partly;
    const uuid = await runJob(client, url, SOME);
    const { body } = await success(client, uuid, ALLOW);
    expect(body).toMatchObject({ success: false });
    expect(body.description).toContain('the check has an open finding here): exposed-git');
  });

  const operationsOf = async ({ id }: Tenant): Promise<string[]> =>
    (await query<{ operation: string }>('SELECT operation FROM audit_logs WHERE organization_id = $1', [id])).map(
      ({ operation }) => operation,
    );
});

describe('a job on the place of a merged finding', () => {
  it('resolves and reopens only what counts, and fails until the main finding is resolved', async () => {
    const { tenant, client, url } = await createFixture();
    const elsewhere = await make.finding(tenant.id, { title: 'Elsewhere', severity: 'critical' });
    // Nothing that is proved is merged into a claim.
    await query("UPDATE findings SET verification = 'confirmed' WHERE id = $1", [elsewhere.id]);
    const statusOf = async (id: number) => (await client.get(`/v1/findings/${id}/`)).body.findings[0].status;
    const merge = async (into: number, finding_ids: number[]) =>
      expect((await client.post(`/v1/findings/${into}/merge`, { finding_ids })).status).toBe(200);
    const env = { headers: { 'content-type': 'text/plain' }, body: 'APP_ENV=production\nDB_PASSWORD=s3cr3t-pa55\n' };
    const site = { pages: { ...vulnerable.pages, '/.env': env } };
    target.site = site;
    await runJob(client, url, { checks: [...SOME.checks, 'exposed-env'] });
    const found = await findingsOf(client, tenant);
    const idOf = (check: string): number => found.find(({ title }) => title === checkById(check)?.title)?.id ?? 0;
    const [git, header, part] = [idOf('exposed-git'), idOf('missing-nosniff'), idOf('exposed-env')];
    await merge(git, [header]);
    await merge(elsewhere.id, [part]);
    target.site = {};
    const second = await runJob(client, url, { checks: [...SOME.checks, 'exposed-env'] });
    // The test of its own check shows the fix, and the job has seen a part of it.
    expect(await statusOf(git)).toBe(1);
    expect([await statusOf(elsewhere.id), await statusOf(part)]).toEqual([1, 1]);
    expect((await success(client, second, '?severity=critical')).body).toMatchObject({
      success: false,
      description: expect.stringContaining(
        '1 found earlier and not confirmed as fixed ("Elsewhere": only what is merged into it was tested)',
      ),
    });
    await client.post(`/v1/findings/${elsewhere.id}/status`, { status: 5 });
    // The job has confirmed the fix of its place.
    expect((await success(client, second, '?severity=critical')).body.success).toBe(true);

    target.site = site;
    const third = await runJob(client, url, { checks: [...SOME.checks, 'exposed-env'] });
    expect([await statusOf(elsewhere.id), await statusOf(part)]).toEqual([1, 1]);
    const { findings } = (await client.get(`/v1/jobs/${third}`)).body.job;
    expect(findings[0]).toMatchObject({ title: 'Elsewhere', severity: 'critical' });
    const description = async () => (await success(client, third, '?severity=critical')).body.description;
    expect(await description()).toContain('found by this job ("Elsewhere")');
    expect((await findingsOf(client, tenant)).map(({ id }) => id)).not.toContain(part);
    // Without a check no job can test its place.
    await query('UPDATE findings SET check_id = NULL WHERE id = $1', [part]);
    await query("DELETE FROM job_findings WHERE finding_id = $1 AND outcome = 'seen'", [part]);
    expect(await description()).toContain('not confirmed as fixed ("Elsewhere": it has no check)');
  });

  it('applies the accepted check of the place that it saw, and of every other place that it did not confirm', async () => {
    const { tenant, client, url, assetId } = await createFixture();
    const { client: admin } = await tenant.as('admin');
    const path = (check: string): string => `/v1/assets/${assetId}/accepted-checks/${check}`;
    const accept = (check: string) =>
      admin.put(path(check), { reason: 'Staging.', until: new Date(Date.now() + 86_400_000).toISOString() });
    const [mainCheck, partCheck] = ['missing-frame-protection', 'weak-csp'];
    target.site = {};
    await runJob(client, url, { checks: [mainCheck, partCheck] });
    const found = await findingsOf(client, tenant);
    const [main, part] = [mainCheck, partCheck].map(
      (check) => found.find(({ title }) => title === checkById(check)?.title)?.id,
    );
    await accept(mainCheck);
    const outcome = async (uuid: string) => (await success(client, uuid, '?severity=info')).body;
    expect((await outcome(await runJob(client, url, { checks: [partCheck] }))).success).toBe(false);
    expect((await client.post(`/v1/findings/${main}/merge`, { finding_ids: [part] })).status).toBe(200);
    const uuid = await runJob(client, url, { checks: [partCheck] });
    expect(await outcome(uuid)).toMatchObject({ success: false, accepted_checks: [], incomplete_checks: [] });
    expect((await client.get(`/v1/jobs/${uuid}`)).body.job.findings).toMatchObject([{ accepted: false }]);
    await accept(partCheck);
    expect(await outcome(uuid)).toMatchObject({ success: true, accepted_checks: [{ check_id: partCheck }] });
    // What it saw is accepted, and the place of the main finding is open.
    await admin.delete(path(mainCheck));
    expect(await outcome(uuid)).toMatchObject({ success: false, accepted_checks: [], incomplete_checks: [] });
    // Both places.
    const both = await runJob(client, url, { checks: [mainCheck, partCheck] });
    expect((await outcome(both)).success).toBe(false);
    expect((await client.get(`/v1/jobs/${both}`)).body.job.findings).toMatchObject([{ accepted: false }]);
  });

  it('does not take an earlier fix of the place for a fix after the main finding was seen again', async () => {
    const { tenant, client, url } = await createFixture();
    const { client: admin } = await tenant.as('admin');
    const main = await make.finding(tenant.id, { title: 'Elsewhere', severity: 'critical' });
    // A proof is merged into another one only.
    await query(`UPDATE findings SET verification = 'confirmed' WHERE id = $1`, [main.id]);
    const fixed = { headers: { 'x-content-type-options': 'nosniff' } };
    const test = async (site: typeof target.site) => {
      target.site = site;
      await runJob(client, url, { checks: ['missing-nosniff'] });
    };
    const set = async (...statuses: number[]) => {
      for (const status of statuses)
        expect((await admin.post(`/v1/findings/${main.id}/status`, { status })).status).toBe(200);
    };
    await test({});
    const [part] = await findingsOf(client, tenant);
    expect((await client.post(`/v1/findings/${main.id}/merge`, { finding_ids: [part?.id] })).status).toBe(200);
    await test(fixed);
    const uuid = await runJob(client, url, { checks: ['exposed-git'] });
    const isSuccess = async () => (await success(client, uuid, '?severity=info')).body.success;
    expect(await isSuccess()).toBe(false);
    await set(5);
    expect(await isSuccess()).toBe(true);
    // A job sees the place again, and reopens the main finding.
    await test({});
    await set(5);
    expect(await isSuccess()).toBe(false);
    await test(fixed);
    expect(await isSuccess()).toBe(true);
    // A person reopens it.
    await set(1, 5);
    expect(await isSuccess()).toBe(false);
    await test(fixed);
    expect(await isSuccess()).toBe(true);
    // A job sees the place while the risk is accepted.
    await set(1);
    await test(fixed);
    await set(6);
    await test({});
    await set(5);
    expect(await isSuccess()).toBe(false);
  });

  it('dates a fix by the response that decided, and takes no verdict of a person for a test', async () => {
    const { tenant, client, url } = await createFixture();
    const { client: admin, userId } = await tenant.as('admin');
    const test = async (site: typeof target.site) => {
      target.site = site;
      return runJob(client, url, { checks: ['missing-nosniff'] });
    };
    await test({});
    const [finding] = await findingsOf(client, tenant);
    const set = async (...statuses: number[]) => {
      for (const status of statuses)
        expect((await admin.post(`/v1/findings/${finding?.id}/status`, { status })).status).toBe(200);
    };
    const fix = await test({ headers: { 'x-content-type-options': 'nosniff' } });
    const uuid = await runJob(client, url, { checks: ['exposed-git'] });
    const isSuccess = async () => (await success(client, uuid, '?severity=info')).body.success;
    expect(await isSuccess()).toBe(true);
    await set(1, 5);
    // It ended long after the response.
    await query("UPDATE jobs SET finished = now() + interval '1 minute' WHERE uuid = $1", [fix]);
    expect(await isSuccess()).toBe(false);
    const retest = await requestRetest({ client, path: `/v1/findings/${finding?.id}/retest` });
    await eventually(async () => expect((await client.get(retest.path)).body.result).toBe('fixed'));
    expect(await isSuccess()).toBe(true);
    const change = (fields: string) => query(`UPDATE retests SET ${fields} WHERE uuid = $1`, [retest.uuid]);
    await change(`judged_by = ${userId}`);
    expect(await isSuccess()).toBe(false);
    await change("judged_by = NULL, finished = now() + interval '1 minute'");
    expect(await isSuccess()).toBe(true);
    await set(1, 5);
    expect(await isSuccess()).toBe(false);
  });
});

describe('a job on a site without public content', () => {
  const redirectTo = (location: string) => () => ({ status: 302, headers: { location } });

  it.each([
    [
      'redirects every request to HTTPS',
      ({ url, headers }: IncomingMessage) => redirectTo(`https://${headers.host}${url}`)(),
    ],
    ['redirects every request to its login page', redirectTo('/login?next=1')],
    [
      'redirects every request to a login page on another host',
      redirectTo('https://sso.example.com/authorize?state=1'),
    ],
    [
      'requires credentials for every request',
      () => ({ status: 401, headers: { 'www-authenticate': 'Bearer realm="x"' } }),
    ],
  ])('%s is complete, and succeeds as long as no earlier finding is open', async (_what, answer) => {
    const { tenant, client, url } = await createFixture();
    target.site = { answer: (request) => ('encrypted' in request.socket ? null : answer(request)) };
    const first = await runJob(client, url);
    expect((await success(client, first, '?severity=medium&fail=true')).body.success).toBe(true);

    target.site = vulnerable;
    await runJob(client, url, SOME);
    const before = await findingsOf(client, tenant);
    target.site = { answer };
    const second = await runJob(client, url, SOME);
    expect(await findingsOf(client, tenant)).toEqual(before);
    const answered = await success(client, second, '?severity=high&fail=true');
    expect([answered.status, answered.body.description]).toEqual([
      422,
      expect.stringContaining('("A Git repository is public": '),
    ]);
  });
});

describe('the success of a job', () => {
  it('depends on the severity threshold and on dismissed findings', async () => {
    const { tenant, client, url } = await createFixture();
    const uuid = await runJob(client, url, SOME);
    expect((await success(client, uuid, '?severity=cosmic')).body.success).toBe(true);
    const answer = await success(client, uuid, '?severity=info&fail=false');
    expect([answer.status, answer.body.success]).toEqual([200, false]);
    expect((await success(client, uuid, '?severity=info&fail=True')).status).toBe(422);
    const admin = await tenant.as('admin');
    for (const { id } of await findingsOf(client, tenant)) {
      expect((await admin.client.post(`/v1/findings/${id}/status/`, { status: 6 })).status).toBe(200);
    }
    expect((await success(client, uuid, '?severity=info&fail=True')).body.success).toBe(true);
  });

  it('is false while an earlier finding on the origin is open that the job did not test', async () => {
    const { tenant, client, url } = await createFixture();
    target.site = {};
    const draft = { title: 'Elsewhere', severity: 'high', checkId: 'missing-nosniff' };
    const finding = await make.finding(tenant.id, { ...draft, checkDefinition: { location: `${origin()}/elsewhere` } });
    const uuid = await runJob(client, url);
    expect((await success(client, uuid, '?severity=high')).body).toEqual({
      success: false,
      description:
        'Findings of at least high severity: 1 claimed earlier and not confirmed as fixed ("Elsewhere": this job did not run its check).',
      accepted_checks: [],
      incomplete_checks: [],
      refused_checks: [],
      failing: 1,
      failing_findings: [
        {
          id: finding.id,
          title: 'Elsewhere',
          severity: 'high',
          proved: false,
          place: expect.stringMatching(/^https?:/),
          check: expect.any(String),
          url: expect.stringMatching(new RegExp(`^http://localhost:[0-9]+/o/[0-9]+/findings/${finding.id}$`)),
        },
      ],
    });
    await query('UPDATE findings SET status = 5 WHERE id = $1', [finding.id]);
    expect((await success(client, uuid, '?severity=high')).body.success).toBe(false);
    await query(
      `INSERT INTO retests (uuid, organization_id, finding_id, status, result, finished)
       VALUES (gen_random_uuid(), $1, $2, 'finished', 'fixed', now())`,
      [tenant.id, finding.id],
    );
    expect((await success(client, uuid, '?severity=high')).body.success).toBe(true);
    // Not a change of the finding: the retest still confirms the fix.
    expect((await client.post(`/v1/findings/${finding.id}/comments/`, { comment: 'Thanks.' })).status).toBe(201);
    expect((await success(client, uuid, '?severity=high')).body.success).toBe(true);
    await query('DELETE FROM retests WHERE finding_id = $1', [finding.id]);
    await query('UPDATE findings SET status = 7 WHERE id = $1', [finding.id]);
    expect((await success(client, uuid, '?severity=high')).body.success).toBe(true);
  });

  it('counts imported findings of the host until a test of their checks has a result, also after these are approved', async () => {
    const { tenant, client, url } = await createFixture();
    await make.asset(tenant.id, { value: '127.0.0.1', type: 'ip' });
    target.site = {};
    // No test may be sent there.
    const other = `http://127.0.0.1:${target.port + 1}/`;
    const source = `id: panel
info: {name: A panel is public, severity: high}
http:
  - method: GET
    path: ["{{BaseURL}}/panel"]
    matchers: [{type: word, words: [Control panel]}]
`;
    const result = (place: string) => ({
      'template-id': 'panel',
      'template-encoded': Buffer.from(source).toString('base64'),
      info: { name: 'A panel is public', severity: 'high' },
      type: 'http',
      'matched-at': `${other}${place}panel`,
    });
    const file = new Blob([`${JSON.stringify(result(''))}\n${JSON.stringify(result('shop/'))}\n`], {
      type: 'application/x-ndjson',
    });
    const { id } = (await client.post(`/v1/organizations/${tenant.id}/imports`, file)).body;
    await eventually(async () => expect((await client.get(`/v1/imports/${id}`)).body.status).toBe('FINISHED'));
    const before = await runJob(client, url, SOME);
    const failure = '2 claimed earlier and not confirmed as fixed ("A panel is public": it';
    const outcome = async (uuid: string) => (await success(client, uuid, '?severity=high')).body;
    const failed = { success: false, description: expect.stringContaining(failure) };
    expect(await outcome(before)).toMatchObject(failed);

    const [proposal] = (await client.get(`/v1/imports/${id}/proposals`)).body.proposals;
    await client.post(`/v1/imports/${id}/proposals/decisions`, { decision: 'approve', proposal_ids: [proposal.id] });
    const sql = `SELECT id, check_definition ->> 'location' AS location, verification FROM findings WHERE organization_id = $1
      AND verification_reason NOT LIKE '%waits for a worker%' AND verification_reason NOT LIKE 'No test%' AND check_id = 'http:panel' ORDER BY id`;
    let bound: { id: number }[] = [];
    await eventually(async () => {
      bound = await query(sql, [tenant.id]);
      expect(bound).toMatchObject([
        { location: other, verification: 'untested' },
        { location: `${other}shop`, verification: 'untested' },
      ]);
    });
    expect(await outcome(before)).toMatchObject(failed);
    expect(await outcome(await runJob(client, url, SOME))).toMatchObject(failed);
    const verify = (index: number, verification: string) =>
      query('UPDATE findings SET verification = $2 WHERE id = $1', [bound[index]?.id, verification]);
    // A test that was not completed has shown nothing.
    await verify(0, 'inconclusive');
    expect(await outcome(before)).toMatchObject(failed);
    await verify(0, 'refuted');
    expect((await outcome(before)).description).toContain(
      '1 claimed earlier and not confirmed as fixed ("A panel is public": its check is for ',
    );
    await verify(1, 'confirmed');
    expect((await outcome(before)).success).toBe(true);
    // On the origin the result of the job counts.
    await query(
      `UPDATE findings SET verification = 'untested', check_definition = check_definition || jsonb_build_object('location', $2::text) WHERE id = $1`,
      [bound[1]?.id, url],
    );
    expect((await outcome(before)).success).toBe(false);
    await query(
      `INSERT INTO job_findings (job_id, finding_id, organization_id, outcome) SELECT id, $1, $2, 'fixed' FROM jobs WHERE uuid = $3`,
      [bound[1]?.id, tenant.id, before],
    );
    expect((await outcome(before)).success).toBe(true);
    await query('UPDATE findings SET status = 7 WHERE id = $1', [bound[1]?.id]);
    // A person has named the place of this one.
    const { slug } = await make.event(tenant.id);
    const check = { id: 'exposed-git', location: other };
    const body = { title: 'Git', severity: 'high', asset_value: '127.0.0.1', check };
    expect((await client.post(`/v1/events/${slug}/findings/`, body)).status).toBe(201);
    expect((await outcome(await runJob(client, url, SOME))).success).toBe(true);
  });

  it('counts what a file has on the host on the asset of its block, also if an earlier version imported it', async () => {
    const { tenant, client, url } = await createFixture();
    const { id: block } = await make.asset(tenant.id, { value: '127.0.0.0/30', type: 'cidr' });
    target.site = {};
    const lines = ['127.0.0.1', '127.0.0.2'].map((host) =>
      JSON.stringify({
        'template-id': `panel-${host}`,
        info: { name: `Panel of ${host}`, severity: 'critical' },
        type: 'http',
        host,
        'matched-at': `http://${host}:81/panel`,
      }),
    );
    const at = { client, path: `/v1/organizations/${tenant.id}/imports` };
    await imported(at, new Blob([lines.join('\n')], { type: 'application/x-ndjson' }));
    const found = await query('SELECT asset_id FROM findings WHERE organization_id = $1', [tenant.id]);
    expect(found).toEqual([{ asset_id: block }, { asset_id: block }]);
    const uuid = await runJob(client, url, SOME);
    const failed = {
      success: false,
      failing: 1,
      description: expect.stringContaining('("Panel of 127.0.0.1": it has no check)'),
    };
    expect((await success(client, uuid, '?severity=critical')).body).toMatchObject(failed);
    await query('UPDATE findings SET place_host = NULL WHERE organization_id = $1', [tenant.id]);
    expect((await success(client, uuid, '?severity=critical')).body.success).toBe(true);
    await new AddHostsOfPlaces1796680000000().up({ query: (text: string) => query(text) } as never);
    expect((await success(client, uuid, '?severity=critical')).body).toMatchObject(failed);
  });

  it('refuses an unknown severity threshold', async () => {
    const { client, url } = await createFixture();
    const uuid = await launchJob(client, url, SOME);
    for (const wrong of ['severity=hihg', 'severity=High', 'fail=yes', 'fail=true&fail=true', 'severity=']) {
      expect((await success(client, uuid, `?${wrong}`)).status).toBe(400);
    }
    await waitForJob(client, uuid);
  });
});

describe('an accepted check', () => {
  const check = 'no-https-redirect';
  const reason = 'The staging site is only in the office network.';

  /** A finished job that fails at medium severity because of plain HTTP alone. */
  let uuid: string;
  let fixture: Awaited<ReturnType<typeof createFixture>>;
  let admin: Client;
  /** A client for pipelines. */
  let ci: Client;

  beforeAll(async () => {
    fixture = await createFixture();
    target.site = {};
    uuid = await runJob(fixture.client, fixture.url);
    ({ client: admin } = await fixture.tenant.as('admin'));
    const { credentials } = await make.member(fixture.tenant.id, 'member', { scopes: ['ci'] });
    ci = make.withCredentials(credentials);
  });
  afterEach(() => query('DELETE FROM accepted_checks WHERE organization_id = $1', [fixture.tenant.id]));

  async function accept(assetId: number, checkId = check): Promise<Record<string, string>> {
    const answer = await admin.put(`/v1/assets/${assetId}/accepted-checks/${checkId}`, { reason, until: tomorrow() });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  }

  it('lets the job succeed, is named with its reason, and its finding stays open', async () => {
    const { tenant, client, assetId, url } = fixture;
    target.site = {};
    const failed = (await success(admin, uuid)).body;
    expect(failed).toEqual({
      success: false,
      description:
        'Findings of at least medium severity: 1 found by this job ("No redirect to HTTPS: pages are served over plain HTTP"). ' +
        'To accept a check on an asset until a date: PUT /v1/assets/{asset_id}/accepted-checks/{check_id}.',
      accepted_checks: [],
      incomplete_checks: [],
      refused_checks: [],
      failing: 1,
      failing_findings: [expect.objectContaining({ check: 'no-https-redirect', severity: 'medium' })],
    });
    const { credentials } = await make.member(tenant.id, 'admin', { scopes: ['ci'] });
    for (const caller of [client, ci, make.withCredentials(credentials)]) {
      expect((await success(caller, uuid)).body.description).not.toContain('PUT');
    }

    const accepted = await accept(assetId);
    const named = {
      check_id: check,
      asset_id: assetId,
      asset_value: url,
      reason,
      until: accepted['until'],
      accepted_by: accepted['accepted_by'],
      accepted_for: 'asset',
      label: null,
    };
    for (const job of [uuid, await runJob(client, url)]) {
      const answer = await success(ci, job, '?fail=true');
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          success: true,
          incomplete_checks: [],
          refused_checks: [],
          failing: 0,
          failing_findings: [],
          description:
            'No other open finding of at least medium severity. Findings of accepted checks do not count: ' +
            `${check} on ${url} until ${accepted['until']?.slice(0, 10)} by ${accepted['accepted_by']} ("${reason}").`,
          accepted_checks: [named],
        },
      ]);
      const { findings } = (await client.get(`/v1/jobs/${job}`)).body.job;
      expect(findings.filter((one: { accepted: boolean }) => one.accepted)).toEqual([
        { title: 'No redirect to HTTPS: pages are served over plain HTTP', severity: 'medium', accepted: true },
      ]);
    }
    const findings = await findingsOf(client, tenant);
    expect(findings.find(({ title }) => /plain HTTP/.test(title))).toMatchObject({ status: 1 });
    expect((await success(ci, uuid, '?severity=high')).body.accepted_checks).toEqual([]);
  });

  it('also applies to an earlier finding, but not to one of a YAML check with the same id', async () => {
    const { tenant, assetId } = fixture;
    const location = `${origin()}/elsewhere`;
    const draft = { title: 'Elsewhere', severity: 'high', checkId: check } as const;
    const { id } = await make.finding(tenant.id, { ...draft, checkDefinition: { location } });
    await query("UPDATE findings SET created = created - interval '1 hour' WHERE id = $1", [id]);
    await accept(assetId);
    const answer = (await success(ci, uuid)).body;
    expect([answer.success, answer.accepted_checks.length]).toEqual([true, 1]);
    await query(`UPDATE findings SET check_definition = check_definition || '{"http": "id: x"}' WHERE id = $1`, [id]);
    expect((await success(ci, uuid)).body).toMatchObject({
      success: false,
      description: expect.stringContaining(
        '1 claimed earlier and not confirmed as fixed ("Elsewhere": this job did not run its check)',
      ),
    });
    await query('DELETE FROM findings WHERE id = $1', [id]);
  });

  it('applies to no other check, host, port, path or organization', async () => {
    const { tenant, assetId } = fixture;
    await accept(assetId, 'login-over-http');
    const other = await createFixture();
    const { client: foreignAdmin } = await other.tenant.as('admin');
    await foreignAdmin.put(`/v1/assets/${other.assetId}/accepted-checks/${check}`, { reason, until: tomorrow() });
    for (const value of [
      'http://127.0.0.1:1/',
      `${origin()}/app`,
      'http://127.0.0.2/',
      `https://127.0.0.1:${target.port}/`,
    ]) {
      await accept((await make.asset(tenant.id, { value, type: 'url' })).id);
    }
    expect((await success(ci, uuid)).body).toMatchObject({
      success: false,
      accepted_checks: [],
      incomplete_checks: [],
      refused_checks: [],
    });
    const block = await make.asset(tenant.id, { value: '127.0.0.0/24', type: 'cidr' });
    await accept(block.id);
    expect((await success(ci, uuid)).body).toMatchObject({ success: true, accepted_checks: [{ asset_id: block.id }] });
  });

  it('counts again as soon as it has expired, is removed, or its asset is deleted', async () => {
    const { assetId } = fixture;
    const isAccepted = async () => {
      const { body } = await success(ci, uuid);
      expect(body.accepted_checks).toHaveLength(body.success ? 1 : 0);
      return body.success;
    };
    await accept(assetId);
    expect(await isAccepted()).toBe(true);
    await query("UPDATE accepted_checks SET until = now() - interval '1 millisecond' WHERE asset_id = $1", [assetId]);
    expect(await isAccepted()).toBe(false);
    await accept(assetId);
    expect(await isAccepted()).toBe(true);
    await admin.delete(`/v1/assets/${assetId}/accepted-checks/${check}`);
    expect(await isAccepted()).toBe(false);
    await accept(assetId);
    await admin.delete(`/v1/assets/${assetId}/`);
    expect(await isAccepted()).toBe(false);
    expect(await query('SELECT 1 FROM accepted_checks WHERE asset_id = $1', [assetId])).toEqual([]);
  });
});

describe('canceling a job', () => {
  it('stops it within two seconds, also when requested twice', async () => {
    const { tenant, client, url } = await createFixture();
    let arrived = (): void => undefined;
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    let open = 0;
    target.disturb = (_request, _response, line) => {
      open++;
      line.once('close', () => open--);
      arrived();
      return true;
    };
    const uuid = await launchJob(client, url, SOME);
    await asked;
    expect((await success(client, uuid, '?fail=true')).body).toEqual({
      success: null,
      description: 'The job is IN_PROGRESS: ask again.',
      accepted_checks: [],
      incomplete_checks: [],
      refused_checks: [],
      failing: 0,
      failing_findings: [],
    });
    const { client: admin } = await tenant.as('admin');
    const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1', [tenant.id]);
    expect((await admin.delete(`/v1/assets/${asset?.id}/`)).status).toBe(409);
    expect(await statusesOfCancels(client, uuid)).toEqual([200, 200]);
    await eventually(async () => expect(open).toBe(0), 6_000);
    expect(await waitForJob(client, uuid)).toBe('CANCELED');
    expect((await success(client, uuid, '?severity=cosmic&fail=true')).status).toBe(422);
    expect(await findingsOf(client, tenant)).toEqual([]);
  });

  it('is a 409 for a job that has ended', async () => {
    const { client, url } = await createFixture();
    const uuid = await runJob(client, url, SOME);
    expect((await client.post(`/v1/jobs/${uuid}/cancel`)).status).toBe(409);
    expect((await client.get(`/v1/jobs/${uuid}/status`)).body).toEqual({ status: 'FINISHED' });
  });
});

const statusesOfCancels = async (client: Client, uuid: string): Promise<number[]> =>
  sortedStatuses([await client.post(`/v1/jobs/${uuid}/cancel`), await client.post(`/v1/jobs/${uuid}/cancel`)]);

describe('a job that cannot be launched', () => {
  it('is refused with the remedy by both the check and the launch route', async () => {
    const { client, url } = await createFixture();
    const foreign = await make.event((await make.organization()).id, { status: 'running' });
    const orders = [
      { url: 'https://example.com/' },
      { url: 'http://127.0.0.1:1/' },
      { url, beacon_id: 2_147_483_647 },
      { url, event_slug: foreign.slug },
      { url, event_slug: 'Nobodys Event' },
      { url, event_slug: '' },
    ];
    for (const order of orders) {
      const checked = await client.post('/v1/jobs/check', order);
      expect([checked.status, checked.body.valid]).toEqual([200, false]);
      const refused = await client.post('/v1/jobs/launch', order);
      expect(refused.status).toBe(422);
      expect(refused.body.description).toBe(`The job cannot be launched. ${checked.body.reason}`);
    }
  });

  it("gets the same answer for another organization's event or beacon as for one that does not exist", async () => {
    const { client, url } = await createFixture();
    const other = await make.organization();
    const foreign = { event_slug: (await make.event(other.id, { status: 'running' })).slug };
    const beacon = { beacon_id: (await make.beacon(other.id)).id };
    const nobodys = { event_slug: 'nobodys-event-0a0a0a', beacon_id: 2_147_483_647 };
    for (const named of [foreign, beacon]) {
      const same = Object.fromEntries(Object.keys(named).map((key) => [key, nobodys[key as keyof typeof nobodys]]));
      const answers = await Promise.all(
        [named, same].map((names) => client.post('/v1/jobs/launch', { url, ...names })),
      );
      expect(answers[0]?.text).toBe(answers[1]?.text);
      const checks = await Promise.all([named, same].map((names) => client.post('/v1/jobs/check', { url, ...names })));
      expect(checks[0]?.body.reason).toBe(checks[1]?.body.reason);
    }
  });

  it.each(['ftp://example.com/', 'https://user@example.com/', 'example.com', '', 'https://exam\nple.com/', 7, null])(
    'gets a 400 for the URL %j',
    async (url) => {
      const { client } = await createFixture();
      for (const operation of ['check', 'launch'])
        expect((await client.post(`/v1/jobs/${operation}`, { url })).status).toBe(400);
    },
  );

  it('is checked again when a worker claims the job', async () => {
    const { tenant, client, url, assetId } = await createFixture();
    const uuid = '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11';
    await query('INSERT INTO jobs (uuid, organization_id, asset_id, url) VALUES ($1, $2, $3, $4)', [
      uuid,
      tenant.id,
      assetId,
      url,
    ]);
    await query('DELETE FROM assets WHERE id = $1', [assetId]);
    target.paths.length = 0;
    await query("INSERT INTO work (kind, reference, organization_id) VALUES ('job', $1, $2)", [uuid, tenant.id]);
    expect(await waitForJob(client, uuid)).toBe('ERROR');
    expect((await client.get(`/v1/jobs/${uuid}`)).body.job.error).toMatch(/^It may no longer run. No asset covers/);
    expect(target.paths).toEqual([]);
  });
});

describe('a job whose workers were lost', () => {
  const insert = (tenant: Tenant, assetId: number, url: string, started: string) =>
    query<{ uuid: string }>(
      `INSERT INTO jobs (uuid, organization_id, asset_id, url, status, started)
       VALUES (gen_random_uuid(), $1, $2, $3, 'IN_PROGRESS', now() - $4::interval) RETURNING uuid`,
      [tenant.id, assetId, url, started],
    );
  const hold = (uuid: string | undefined, tenant: Tenant, attempt: number) =>
    query(
      `INSERT INTO work (kind, reference, organization_id, state, attempt, failures, lease_until)
       VALUES ('job', $1, $2, 'running', $3, $3 - 1, now() - interval '1 minute')`,
      [uuid, tenant.id, attempt],
    );

  it('is run by another worker', async () => {
    const { tenant, client, url, assetId } = await createFixture();
    const [job] = await insert(tenant, assetId, url, '10 seconds');
    await hold(job?.uuid, tenant, 1);
    expect(await waitForJob(client, job?.uuid ?? '')).toBe('FINISHED');
    expect((await findingsOf(client, tenant)).length).toBeGreaterThan(0);
    const entries = await query('SELECT operation FROM audit_logs WHERE resource_id = $1', [job?.uuid]);
    expect(entries).toEqual([{ operation: 'job.finish' }]);
  });

  it('has its time limit measured by the clock of the database, not of the worker', async () => {
    const { tenant, client, url, assetId } = await createFixture();
    const [job] = await insert(tenant, assetId, url, '10 seconds');
    const anHourOn = new Date(Date.now() + 3_600_000);
    const clock = jest.spyOn(api.app.get(Clock), 'now').mockReturnValue(anHourOn);
    try {
      const handler = api.app.get(WorkRegistry).handlerOf('job');
      const { uuid: reference = '' } = job ?? {};
      const createFixture = { organizationId: tenant.id, integratorId: null };
      const claim = { id: '1', kind: 'job', reference, ...createFixture, assetId, eventId: null };
      const { signal } = new AbortController();
      const { audit, apply } = await handler.perform({ ...claim, attempt: 1, failures: 0 }, signal);
      await api.app.get(UnitOfWork).run(audit, everything('a test'), apply);
    } finally {
      clock.mockRestore();
    }
    expect(await waitForJob(client, job?.uuid ?? '')).toBe('FINISHED');
  });

  it.each([
    ['has exceeded its five minutes', '6 minutes', 1, 'It did not finish within 5 minutes.'],
    ['has used its last attempt', '10 seconds', 5, 'It could not run because of an internal error.'],
  ])('ends in ERROR when it %s', async (_what, started, attempt, error) => {
    const { tenant, client, url, assetId } = await createFixture();
    const [job] = await insert(tenant, assetId, url, started);
    await hold(job?.uuid, tenant, attempt);
    expect(await waitForJob(client, job?.uuid ?? '')).toBe('ERROR');
    expect((await client.get(`/v1/jobs/${job?.uuid}`)).body.job).toMatchObject({ error, findings: [] });
    expect((await success(client, job?.uuid ?? '', '?fail=true')).status).toBe(422);
  });
});

describe('permissions on jobs', () => {
  it('a key with only the pipeline scope can use all job routes and no others', async () => {
    const { tenant, url } = await createFixture();
    const { client } = await make.member(tenant.id, 'member', { scopes: ['ci'] });
    expect((await client.post('/v1/jobs/check', { url })).status).toBe(200);
    const uuid = await launchJob(client, url, SOME);
    for (const path of ['', '/status', '/success'])
      expect((await client.get(`/v1/jobs/${uuid}${path}`)).status).toBe(200);
    expect((await client.get('/v1/jobs')).status).toBe(200);
    expect((await client.post(`/v1/jobs/${uuid}/cancel`)).status).toBe(200);
    expect((await client.get(`/v1/organizations/${tenant.id}/findings/`)).status).toBe(403);
  });

  it('a viewer can read jobs, and no caller sees those of other organizations', async () => {
    const { tenant, client, url } = await createFixture();
    const uuid = await runJob(client, url, SOME);
    const viewer = await tenant.as('viewer');
    expect((await viewer.client.get(`/v1/jobs/${uuid}`)).status).toBe(200);
    expect((await viewer.client.post('/v1/jobs/check', { url })).status).toBe(200);
    expect((await viewer.client.post('/v1/jobs/launch', { url })).status).toBe(403);
    expect((await viewer.client.post(`/v1/jobs/${uuid}/cancel`)).status).toBe(403);
    const stranger = await (await make.organization()).as('owner');
    const nobodys = '00000000-0000-4000-8000-000000000000';
    for (const path of ['', '/status', '/success']) {
      const answer = await stranger.client.get(`/v1/jobs/${uuid}${path}`);
      expect(answer.status).toBe(404);
      for (const other of [nobodys, 'x', '1'])
        expect((await stranger.client.get(`/v1/jobs/${other}${path}`)).text).toBe(answer.text);
    }
    expect((await stranger.client.get('/v1/jobs')).body.jobs).toEqual([]);
    expect((await stranger.client.post(`/v1/jobs/${uuid}/cancel`)).status).toBe(404);
  });
});

it('eight simultaneous jobs on one origin record each finding once, and all end', async () => {
  const { tenant, client, url } = await createFixture();
  const uuids = await Promise.all(repeat(8, url).map((each) => launchJob(client, each, SOME)));
  // One after the other, to leave CPU time to the jobs.
  for (const uuid of uuids) expect(await waitForJob(client, uuid)).toBe('FINISHED');
  const titles = (await findingsOf(client, tenant)).map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(2);
  expect(new Set(titles).size).toBe(titles.length);
});

describe('findings recorded by hand on the origin of a job', () => {
  const standing = async (client: Client, uuid: string): Promise<string> =>
    (await client.get(`/v1/jobs/${uuid}/success?severity=critical`)).body.description;

  it('make it fail until they are resolved or dismissed, whatever event they are in', async () => {
    const { tenant, client, url } = await createFixture();
    const { slug } = await make.event(tenant.id);
    const recorded = async (title: string, asset_value: string): Promise<number> =>
      (await client.post(`/v1/events/${slug}/findings/`, { title, severity: 'critical', asset_value })).body.id;
    const onUrl = await recorded('On a page', `${url}admin`);
    const onHost = await recorded('On the host', '127.0.0.1');
    await recorded('On another port', 'http://127.0.0.1:1/');
    const uuid = await runJob(client, url);
    expect(await standing(client, uuid)).toContain(
      '2 claimed earlier and not confirmed as fixed ("On the host": it has no check, "On a page": it has no check)',
    );
    await client.post(`/v1/findings/${onUrl}/status`, { status: 5 });
    const { client: admin } = await tenant.as('admin');
    await admin.post(`/v1/findings/${onHost}/status`, { status: 6 });
    expect(await standing(client, uuid)).toBe('No open finding of at least critical severity.');
  });

  it('with a check count for a job without an event too', async () => {
    const { tenant, client, url } = await createFixture();
    const { slug } = await make.event(tenant.id);
    const check = {
      location: url,
      http: 'id: custom\ninfo: {name: Custom, severity: critical}\nhttp: [{method: GET, path: ["{{BaseURL}}"], matchers: [{type: word, words: [never-there]}]}]',
    };
    const body = { title: 'Custom', severity: 'critical', asset_value: url, check };
    expect((await client.post(`/v1/events/${slug}/findings/`, body)).status).toBe(201);
    expect(await standing(client, await runJob(client, url, SOME))).toContain(
      '("Custom": this job did not run its check)',
    );
  });

  it('with a check on two assets are seen again on both, also when one was set to resolved', async () => {
    const { tenant, client, url } = await createFixture();
    await make.asset(tenant.id, { value: '127.0.0.1', type: 'ip' });
    const { slug } = await make.event(tenant.id);
    const recorded = async (asset_value: string): Promise<number> => {
      const check = { id: 'exposed-git', location: url };
      const body = { title: 'Git', severity: 'high', asset_value, check };
      return (await client.post(`/v1/events/${slug}/findings/`, body)).body.id;
    };
    const ids = [await recorded(url), await recorded('127.0.0.1')];
    for (const id of ids) expect((await client.post(`/v1/findings/${id}/status`, { status: 5 })).status).toBe(200);
    await runJob(client, url, SOME);
    const statusesNow = (await findingsOf(client, tenant)).filter(({ id }) => ids.includes(id));
    expect(statusesNow).toMatchObject([{ status: 1 }, { status: 1 }]);
  });

  it('with a lower severity count with the severity that the job determined', async () => {
    const { tenant, client, url } = await createFixture();
    const { id } = await make.finding(tenant.id, {
      title: 'Nothing to see',
      severity: 'none',
      asset: { id: null, value: url, tier: null },
      checkId: 'exposed-git',
      fingerprint: fingerprintOfCheck('exposed-git', url),
      checkDefinition: { location: url },
    });
    const uuid = await runJob(client, url, SOME);
    const seen = (await client.get(`/v1/jobs/${uuid}`)).body.job.findings as { title: string; severity: string }[];
    expect(seen).toContainEqual({
      title: 'Nothing to see',
      severity: checkById('exposed-git')?.severity,
      accepted: false,
    });
    expect((await client.get(`/v1/findings/${id}/`)).body.findings[0].severity).toBe('high');
  });

  it('with a lower severity get that of the check that the job ran, unless an admin has lowered it', async () => {
    const { tenant, client, url, assetId } = await createFixture();
    const { client: admin } = await tenant.as('admin');
    const { slug } = await make.event(tenant.id);
    const recorded = async (check: string): Promise<number> => {
      const body = { title: check, severity: 'none', asset_id: assetId, check: { id: check, location: url } };
      return (await client.post(`/v1/events/${slug}/findings/`, body)).body.id;
    };
    const read = async (id: number) => (await client.get(`/v1/findings/${id}/`)).body.findings[0];
    const lower = async (id: number, severity: string) =>
      expect((await admin.patch(`/v1/findings/${id}/`, { severity, reason: 'An office site.' })).status).toBe(200);
    const [git, nosniff] = [await recorded('exposed-git'), await recorded('missing-nosniff')];
    expect(await read(git)).toMatchObject({ severity: 'none', due_date: null });
    // More than was recorded, and less than a check says.
    expect((await client.patch(`/v1/findings/${git}/`, { severity: 'info' })).status).toBe(200);
    await query('UPDATE findings SET severity = 2 WHERE id = $1', [nosniff]);
    await lower(nosniff, 'info');
    await runJob(client, url, SOME);
    expect(await read(git)).toMatchObject({ severity: 'high', due_date: expect.any(String), priority: 2 });
    expect((await client.get(`/v1/findings/${git}/history`)).body.history).toContainEqual(
      expect.objectContaining({
        actor: expect.objectContaining({ type: 'system' }),
        changes: expect.arrayContaining([{ field: 'severity', from: 'info', to: 'high' }]),
      }),
    );
    expect(await query('SELECT high FROM asset_totals WHERE asset_id = $1', [assetId])).toEqual([{ high: 1 }]);
    expect(await read(nosniff)).toMatchObject({ severity: 'info' });
    await lower(git, 'low');
    await runJob(client, url, SOME);
    expect((await read(git)).severity).toBe('low');
  });
});

describe('a job of an event that excludes a part of the host', () => {
  async function event(included: string, excluded: string) {
    const { tenant, client } = await createFixture();
    const { client: admin } = await tenant.as('admin');
    const { slug } = await make.event(tenant.id, { status: 'running' });
    for (const [path, in_scope] of [
      [included, true],
      [excluded, false],
    ] as const) {
      const value = `${origin()}${path}`;
      const [known] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1 AND value = $2', [
        tenant.id,
        value,
      ]);
      const { id } = known ?? (await make.asset(tenant.id, { value, type: 'url' }));
      await admin.post(`/v1/events/${slug}/scope/assets/`, { asset_id: id, in_scope });
    }
    return { client, slug, tenant };
  }

  it('tests the rest of the host, and is refused on the excluded part', async () => {
    const { client, slug, tenant } = await event('/', '/admin');
    const refused = await client.post('/v1/jobs/launch', { url: `${origin()}/admin/users`, event_slug: slug });
    expect([refused.status, refused.body.description]).toEqual([
      422,
      expect.stringContaining(`which excludes ${origin()}/admin`),
    ]);
    await runJob(client, `${origin()}/`, { event_slug: slug, ...SOME });
    expect(await findingsOf(client, tenant)).toContainEqual(
      expect.objectContaining({ title: checkById('exposed-git')?.title }),
    );
  });

  it('skips checks that request the excluded root, and reports them in its coverage', async () => {
    const { client, slug, tenant } = await event('/app', '/');
    target.paths.length = 0;
    const uuid = await runJob(client, `${origin()}/app/`, { event_slug: slug });
    expect(target.paths).toContain('/app/');
    expect(target.paths.filter((path) => path.startsWith('/.git'))).toEqual([]);
    const [job] = await query<{ coverage: { check: string; outcome: string; reason: string }[] }>(
      'SELECT coverage FROM jobs WHERE uuid = $1',
      [uuid],
    );
    expect(job?.coverage).toContainEqual(
      expect.objectContaining({
        check: 'exposed-git',
        outcome: 'not_applicable',
        reason: 'what it addresses is not in the scope of the event',
      }),
    );
    for (const { title } of await findingsOf(client, tenant)) expect(title).not.toBe(checkById('exposed-git')?.title);
  });
});

it('a job of an event records its findings in the event', async () => {
  const { tenant, client, url, assetId } = await createFixture();
  const { client: admin } = await tenant.as('admin');
  const event = await make.event(tenant.id, { status: 'running' });
  await admin.post(`/v1/events/${event.slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
  const uuid = await runJob(client, url, { event_slug: event.slug });
  const { findings } = (await client.get(`/v1/events/${event.slug}/findings/`)).body;
  expect(findings).toHaveLength((await client.get(`/v1/jobs/${uuid}`)).body.job.findings.length);
});

describe('the report of a job', () => {
  const report = (client: Client, uuid: string, parameters = ''): Promise<Answer> =>
    client.get(`/v1/jobs/${uuid}/report${parameters}`);

  it('is read by a pipeline in every format, with the same bytes each time', async () => {
    const { tenant, url } = await createFixture();
    const { client } = await make.member(tenant.id, 'member', { scopes: ['ci'] });
    const uuid = await runJob(client, `${url}?token=tok-7f3a9b`, SOME);
    const { job } = (await client.get(`/v1/jobs/${uuid}`)).body;
    const formats = [
      ['json', 'application/json', 'assay.json', '"schema": "assay/report/1"'],
      ['sarif', 'application/sarif+json', 'assay.sarif', '"version": "2.1.0"'],
      ['gitlab', 'application/json', 'gl-dast-report.json', '"type": "dast"'],
      ['junit', 'application/xml', 'assay-junit.xml', '<testsuites name="Assay"'],
      ['csv', 'text/csv; charset=utf-8', 'assay.csv', '"id","title"'],
    ] as const;
    for (const [format, contentType, name, part] of formats) {
      const answer = await report(client, uuid, `?format=${format}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, contentType]);
      expect(answer.headers.get('content-disposition')).toContain(name);
      expect(answer.text).toContain(part);
      expect(answer.text).not.toContain('tok-7f3a9b');
      for (const { title } of job.findings) expect(answer.text).toContain(title);
      const again = await report(client, uuid, `?format=${format}`);
      expect([again.text, again.headers.get('etag')]).toEqual([answer.text, answer.headers.get('etag')]);
    }
    expect((await report(client, uuid)).text).toBe((await report(client, uuid, '?format=json')).text);
  });

  it('has the tests of the job, the result for pipelines, and what the job showed of each finding', async () => {
    const { client, url, assetId, tenant } = await createFixture();
    const asset = { id: assetId, value: url, tier: null };
    await make.finding(tenant.id, { title: 'Recorded by hand', asset, severity: 'high' });
    const uuid = await runJob(client, url, SOME);
    const { body } = await report(client, uuid);
    expect(body).toMatchObject({
      report_id: null,
      subject: 'job',
      event: null,
      job: { uuid, url, status: 'FINISHED', error: null, gate: { severity: 'medium', success: false } },
      scope: { in_scope: [{ id: assetId, last_tested: body.job.finished }] },
    });
    expect(body.taken).toBe(body.job.finished);
    expect(body.job.gate.description).toBe((await success(client, uuid)).body.description);
    expect(body.job.tests).toContainEqual(
      expect.objectContaining({ check: 'exposed-git', outcome: 'vulnerable', location: `${origin()}/` }),
    );
    const git = body.findings.find(({ check }: { check: string }) => check === 'exposed-git');
    expect(git.job).toEqual({ outcome: 'seen', severity: 'high', fails_gate: true });
    const byHand = body.findings.find(({ title }: { title: string }) => title === 'Recorded by hand');
    expect(byHand.job).toEqual({ outcome: 'not_seen', severity: 'high', fails_gate: true });
    expect(body.check_descriptions).toContainEqual(
      expect.objectContaining({ id: 'exposed-git', title: checkById('exposed-git')?.title, cwe: [527] }),
    );
    const lenient = (await report(client, uuid, '?severity=cosmic')).body;
    expect(lenient.job.gate).toMatchObject({ severity: 'cosmic', success: true });
    expect(lenient.findings.some(({ job }: { job: { fails_gate: boolean } }) => job.fails_gate)).toBe(false);
  });

  it('changes with the status of a finding: SARIF and GitLab list open findings, and the ETag is another', async () => {
    const { tenant, client, url } = await createFixture();
    const uuid = await runJob(client, url, SOME);
    const before = await report(client, uuid, '?format=sarif');
    const etag = before.headers.get('etag') ?? '';
    const path = `/v1/jobs/${uuid}/report?format=sarif`;
    expect((await client.get(path, { 'if-none-match': etag })).status).toBe(304);
    const finding = (await findingsOf(client, tenant)).find(({ title }) => /git/i.test(title));
    const { client: admin } = await tenant.as('admin');
    await admin.post(`/v1/findings/${finding?.id}/status`, { status: 6, comment: 'Known.' });
    const after = await client.get(path, { 'if-none-match': etag });
    expect(after.status).toBe(200);
    const messages = (text: string): string[] =>
      JSON.parse(text).runs[0].results.map(({ message }: { message: { text: string } }) => message.text);
    expect(messages(before.text)).toContain(finding?.title);
    expect(messages(after.text)).toEqual(messages(before.text).filter((title) => title !== finding?.title));
    expect((await report(client, uuid, '?format=gitlab')).text).not.toContain('exposed-git');
    expect((await report(client, uuid, '?format=junit')).text).toContain('(risk accepted)');
  });

  it('names the known formats and severities when a request has another', async () => {
    const { client, url } = await createFixture();
    const uuid = await launchJob(client, url, SOME);
    for (const [parameters, sentence] of [
      ['?format=pdf', 'format must be one of: json, sarif, gitlab, junit, csv'],
      ['?severity=severe', 'severity must be one of: none, info'],
    ] as const) {
      const answer = await report(client, uuid, parameters);
      expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining(sentence)]);
    }
    await waitForJob(client, uuid);
  });

  it('is not available while the job is unfinished, and after it was canceled or failed', async () => {
    const { tenant, client } = await createFixture();
    const jobWith = async (status: string, error: string | null = null): Promise<string> => {
      const [row] = await query<{ uuid: string }>(
        `INSERT INTO jobs (uuid, organization_id, url, status, error, finished)
         VALUES (gen_random_uuid(), $1, 'https://x.example/', $2, $3, CASE WHEN $2 IN ('ERROR', 'CANCELED') THEN now() END)
         RETURNING uuid`,
        [tenant.id, status, error],
      );
      return row?.uuid ?? '';
    };
    for (const status of ['PENDING', 'IN_PROGRESS']) {
      const answer = await report(client, await jobWith(status));
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '5']);
      expect(answer.body.description).toContain(`The job is ${status}.`);
    }
    const canceled = await report(client, await jobWith('CANCELED'));
    expect([canceled.status, canceled.headers.get('retry-after')]).toEqual([409, null]);
    const failed = await report(client, await jobWith('ERROR', 'The target stopped answering.'));
    expect([failed.status, failed.body.description]).toEqual([
      409,
      expect.stringContaining('The target stopped answering.'),
    ]);
  });

  it('is refused with the way to a larger report when it has too many findings', async () => {
    const { tenant, client } = await createFixture();
    const [job] = await query<{ id: number; uuid: string }>(
      `INSERT INTO jobs (uuid, organization_id, url, status, finished)
       VALUES (gen_random_uuid(), $1, 'https://x.example/', 'FINISHED', now()) RETURNING id, uuid`,
      [tenant.id],
    );
    await query(
      `WITH many AS (
         INSERT INTO findings (organization_id, asset_value, title, severity, priority, fingerprint)
         SELECT $1, 'x.example', 'Finding ' || n, 3, 3, sha256(convert_to(n::text, 'UTF8')) FROM generate_series(1, 2001) n
         RETURNING id)
       INSERT INTO job_findings (job_id, finding_id, organization_id, outcome, severity) SELECT $2, id, $1, 'seen', 3 FROM many`,
      [tenant.id, job?.id],
    );
    const answer = await report(client, job?.uuid ?? '');
    expect([answer.status, answer.body.description]).toEqual([
      422,
      expect.stringMatching(/more than 2000 findings.*POST \/v1\/jobs\/\{uuid\}\/reports\//),
    ]);
  });
});

describe('a job with selected checks', () => {
  const word = (name: string): string =>
    unique(name)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-');
  const templateOf = (
    id: string,
    { tags = '', path = '/panel', words = 'Control panel', method = 'GET' } = {},
  ): string =>
    `id: ${id}
info: {name: A panel is public, severity: high, description: Anyone can open the panel., tags: "${tags}",
  classification: {cvss-metrics: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N", cwe-id: CWE-284}}
http:
  - method: ${method}
    path: ["{{BaseURL}}${path}"]
    matchers: [{type: word, words: ["${words}"]}]
`;
  const load = (...sources: string[]) =>
    api.app.get(LibraryLoader).load(
      sources.map((source, index) => ({ name: `${index}.yaml`, source })),
      { via: 'test' },
    );
  const stored = async (id: number) =>
    (
      await query<{ check_definition: { http?: string } }>('SELECT check_definition FROM findings WHERE id = $1', [id])
    )[0]?.check_definition.http;
  const coverageOf = async (uuid: string) =>
    (
      await query<{ coverage: { check: string; outcome: string; reason: string }[] }>(
        'SELECT coverage FROM jobs WHERE uuid = $1',
        [uuid],
      )
    )[0]?.coverage
      .map(({ check, outcome, reason }) => [check, outcome, reason])
      .sort() ?? [];
  const withPanel = { pages: { '/panel': '<h1>Control panel</h1>' } };

  it('runs them alone, records findings with their YAML, and resolves these only by that YAML', async () => {
    const { tenant, client, url } = await createFixture();
    const [id, unsafe, waiting, tag] = [word('panel'), word('unsafe'), word('waiting'), word('tag')];
    const first = templateOf(id, { tags: tag });
    await load(
      first,
      templateOf(unsafe, { tags: tag, method: 'POST' }),
      `id: ${waiting}
info: {name: Waits for a value, tags: "${tag}"}
http:
  - raw: ["GET /one HTTP/1.1\\n\\n", "GET /two?n={{nonce}} HTTP/1.1\\n\\n"]
    extractors: [{type: regex, internal: true, name: nonce, regex: ["n=[0-9]+"]}]
    matchers: [{type: word, words: [absent]}]
`,
    );
    target.site = withPanel;
    const job = await runJob(client, url, { checks: [tag.toUpperCase()] });
    expect((await client.get(`/v1/jobs/${job}`)).body.job).toMatchObject({ checks: [tag.toUpperCase()], error: null });
    expect(await coverageOf(job)).toEqual([
      [`http:${id}`, 'vulnerable', 'GET /panel returned 200 and matches the check.'],
      [`http:${unsafe}`, 'not_applicable', 'it sends POST, which may change state on the target'],
      [`http:${waiting}`, 'not_applicable', expect.stringContaining('no earlier response contains it')],
    ]);
    const [finding] = await findingsOf(client, tenant);
    if (finding === undefined) throw new Error('the job recorded no finding');
    const statusOf = async () => (await findingsOf(client, tenant)).map(({ status }) => status);
    // The word of the template counts, and not its vector, which is of medium severity.
    expect(finding).toMatchObject({ title: 'A panel is public', severity: 'high', cvss_vector: null, cwe: 284 });
    expect(await stored(finding.id)).toBe(first);

    // A later version sees nothing there. The finding is tested with the version that saw it.
    await load(templateOf(id, { tags: tag, words: 'Other words' }));
    const again = await runJob(client, url, { checks: [`http:${id}`] });
    expect([await statusOf(), await stored(finding.id)]).toEqual([[1], first]);
    expect((await success(client, again)).body).toMatchObject({
      success: false,
      description: expect.stringMatching(`1 found by this job .* Only selected checks ran: http:${id}\\.`),
    });

    target.site = { headers: { 'x-content-type-options': 'nosniff' } };
    const other = await runJob(client, url, { checks: ['missing-nosniff'] });
    expect((await coverageOf(other)).map(([check]) => check)).toEqual(['missing-nosniff']);
    expect(await statusOf()).toEqual([1]);
    expect((await success(client, other)).body.success).toBe(false);

    const last = await runJob(client, url, { checks: [`http:${id}`] });
    expect(await statusOf()).toEqual([5]);
    expect((await success(client, last)).body.success).toBe(true);
  });

  it('does not take a finding for fixed that has another template with the same id', async () => {
    const { tenant, client, url } = await createFixture();
    const id = word('panel');
    await load(templateOf(id));
    target.site = withPanel;
    await runJob(client, url, { checks: [`http:${id}`] });
    const [found] = await findingsOf(client, tenant);
    const own = templateOf(id, { path: '/admin' });
    await query(
      `INSERT INTO findings (organization_id, asset_value, title, severity, priority, fingerprint, check_id, check_definition)
       SELECT organization_id, '127.0.0.1', 'Mine', 4, 2, fingerprint, check_id, check_definition || $2
       FROM findings WHERE id = $1`,
      [found?.id, { http: own }],
    );
    target.site = { pages: { '/admin': 'Control panel' } };
    const uuid = await runJob(client, url, { checks: [`http:${id}`] });
    const statuses = (await findingsOf(client, tenant)).map(({ title, status }) => [title, status]);
    expect(statuses).toEqual([
      ['Mine', 1],
      ['A panel is public', 5],
    ]);
    expect((await success(client, uuid)).body.success).toBe(false);
  });

  it('keeps the template that has shown a weakness when a member records another with the same id', async () => {
    const { tenant, client, url, assetId } = await createFixture();
    const id = word('panel');
    const first = templateOf(id);
    await load(first);
    const { slug } = await make.event(tenant.id);
    const record = (http: string) =>
      client.post(`/v1/events/${slug}/findings/`, {
        title: 'Mine',
        severity: 'info',
        asset_id: assetId,
        check: { http, location: url },
      });
    // What a person has recorded is replaced, also by a job.
    const { id: findingId } = (await record(templateOf(id, { path: '/mine' }))).body;
    const corrected = templateOf(id, { path: '/corrected' });
    expect((await record(corrected)).body.warnings).toBeUndefined();
    expect(await stored(findingId)).toBe(corrected);
    target.site = withPanel;
    await runJob(client, url, { checks: [`http:${id}`] });
    expect(await stored(findingId)).toBe(first);
    expect((await findingsOf(client, tenant))[0]).toMatchObject({ id: findingId, severity: 'high' });

    const again = await record(corrected);
    expect([again.status, again.body.id, again.body.warnings]).toEqual([
      200,
      findingId,
      [expect.stringContaining('The finding keeps its check')],
    ]);
    expect(await stored(findingId)).toBe(first);
    expect((await client.get(`/v1/findings/${findingId}/`)).body.findings[0].verification.result).toBe('confirmed');
  });

  it('takes what it has seen for gone only after a test by the same template, and not by the word of a person', async () => {
    const { tenant, client, url } = await createFixture();
    const { userId } = await tenant.as('admin');
    const id = word('panel');
    await load(templateOf(id));
    target.site = withPanel;
    const uuid = await runJob(client, url, { checks: [`http:${id}`] });
    const [finding] = await findingsOf(client, tenant);
    target.site = {};
    const retest = await requestRetest({ client, path: `/v1/findings/${finding?.id}/retest` });
    await eventually(async () => expect((await client.get(retest.path)).body.result).toBe('fixed'));
    // The retest has ended while the job ran.
    await query("UPDATE jobs SET finished = now() + interval '1 minute' WHERE uuid = $1", [uuid]);
    const gate = async () => (await success(client, uuid)).body;
    const change = (fields: string) => query(`UPDATE retests SET ${fields} WHERE uuid = $1`, [retest.uuid]);
    const seen = { success: false, description: expect.stringContaining('1 found by this job') };
    expect(await gate()).toMatchObject({ success: true });
    await change(`judged_by = ${userId}`);
    expect(await gate()).toMatchObject(seen);
    await change(`judged_by = NULL, check_definition = check_definition || '{"http": "id: another"}'`);
    expect(await gate()).toMatchObject(seen);
    // An earlier version did not store which template the job ran.
    await change(`check_definition = (SELECT check_definition FROM findings WHERE id = ${finding?.id})`);
    await query('UPDATE job_findings SET template_digest = NULL WHERE finding_id = $1', [finding?.id]);
    expect(await gate()).toMatchObject({ success: true });
  });

  it('runs the version of the launch, and covers what an update of Assay left out', async () => {
    const { client, url } = await createFixture();
    const [id, changed] = [word('panel'), word('changed')];
    const first = templateOf(id);
    await load(first, templateOf(changed));
    target.site = withPanel;
    const uuid = await runJob(client, url, { checks: [`http:${id}`, `http:${changed}`] });
    await load(templateOf(id, { words: 'Other words' }));
    await query(`UPDATE library_check_versions SET source = 'id: ' WHERE check_id = $1`, [changed]);
    const [job] = await query<Job>('SELECT * FROM jobs WHERE uuid = $1', [uuid]);
    if (job === undefined) throw new Error('there is no job');
    const { checks, skipped } = await api.app.get(JobChecks, { strict: false }).load(job);
    expect(checks).toEqual([expect.objectContaining({ id: `http:${id}`, template: first })]);
    expect(skipped).toEqual([expect.objectContaining({ check: `http:${changed}`, outcome: 'inconclusive' })]);
  });

  it('is refused with the entry that selects nothing or never runs', async () => {
    const { client, url } = await createFixture();
    const [id, unsafe] = [word('panel'), word('unsafe')];
    await load(templateOf(id), templateOf(unsafe, { method: 'POST' }));
    const refusal = async (...checks: unknown[]) => {
      const [launched, checked] = [
        await client.post('/v1/jobs/launch', { url, checks }),
        await client.post('/v1/jobs/check', { url, checks }),
      ];
      expect([checked.status, checked.body]).toEqual([launched.status, launched.body]);
      return [launched.status, launched.body.description];
    };
    expect(await refusal('missing-hsts', `http:${id}-x`)).toEqual([
      400,
      expect.stringMatching(
        new RegExp(`^checks "http:${id}-x" is not the id of a template .* Similar ids: http:${id}`),
      ),
    ]);
    expect(await refusal('no-such-tag')).toEqual([400, expect.stringContaining('"no-such-tag" is neither')]);
    expect(await refusal(`http:${id}`, `http:${unsafe}`)).toEqual([
      400,
      `checks: "http:${unsafe}" does not run in jobs: it sends POST, which may change state on the target.`,
    ]);
    expect(await refusal()).toEqual([400, expect.stringContaining('checks must be a list of 1 to 100')]);
    expect(await refusal(7)).toEqual([400, expect.stringContaining('checks must be a list of 1 to 100')]);
  });

  it('leaves a template to a finding by its id, with the YAML of that moment', async () => {
    const { tenant, client, url, assetId } = await createFixture();
    const id = word('panel');
    const { slug } = await make.event(tenant.id);
    const record = (check: object) =>
      client.post(`/v1/events/${slug}/findings/`, { title: 'A panel', severity: 'high', asset_id: assetId, check });
    const first = templateOf(id);
    await load(first);
    const recorded = await record({ id: `http:${id}`, location: url });
    expect(recorded.status).toBe(201);
    await load(templateOf(id, { words: 'Other words' }));
    expect(await stored(recorded.body.id)).toBe(first);
    expect((await client.get(`/v1/findings/${recorded.body.id}/`)).body.findings[0]).toMatchObject({
      cwe: 284,
    });
    const refused = await record({ id: `http:${id}-x`, location: url });
    expect([refused.status, refused.body.description]).toEqual([
      400,
      expect.stringMatching(/^check\.id ".*" is not the id of a template .* Similar ids: http:/),
    ]);
    await query('UPDATE library_checks SET retired = now() WHERE id = $1', [id]);
    expect((await record({ id: `http:${id}`, location: url })).status).toBe(400);
    expect((await record({ id: 'missing-nosnif', location: url })).body.description).toContain('missing-nosniff');
  });
});
