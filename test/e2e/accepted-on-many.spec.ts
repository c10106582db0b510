import { certificate } from '../../src/engine/testing/certificate';
import { TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { runJob } from '../support/jobs';

let target: TargetServer;
beforeAll(async () => {
  target = await TargetServer.start(certificate());
});
afterAll(() => target.stop());

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

const check = 'no-https-redirect';
const reason = 'Staging is only in the office network.';
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();

async function createFixture(labels: readonly string[] = ['staging']) {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const url = `http://127.0.0.1:${target.port}/`;
  const { id: assetId } = await make.asset(tenant.id, { value: url, type: 'url' });
  await client.patch(`/v1/assets/${assetId}/`, { labels });
  const path = `/v1/organizations/${tenant.id}/accepted-checks/`;
  const accept = (change: object = {}, id = check): Promise<Answer> =>
    client.put(`${path}${id}`, { reason, until: tomorrow(), ...change });
  return { tenant, client, url, assetId, path, accept };
}

const finding = (tenant: Tenant, url: string, assetId: number, severity: string): Promise<{ id: number }> =>
  make.finding(tenant.id, {
    title: 'T',
    severity,
    checkId: check,
    asset: { id: assetId, value: url, tier: null },
    checkDefinition: { location: url },
  });

const run = (client: Client, url: string): Promise<string> =>
  runJob(client, url, { checks: ['no-https-redirect', 'missing-nosniff'] });

describe('a check that is accepted on many assets', () => {
  it('lets jobs on assets with its label succeed, is named there and at the finding, and ends at once', async () => {
    const { tenant, client, url, assetId, path, accept } = await createFixture();
    const uuid = await run(client, url);
    const success = async (): Promise<Record<string, unknown>> => (await client.get(`/v1/jobs/${uuid}/success`)).body;
    expect(await success()).toMatchObject({ success: false, accepted_checks: [] });
    expect((await accept({ label: 'shop' })).status).toBe(200);
    expect(await success()).toMatchObject({ success: false });

    const accepted = await accept({ label: 'Staging' });
    expect(accepted.body).toMatchObject({
      check_id: check,
      label: 'staging',
      covers: 'findings',
      critical_findings: [],
    });
    const named = { check_id: check, asset_id: assetId, reason, accepted_for: 'label', label: 'staging' };
    expect(await success()).toMatchObject({
      success: true,
      accepted_checks: [named],
      description: expect.stringContaining(`${check} on ${url} and all assets with the label staging until`),
    });
    const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/?check=${check}`)).body;
    expect(findings).toMatchObject([{ accepted_check: named }]);

    await client.patch(`/v1/assets/${assetId}/`, { labels: [] });
    expect(await success()).toMatchObject({ success: false });
    await accept();
    expect(await success()).toMatchObject({
      success: true,
      accepted_checks: [{ accepted_for: 'organization', label: null }],
    });
    await query('UPDATE accepted_checks_on_many SET until = now()');
    expect(await success()).toMatchObject({ success: false });
    expect((await client.get(path)).body.accepted_checks.map(({ expired }: { expired: boolean }) => expired)).toEqual([
      true,
      true,
      true,
    ]);
    expect((await client.delete(`${path}${check}?label=staging`)).body.description).toBe('Accepted check deleted.');
    expect((await client.delete(`${path}${check}?label=staging`)).status).toBe(404);
    expect((await client.get(path)).body.accepted_checks).toHaveLength(2);
  });

  it('covers no critical finding that it does not name, also no later one', async () => {
    const { tenant, client, url, assetId, accept } = await createFixture();
    const { id } = await finding(tenant, url, assetId, 'critical');
    const refused = await accept();
    expect([refused.status, refused.body.description]).toEqual([
      422,
      `critical_findings: the check ${check} has open findings that are at least critical: ${id}. Fix them first, or name each of them.`,
    ]);
    expect((await accept({ critical_findings: [id, id + 1] })).body.description).toBe(
      `critical_findings: ${id + 1} is no open finding of the check ${check} that is at least critical.`,
    );
    expect((await accept({ critical_findings: [id] })).body.critical_findings).toEqual([id]);
    const later = await finding(tenant, `${url}later`, assetId, 'cosmic');
    const acceptedOf = async (one: { id: number }): Promise<unknown> =>
      (await client.get(`/v1/findings/${one.id}/`)).body.findings[0].accepted_check;
    expect(await acceptedOf({ id })).toMatchObject({ accepted_for: 'organization' });
    expect(await acceptedOf(later)).toBeNull();
  });

  it('may cover that a check could not be completed, which needs no finding', async () => {
    const { tenant, url, assetId, accept } = await createFixture();
    await finding(tenant, url, assetId, 'critical');
    expect((await accept({ covers: 'incompleteness' })).body).toMatchObject({
      covers: 'incompleteness',
      expired: false,
    });
  });

  it('is decided by admins of the organization alone, and is recorded', async () => {
    const { tenant, client, path, accept } = await createFixture();
    const foreign = await createFixture();
    const { client: member } = await tenant.as('member');
    expect((await member.put(`${path}${check}`, { reason, until: tomorrow() })).status).toBe(403);
    expect((await member.get(path)).status).toBe(200);
    expect((await foreign.client.get(path)).status).toBe(404);
    expect((await foreign.client.put(`${path}${check}`, { reason, until: tomorrow() })).status).toBe(404);
    await accept({ label: 'staging' });
    expect((await foreign.client.delete(`${path}${check}?label=staging`)).status).toBe(404);
    const { audit_logs: logs } = (await client.get(`/v1/audit-logs/?operation=organization.accept_check`)).body;
    expect(logs).toMatchObject([
      { status: 'success', metadata: { check, label: 'staging', from: null, to: { reason, critical_findings: [] } } },
      { status: 'failure' },
    ]);
  });

  it.each([
    ['a blank reason', { reason: ' ' }, 'reason must say why'],
    ['an end after more than a year', { until: '2099-01-01' }, 'until must be at most a year ahead'],
    [
      'a finding twice',
      { critical_findings: [1, 1] },
      'critical_findings must be a list of 0 to 100, without repetitions',
    ],
    ['an empty label', { label: '' }, 'label'],
  ])('is refused with %s', async (_what, change, message) => {
    const { accept } = await createFixture();
    const answer = await accept(change);
    expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining(message)]);
  });

  it('is refused from the 201st on, but the others can be changed', async () => {
    const { tenant, accept } = await createFixture();
    await query(
      `INSERT INTO accepted_checks_on_many SELECT $1, $2, 'l' || n, 'R', 'findings', now() + interval '1 day', '{}', 'Ada', NULL, now()
       FROM generate_series(1, 200) n`,
      [tenant.id, check],
    );
    expect((await accept({ label: 'one-more' })).body.description).toMatch(/^The organization has 200 checks/);
    expect((await accept({ label: 'l7' })).status).toBe(200);
  });
});
