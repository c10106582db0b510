import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
const portal = usePortal(api);
useWorker(engine);
const make = new Factories(api);
type Tenant = Awaited<ReturnType<Factories['organization']>>;

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'exposed';
  site.isRedesigned = false;
});

const UNKNOWN = '019a8c5e-7b00-7cc4-9a53-0d4f2c6b1e77';

/** Records a finding with this check while the site is weak. */
async function finding(tenant: Tenant, client: Client, check: string): Promise<number> {
  const { assets } = (await client.get(`/v1/organizations/${tenant.id}/assets/`)).body;
  const known = assets.find(({ value }: { value: string }) => value === site.url)?.id;
  const assetId = known ?? (await make.asset(tenant.id, { value: site.url, type: 'url' })).id;
  const { slug } = await make.event(tenant.id, { status: 'running' });
  await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
  const body = { title: check, severity: 'high', asset_id: assetId, check: { id: check, location: site.url } };
  const { id } = (await client.post(`/v1/events/${slug}/findings/`, body)).body;
  await eventually(async () =>
    expect(await query('SELECT 1 FROM finding_baselines WHERE finding_id = $1', [id])).toHaveLength(1),
  );
  return id;
}

async function retest(client: Client, id: number): Promise<{ result: string; reason: string; uuid: string }> {
  const path = `/v1/findings/${id}/retest`;
  expect((await client.post(path)).status).toBe(202);
  await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
  return (await client.get(path)).body;
}

/** A finding whose site was redesigned and fixed, and retested since. */
async function changedSite() {
  const tenant = await make.organization();
  const admin = await tenant.as('admin');
  const id = await finding(tenant, admin.client, 'exposed-git');
  site.isRedesigned = true;
  site.state = 'removed';
  const { result, reason, uuid } = await retest(admin.client, id);
  expect(result).toBe('inconclusive');
  expect(reason).toContain('an admin may confirm that this is the site');
  return { tenant, admin, id, uuid, path: `/v1/findings/${id}/baseline` };
}

/** Moves the confirmation of a finding back by more than an hour. */
const passAnHour = (id: number) =>
  query(
    `UPDATE finding_baselines SET baseline = jsonb_set(baseline::jsonb, '{confirmed,at}', to_jsonb($2::text))::json WHERE finding_id = $1`,
    [id, new Date(Date.now() - 3_600_000).toISOString()],
  );

it('an admin confirms the new site, and an hour later a retest recognizes the fix by it', async () => {
  const { admin, id, uuid, path } = await changedSite();
  const { client, userId } = admin;
  const before = (await client.get(path)).body;
  expect(before).toMatchObject({
    stored: { status: 200, title: 'A site', text: expect.stringContaining('The same text') },
    current: { status: 200, title: 'New', text: expect.stringContaining('Another text') },
    retest: uuid,
    confirmed_by: null,
  });
  const confirmed = await client.put(path, { retest: uuid });
  expect(confirmed.status).toBe(200);
  expect(confirmed.body).toMatchObject({ stored: before.current, current: null, retest: null, confirmed_by: userId });
  expect(Date.parse(confirmed.body.counts_from) - Date.parse(confirmed.body.confirmed_at)).toBe(3_600_000);
  expect((await retest(client, id)).reason).toContain('the new baseline counts from');
  await passAnHour(id);
  const { result, reason } = await retest(client, id);
  expect([result, reason]).toEqual(['fixed', expect.stringContaining(`that user ${userId} confirmed at`)]);
  const { evidence } = (await client.get(`/v1/findings/${id}/retest/evidence`)).body;
  expect(evidence.baseline.confirmed).toEqual({ by: userId, at: expect.stringMatching(/^20/) });
});

it('the weakness is still seen after a confirmation, and the service learns the baseline again', async () => {
  const { admin, id, uuid, path } = await changedSite();
  await admin.client.put(path, { retest: uuid });
  site.state = 'exposed';
  expect((await retest(admin.client, id)).result).toBe('still_vulnerable');
  expect((await admin.client.get(path)).body.confirmed_by).toBeNull();
});

