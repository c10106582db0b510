import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { type RefusedFinding, refusedFindings } from '../support/refused-findings';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'exposed';
});

const REASON = 'The server denies all files that begin with a dot.';

const { refused, retest, job, copyOf } = refusedFindings(make, site);

const statusOf = async ({ client, id }: RefusedFinding): Promise<number> =>
  (await client.get(`/v1/findings/${id}/`)).body.findings[0].status;

it('a refusal of the tested path alone is blocked, resolves nothing, and says what to do', async () => {
  const fixture = await refused();
  site.state = 'refused';
  const { result, by_refusal, next_step, uuid } = await retest(fixture);
  expect([result, by_refusal]).toEqual(['blocked', null]);
  expect(next_step).toContain(
    `An admin may confirm that this refusal is the fix, in the portal or with PUT ${fixture.path}/refusal`,
  );
  expect(await statusOf(fixture)).toBe(1);
  expect((await fixture.client.get(fixture.path)).body).toMatchObject({
    refusal: { path: 'GET /.git/HEAD', status: 403, twin_status: 404, retest: uuid, alike: [] },
    confirmed_refusal: null,
  });
  await query(`UPDATE findings SET verification = 'untested' WHERE id = $1`, [fixture.id]);
  await retest(fixture);
  expect((await fixture.client.get(`/v1/findings/${fixture.id}/`)).body.findings[0].verification.result).toBe(
    'inconclusive',
  );
});

it('no person gives the verdict blocked by hand', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id } = await make.finding(tenant.id);
  await client.post(`/v1/findings/${id}/retest`);
  expect((await client.post(`/v1/findings/${id}/retest/verdict`, { result: 'blocked' })).status).toBe(400);
});

it('an admin confirms that the refusal is the fix, and retests and jobs are fixed by refusal', async () => {
  const fixture = await refused();
  const { client, id, path, userId, tenant } = fixture;
  site.state = 'refused';
  const { uuid } = await retest(fixture);
  const put = await client.put(`${path}/refusal`, { retest: uuid, reason: REASON });
  expect(put.status).toBe(200);
  expect(put.body).toMatchObject({ refusal: null, confirmed_refusal: { by: userId, status: 403, twin_status: 404 } });
  expect((await client.put(`${path}/refusal`, { retest: uuid, reason: REASON })).status).toBe(409);
  expect(await retest(fixture)).toMatchObject({ result: 'fixed', by_refusal: 'confirmed', next_step: null });
  expect(await statusOf(fixture)).toBe(5);
  const { evidence } = (await client.get(`/v1/findings/${id}/retest/evidence`)).body;
  expect(evidence.verdict).toMatchObject({ result: 'fixed', byRefusal: 'confirmed' });
  const [entry] = await query(
    `SELECT metadata FROM audit_logs WHERE operation = 'finding.confirm_refusal' AND status = 'success' AND organization_id = $1`,
    [tenant.id],
  );
  expect(entry).toMatchObject({ metadata: { retest: uuid, reason: REASON, findings: [id] } });
  expect(await job(fixture)).toMatchObject({ success: true, incomplete_checks: [], refused_checks: [] });
  site.state = 'exposed';
  expect(await retest(fixture)).toMatchObject({ result: 'still_vulnerable', by_refusal: null });
  expect((await client.get(path)).body).toMatchObject({ confirmed_refusal: null });
});

it('a confirmation counts for all findings of the origin that are refused alike, if it says so', async () => {
  const one = await refused();
  const [other, third] = [await copyOf(one), await copyOf(one)];
  site.state = 'refused';
  const { uuid } = await retest(one);
  await retest(other);
  site.state = 'removed';
  await retest(third);
  expect((await one.client.get(one.path)).body.refusal.alike).toEqual([other.id]);
  const alone = await copyOf(one);
  site.state = 'refused';
  const last = await retest(alone);
  expect((await one.client.put(`${alone.path}/refusal`, { retest: last.uuid, reason: REASON })).status).toBe(200);
  expect((await other.client.get(other.path)).body).toMatchObject({ confirmed_refusal: null });
  const all = { retest: uuid, reason: REASON, applies_to: 'origin' };
  expect((await one.client.put(`${one.path}/refusal`, all)).status).toBe(200);
  expect((await other.client.get(other.path)).body).toMatchObject({ confirmed_refusal: { status: 403 } });
  expect((await third.client.get(third.path)).body).toMatchObject({ confirmed_refusal: null });
});

