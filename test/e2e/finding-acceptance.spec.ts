import { Client as Postgres } from 'pg';
import { AcceptanceExpiry } from '../../src/modules/findings/changes/work/acceptance-expiry';
import { startWorker, useApi } from '../support/api';
import type { Client } from '../support/client';
import { query, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';

const api = useApi();
const make = new Factories(api);

/** A finding in progress whose risk an admin has accepted until a date. */
async function acceptedFinding(until: Date): Promise<{ id: number; client: Client }> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id } = await make.finding(tenant.id);
  await client.post(`/v1/findings/${id}/status`, { status: 3 });
  expect((await client.post(`/v1/findings/${id}/status`, { status: 6, until: until.toISOString() })).status).toBe(200);
  return { id, client };
}

const tomorrow = (): Date => new Date(Date.now() + 86_400_000);

const expireAcceptance = (id: number) =>
  query(`UPDATE findings SET accepted_until = now() - interval '3 days' WHERE id = $1`, [id]);

async function expectRestoredOnce(id: number, client: Client): Promise<void> {
  const { findings } = (await client.get(`/v1/findings/${id}/`)).body;
  expect(findings[0]).toMatchObject({ status: 3, previous_status: 6 });
  const { history } = (await client.get(`/v1/findings/${id}/history`)).body;
  expect(history).toHaveLength(4);
  expect(history[0]).toMatchObject({
    status: 3,
    previous_status: 6,
    actor: { type: 'system', id: 'system' },
    comment: 'The acceptance has expired.',
  });
  const log = (await client.get('/v1/audit-logs/?operation=finding.acceptance_expire')).body;
  expect(log.audit_logs).toMatchObject([
    { actor_type: 'system', resource_id: String(id), status: 'success', metadata: { from: 6, to: 3 } },
  ]);
}

describe('an accepted risk with an end date', () => {
  it('stays accepted until then', async () => {
    const until = tomorrow();
    const { id, client } = await acceptedFinding(until);
    await api.app.get(AcceptanceExpiry).run();
    expect((await client.get(`/v1/findings/${id}/`)).body.findings[0].status).toBe(6);
    expect(await query('SELECT accepted_until FROM findings WHERE id = $1', [id])).toEqual([{ accepted_until: until }]);
    const log = (await client.get('/v1/audit-logs/?operation=finding.status_update')).body;
    expect(log.audit_logs[0].metadata).toMatchObject({ from: 3, to: 6, until: until.toISOString() });
  });

  it('with a date without time lasts until the end of that day', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { id } = await make.finding(tenant.id);
    expect((await client.post(`/v1/findings/${id}/status`, { status: 6, until: day })).status).toBe(200);
    expect(await query('SELECT accepted_until FROM findings WHERE id = $1', [id])).toEqual([
      { accepted_until: new Date(`${day}T23:59:59.999Z`) },
    ]);
  });

  it('expires once with any number of workers, and the earlier status is restored', async () => {
    const { id, client } = await acceptedFinding(tomorrow());
    await expireAcceptance(id);
    const workers = [await startWorker(), await startWorker()];
    try {
      await eventually(() => expectRestoredOnce(id, client));
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });

  it('expires once when twenty scheduler runs start at the same time', async () => {
    const { id, client } = await acceptedFinding(tomorrow());
    await expireAcceptance(id);
    const clock = api.app.get(AcceptanceExpiry);
    await Promise.all(Array.from({ length: 20 }, () => clock.run()));
    await clock.run();
    await expectRestoredOnce(id, client);
  });

  it('expires although the one before it fails', async () => {
    const [blocked, next] = [await acceptedFinding(tomorrow()), await acceptedFinding(tomorrow())];
    for (const { id } of [blocked, next]) await expireAcceptance(id);
    const database = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
    await database.connect();
    try {
      await database.query('BEGIN');
      await database.query('SELECT 1 FROM findings WHERE id = $1 FOR UPDATE', [blocked.id]);
      await api.app.get(AcceptanceExpiry).run();
    } finally {
      await database.end();
    }
    await expectRestoredOnce(next.id, next.client);
    await api.app.get(AcceptanceExpiry).run();
    await expectRestoredOnce(blocked.id, blocked.client);
  });

  it('does not expire when a person changed the status before', async () => {
    const { id, client } = await acceptedFinding(tomorrow());
    await client.post(`/v1/findings/${id}/status`, { status: 2 });
    expect(await query('SELECT accepted_until FROM findings WHERE id = $1', [id])).toEqual([{ accepted_until: null }]);
    await api.app.get(AcceptanceExpiry).run();
    const { history } = (await client.get(`/v1/findings/${id}/history`)).body;
    expect(history[0]).toMatchObject({ status: 2, previous_status: 6 });
    expect((await client.get('/v1/audit-logs/?operation=finding.acceptance_expire')).body.total).toBe(0);
  });

  it('does not expire without an end date; an expired one counts again in the totals of its asset', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const [asset] = await query<{ id: number }>(
      `INSERT INTO assets (organization_id, value, type) VALUES ($1, 'example.com', 'domain') RETURNING id`,
      [tenant.id],
    );
    const draft = { asset: { id: asset?.id ?? 0, value: 'example.com', tier: null } };
    const [permanent, temporary] = [await make.finding(tenant.id, draft), await make.finding(tenant.id, draft)];
    const medium = async () =>
      (await query<{ medium: number }>('SELECT medium FROM asset_totals WHERE asset_id = $1', [asset?.id]))[0]?.medium;
    await client.post(`/v1/findings/${permanent.id}/status`, { status: 6 });
    await client.post(`/v1/findings/${temporary.id}/status`, { status: 6, until: tomorrow().toISOString() });
    expect(await medium()).toBe(0);
    await expireAcceptance(temporary.id);
    await api.app.get(AcceptanceExpiry).run();
    expect(await medium()).toBe(1);
    expect((await client.get(`/v1/findings/${permanent.id}/`)).body.findings[0].status).toBe(6);
  });

  it('is not retried by the scheduler in a deleted organization', async () => {
    const { id, client } = await acceptedFinding(tomorrow());
    const later = await acceptedFinding(tomorrow());
    await expireAcceptance(id);
    await expireAcceptance(later.id);
    await query(
      'UPDATE organizations SET deleted_at = now() WHERE id = (SELECT organization_id FROM findings WHERE id = $1)',
      [id],
    );
    await api.app.get(AcceptanceExpiry).run();
    expect((await client.get(`/v1/findings/${id}/`)).status).not.toBe(200);
    expect(await query('SELECT status FROM findings WHERE id = $1', [id])).toEqual([{ status: 6 }]);
    await expectRestoredOnce(later.id, later.client);
  });
});