it('a confirmation counts for all findings of the site in the organization, and for no others', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const [git, page] = [await finding(tenant, client, 'exposed-git'), await finding(tenant, client, 'missing-nosniff')];
  const other = await make.organization();
  const stranger = await other.as('admin');
  const foreign = await finding(other, stranger.client, 'exposed-git');
  site.isRedesigned = true;
  site.state = 'removed';
  const { uuid } = await retest(client, git);
  await client.put(`/v1/findings/${git}/baseline`, { retest: uuid });
  expect((await client.get(`/v1/findings/${page}/baseline`)).body).toMatchObject({ stored: { title: 'New' } });
  expect((await stranger.client.get(`/v1/findings/${foreign}/baseline`)).body).toMatchObject({
    stored: { title: 'A site' },
    confirmed_by: null,
  });
  expect((await stranger.client.put(`/v1/findings/${git}/baseline`, { retest: uuid })).status).toBe(404);
  const [entry] = await query<{ metadata: object; resource_id: string }>(
    `SELECT metadata, resource_id FROM audit_logs WHERE operation = 'finding.confirm_baseline' AND status = 'success' AND organization_id = $1`,
    [tenant.id],
  );
  expect(entry).toMatchObject({
    resource_id: String(git),
    metadata: { retest: uuid, findings: [git, page], origin: site.url.slice(0, -1) },
  });
});

describe('a confirmation is refused', () => {
  it('to members, with an entry in the audit log', async () => {
    const { tenant, uuid, path } = await changedSite();
    const { client, userId } = await tenant.as('member');
    expect((await client.put(path, { retest: uuid })).status).toBe(403);
    expect(
      await query(`SELECT status FROM audit_logs WHERE operation = 'finding.confirm_baseline' AND actor_id = $1`, [
        String(userId),
      ]),
    ).toEqual([{ status: 'failure' }]);
  });

  it('for another retest, a second time, and while a retest is unfinished', async () => {
    const { admin, id, uuid, path } = await changedSite();
    const put = async (retestId: string) => {
      const { status, body } = await admin.client.put(path, { retest: retestId });
      return [status, body.description];
    };
    expect(await put(UNKNOWN)).toEqual([409, expect.stringContaining('not the last retest')]);
    site.hold();
    await admin.client.post(`/v1/findings/${id}/retest`);
    expect(await put(uuid)).toEqual([409, expect.stringContaining('unfinished')]);
    await admin.client.post(`/v1/findings/${id}/retest/cancel`);
    site.release();
    const { uuid: last } = await retest(admin.client, id);
    expect((await put(last))[0]).toBe(200);
    expect(await put(last)).toEqual([409, expect.stringContaining('no new site to confirm')]);
  });

  it('when the baseline has changed since it was read', async () => {
    const { admin, uuid, path } = await changedSite();
    const etag = (await admin.client.get(path)).headers.get('etag') ?? '';
    const put = (tag: string) => admin.client.send('PUT', path, { retest: uuid }, { 'if-match': tag });
    expect((await put('"old"')).status).toBe(412);
    expect((await put(etag)).status).toBe(200);
  });

  it('for a site that is down', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const id = await finding(tenant, client, 'exposed-git');
    site.state = 'unavailable';
    const { uuid } = await retest(client, id);
    expect((await client.get(`/v1/findings/${id}/baseline`)).body).toMatchObject({ current: null, retest: null });
    expect((await client.put(`/v1/findings/${id}/baseline`, { retest: uuid })).status).toBe(409);
  });
});

it('the portal shows both sites as text, and an admin confirms the new one there', async () => {
  const { tenant, admin, id } = await changedSite();
  const page = `/o/${tenant.id}/findings/${id}`;
  const [member, browser] = [
    await signedInAs(api, portal, await tenant.as('member')),
    await signedInAs(api, portal, admin),
  ];
  expect((await browser.get(page)).text).toContain(`href="${page}/baseline"`);
  const shown = (await browser.get(`${page}/baseline`)).text;
  expect(shown).toContain('A site The same text in every state.');
  expect(shown).toContain('Another text');
  const forMember = (await member.get(`${page}/baseline`)).text;
  expect(forMember).toContain('An admin can confirm');
  expect(forMember).not.toContain('Confirm the new site');
  const { current, retest: uuid } = (await admin.client.get(`/v1/findings/${id}/baseline`)).body;
  expect(current.title).toBe('New');
  const done = await browser.submit(`${page}/baseline`, `${page}/baseline`, { retest: uuid });
  expect(done.headers.get('location')).toBe(`${page}/baseline`);
  expect((await browser.get(`${page}/baseline`)).text).toContain('<bdi>You</bdi></span> confirmed the baseline');
});