it('members do not confirm a refusal, and no one one that the last retest has not seen', async () => {
  const fixture = await refused();
  site.state = 'refused';
  const { uuid } = await retest(fixture);
  const { client } = await fixture.tenant.as('member');
  expect((await client.put(`${fixture.path}/refusal`, { retest: uuid, reason: REASON })).status).toBe(403);
  site.state = 'unavailable';
  const { uuid: last, next_step } = await retest(fixture);
  expect(next_step).toContain('Test again when the target responds');
  const put = (of: string) => fixture.client.put(`${fixture.path}/refusal`, { retest: of, reason: REASON });
  expect([(await put(uuid)).status, (await put(last)).status]).toEqual([409, 409]);
});

it('an owner lets the refusals of the site itself count as fixed', async () => {
  const fixture = await refused();
  const { client, tenant } = fixture;
  const setting = `/v1/organizations/${tenant.id}/settings/refusals`;
  expect((await client.get(setting)).body).toEqual({ refusals_count_as_fixed: false });
  const admin = await tenant.as('admin');
  expect((await admin.client.put(setting, { refusals_count_as_fixed: true })).status).toBe(403);
  expect((await client.put(setting, { refusals_count_as_fixed: true })).status).toBe(200);
  site.state = 'refused';
  expect(await retest(fixture)).toMatchObject({ result: 'fixed', by_refusal: 'setting' });
  expect(await statusOf(fixture)).toBe(5);
  expect(await job(fixture)).toMatchObject({ success: true, refused_checks: [] });
  const [entry] = await query(
    `SELECT metadata, resource_id FROM audit_logs WHERE operation = 'settings.refusals_change' AND status = 'success' AND organization_id = $1`,
    [tenant.id],
  );
  expect(entry).toMatchObject({ resource_id: 'refusals', metadata: { from: false, to: true } });
});

it('what the setting resolved stays resolved when it is off again, and fails the gate until a test shows a fix', async () => {
  const fixture = await refused();
  const { client, tenant, id } = fixture;
  const setting = `/v1/organizations/${tenant.id}/settings/refusals`;
  await client.put(setting, { refusals_count_as_fixed: true });
  site.state = 'refused';
  expect(await retest(fixture)).toMatchObject({ result: 'fixed', by_refusal: 'setting' });
  expect((await client.put(setting, { refusals_count_as_fixed: false })).status).toBe(200);
  expect((await job(fixture)).failing_findings).toMatchObject([{ id }]);
  expect(await retest(fixture)).toMatchObject({ result: 'blocked' });
  expect(await statusOf(fixture)).toBe(5);
  expect((await job(fixture)).failing_findings).toMatchObject([{ id }]);
  site.state = 'removed';
  expect(await retest(fixture)).toMatchObject({ result: 'fixed', by_refusal: null });
  expect((await job(fixture)).failing_findings).toEqual([]);
});

describe('a job', () => {
  it('fails where a finding of the check is open, and names the rule, the version and the way out', async () => {
    const fixture = await refused();
    site.state = 'refused';
    const { success, description, incomplete_checks, failing_findings } = await job(fixture);
    expect([success, incomplete_checks.length, failing_findings.length]).toEqual([false, 1, 1]);
    expect(description).toContain('Blocked: since version 0.2 a refusal shows no fix');
    expect(description).toContain(
      `Next: Retest finding ${fixture.id}. If that sees the same, an admin may confirm that this refusal is the fix`,
    );
    expect(description).not.toContain('To accept a check on an asset until a date');
  });

  it('without such a finding is complete if few checks are blocked, and lists them', async () => {
    const tenant = await make.organization();
    const { client, userId } = await tenant.as('owner');
    await make.asset(tenant.id, { value: site.url, type: 'url' });
    const fixture = { tenant, client, userId, id: 0, path: '' };
    site.state = 'refused';
    const all = await job(fixture, { checks: null });
    expect(all.refused_checks).toMatchObject([{ id: 'exposed-git', result: 'blocked' }]);
    expect(all.description).toContain('Refused, not shown absent: exposed-git');
    const alone = await job(fixture);
    expect(alone).toMatchObject({ success: false, refused_checks: [], incomplete_checks: [{ result: 'blocked' }] });
  });
});
