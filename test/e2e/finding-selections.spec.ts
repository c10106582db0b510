import { SelectionRun } from '../../src/modules/retests/work/selection-run';
import { everything } from '../../src/platform/api/scope';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import type { Claim } from '../../src/platform/work/claim';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Person, type Tenant } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const pathOf = (tenant: Tenant, rest = '?status=1'): string =>
  `/v1/organizations/${tenant.id}/findings/selections${rest}`;

async function tenantWith(count: number): Promise<{ tenant: Tenant; member: Person; ids: number[] }> {
  const tenant = await make.organization();
  const rows = await query<{ id: number }>(
    `INSERT INTO findings (organization_id, asset_value, title, severity, priority, fingerprint)
     SELECT $1, 'example.com', 'Finding ' || n, 2, 3, decode(md5(n::text), 'hex') FROM generate_series(1, $2) n RETURNING id`,
    [tenant.id, count],
  );
  return { tenant, member: await tenant.as('member'), ids: rows.map(({ id }) => id) };
}

async function dryRun(tenant: Tenant, client: Client, action: object, rest?: string) {
  const answer = await client.post(pathOf(tenant, rest), { action });
  expect([answer.status, answer.body.description]).toEqual([201, undefined]);
  return { ...answer.body, path: pathOf(tenant, `/${answer.body.id}`) };
}

/** Runs it as a worker does. */
async function work({ id: organizationId }: Tenant, path: string, signal = new AbortController().signal) {
  const claim = { kind: 'finding.selection', reference: path.split('/').at(-1), organizationId } as Claim;
  const { audit, apply } = await api.app.get(SelectionRun, { strict: false }).perform(claim, signal);
  await api.app.get(UnitOfWork, { strict: false }).run(audit, everything('a test works'), apply);
}

async function after(tenant: Tenant, client: Client, path: string, verb: 'run' | 'undo') {
  expect((await client.post(`${path}/${verb}`)).status).toBe(202);
  await work(tenant, path);
  return (await client.get(path)).body;
}

const outcomesOf = ({ outcomes }: { outcomes: Record<string, unknown>[] }) =>
  outcomes.map(({ result, findings }) => [result, findings]);

const fieldsOf = (tenant: Tenant) =>
  query<{ status: number }>(
    `SELECT status, labels, assignee_id, due_date::text AS due, due_by_hand FROM findings WHERE organization_id = $1 ORDER BY id`,
    [tenant.id],
  );

const set = (id: number | undefined, change: string) => query(`UPDATE findings SET ${change} WHERE id = $1`, [id]);

describe('the dry run', () => {
  it('counts the findings that would change, would not change, or would be refused, by reason, and changes nothing', async () => {
    const { tenant, member, ids } = await tenantWith(5);
    await set(ids[0], 'status = 5');
    await set(ids[1], 'status = 6');
    await set(ids[2], 'status = 2');
    const before = await fieldsOf(tenant);
    const selection = await dryRun(tenant, member.client, { status: 2, comment: 'Ours.' }, '?sort=severity');
    expect(selection).toMatchObject({ status: 'ready', findings: 5, done: 0 });
    const of = (result: string, findings: number, text?: string) =>
      expect.objectContaining({ result, findings, reason: text === undefined ? null : expect.stringContaining(text) });
    const refused = [of('refused', 1, '5 (resolved) and cannot become 2'), of('refused', 1, 'role admin')];
    const outcomes = [of('changed', 2), of('unchanged', 1), ...refused];
    expect(selection.outcomes).toHaveLength(4);
    expect(selection.outcomes).toEqual(expect.arrayContaining(outcomes));
    expect(await fieldsOf(tenant)).toEqual(before);
    const labels = Array.from({ length: 20 }, (_, at) => `l${at}`).sort();
    await query('UPDATE findings SET labels = $2 WHERE id = $1', [ids[3], labels]);
    const full = await dryRun(tenant, member.client, { add_labels: ['l1', 'new'] }, '');
    expect(full.outcomes).toEqual(expect.arrayContaining([of('changed', 4), of('refused', 1, 'at most 20')]));
    const same = await dryRun(tenant, member.client, { add_labels: ['l1'] }, '?label=l1');
    expect(outcomesOf(same)).toEqual([['unchanged', 1]]);
    const found = await dryRun(tenant, member.client, { comment: 'All.' }, '?q=example.com');
    expect(outcomesOf(found)).toEqual([['changed', 5]]);
    for (let number = 0; number < 6; number++) await dryRun(tenant, member.client, { comment: 'All.' });
    expect((await member.client.get(selection.path)).status).toBe(200);
    await dryRun(tenant, member.client, { comment: 'All.' });
    expect((await member.client.get(selection.path)).status).toBe(404);
  });

  it('refuses a filter without findings, one with more than the limit, retests, and an assignee who is no member', async () => {
    const { tenant, member } = await tenantWith(10_001);
    const refused = async (rest: string, action: object) => {
      const { status, body } = await member.client.post(pathOf(tenant, rest), { action });
      return [status, body.description];
    };
    const labels = { add_labels: ['a'] };
    expect(await refused('?status=7', labels)).toEqual([422, expect.stringContaining('No finding matches')]);
    expect(await refused('', labels)).toEqual([422, expect.stringContaining('More than 10000 findings')]);
    expect(await refused('', { retest: true })).toEqual([400, expect.stringContaining('no retests')]);
    await query('DELETE FROM findings WHERE id = (SELECT max(id) FROM findings WHERE organization_id = $1)', [
      tenant.id,
    ]);
    expect(await refused('', { assignee_id: 2_147_483_647 })).toEqual([422, expect.stringContaining('not the id of')]);
    expect(outcomesOf(await dryRun(tenant, member.client, labels, ''))).toEqual([['changed', 10_000]]);
  });
});

describe('the run', () => {
  it('changes and audits each finding, and skips and names those that were changed or removed after the dry run', async () => {
    const { tenant, member, ids } = await tenantWith(5);
    await set(ids[4], 'status = 5');
    const until = '2099-01-31T00:00:00.000Z';
    const admin = await tenant.as('admin');
    const { path } = await dryRun(tenant, admin.client, { status: 6, comment: 'Known.', until }, '');
    await set(ids[1], `labels = '{mine}'`);
    await query('DELETE FROM findings WHERE id = $1', [ids[2]]);
    const { outcomes, ...result } = await after(tenant, admin.client, path, 'run');
    expect(result).toMatchObject({ status: 'finished', findings: 5, done: 5, until: null });
    expect(outcomes).toEqual(
      expect.arrayContaining([
        { result: 'changed', reason: null, findings: 2, finding_ids: [ids[0], ids[3]] },
        { result: 'skipped', reason: 'It was changed after the dry run.', findings: 1, finding_ids: [ids[1]] },
        { result: 'refused', reason: 'Finding not found.', findings: 1, finding_ids: [ids[2]] },
        { result: 'refused', reason: expect.stringContaining('resolved'), findings: 1, finding_ids: [ids[4]] },
      ]),
    );
    expect((await fieldsOf(tenant)).map(({ status }) => status)).toEqual([6, 1, 6, 5]);
    const [row] = await query('SELECT accepted_until FROM findings WHERE id = $1', [ids[0]]);
    expect(row).toEqual({ accepted_until: new Date(until) });
    const entries = await query(
      `SELECT resource_id, actor_id FROM audit_logs WHERE organization_id = $1 AND operation = 'finding.status_update'
         AND status = 'success' ORDER BY id`,
      [tenant.id],
    );
    const actor_id = String(admin.userId);
    expect(entries).toEqual([ids[0], ids[3]].map((id) => ({ resource_id: String(id), actor_id })));
    const { path: other } = await dryRun(tenant, member.client, { comment: 'Seen.' }, '');
    expect(outcomesOf(await after(tenant, member.client, other, 'run'))).toEqual([['changed', 4]]);
    expect((await member.client.post(`${other}/undo`)).status).toBe(409);
  });

  it('happens once, within an hour, and a user has one at a time', async () => {
    const { tenant, member } = await tenantWith(1);
    const one = await dryRun(tenant, member.client, { add_labels: ['a'] });
    const other = await dryRun(tenant, member.client, { add_labels: ['b'] });
    const answers = await Promise.all(Array.from({ length: 20 }, () => member.client.post(`${one.path}/run`)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    const second = await member.client.post(`${other.path}/run`);
    expect([second.status, second.body.description]).toEqual([409, expect.stringContaining('is running')]);
    await work(tenant, one.path);
    expect((await member.client.post(`${one.path}/run`)).body.description).toContain('was run already');
    await query(`UPDATE finding_selections SET created = created - interval '61 minutes' WHERE id = $1`, [other.id]);
    const expired = await member.client.post(`${other.path}/run`);
    expect([expired.status, expired.body.description]).toEqual([422, expect.stringContaining('older than an hour')]);
  });

  it('belongs to its user alone, who needs the role of a member before it and while it runs', async () => {
    const { tenant, member } = await tenantWith(1);
    const { path } = await dryRun(tenant, member.client, { add_labels: ['a'] });
    for (const { client } of [await tenant.as('owner'), await (await make.organization()).as('owner')]) {
      expect((await client.get(path)).status).toBe(404);
      for (const verb of ['run', 'undo']) expect((await client.post(`${path}/${verb}`)).status).toBe(404);
    }
    const viewer = await tenant.as('viewer');
    await make.membership(viewer.userId, (await make.organization()).id, 'owner');
    expect((await viewer.client.post(pathOf(tenant), { action: { add_labels: ['a'] } })).status).toBe(403);
    const lost = await dryRun(tenant, member.client, { add_labels: ['a'] });
    await query('UPDATE finding_selections SET user_id = $2 WHERE id = $1', [lost.id, viewer.userId]);
    expect((await viewer.client.post(`${lost.path}/run`)).status).toBe(403);
    expect((await member.client.post(`${path}/run`)).status).toBe(202);
    await query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, [member.userId]);
    await work(tenant, path);
    expect((await member.client.get(path)).body.outcomes).toMatchObject([
      { result: 'refused', reason: expect.stringContaining('role member'), findings: 1 },
    ]);
    expect(await fieldsOf(tenant)).toMatchObject([{ labels: [] }]);
  });

  it('ends for a user who loses the role while it runs', async () => {
    const { tenant, member, ids } = await tenantWith(150);
    const { path } = await dryRun(tenant, member.client, { add_labels: ['a'] });
    expect((await member.client.post(`${path}/run`)).status).toBe(202);
    await query(
      `CREATE FUNCTION demoted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
         UPDATE public.memberships SET role = 'viewer' WHERE user_id = ${member.userId}; RETURN NEW; END $$`,
    );
    await query(
      `CREATE TRIGGER demoted BEFORE UPDATE ON findings FOR EACH ROW WHEN (OLD.id = ${ids[10]}) EXECUTE FUNCTION demoted()`,
    );
    await work(tenant, path);
    await query('DROP FUNCTION demoted CASCADE');
    const { body } = await member.client.get(path);
    expect(outcomesOf(body)).toEqual([
      ['changed', 100],
      ['refused', 50],
    ]);
  });

  it('continues after a worker was killed in a portion, and repeats nothing', async () => {
    const { tenant, member, ids } = await tenantWith(250);
    const { path } = await dryRun(tenant, member.client, { add_labels: ['a'] });
    expect((await member.client.post(`${path}/run`)).status).toBe(202);
    await query(
      `CREATE FUNCTION killed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'killed'; END $$`,
    );
    await query(
      `CREATE TRIGGER killed BEFORE UPDATE ON findings FOR EACH ROW WHEN (OLD.id = ${ids[150]}) EXECUTE FUNCTION killed()`,
    );
    await expect(work(tenant, path)).rejects.toThrow('killed');
    await query('DROP FUNCTION killed CASCADE');
    expect((await member.client.get(path)).body).toMatchObject({ status: 'running', findings: 250, done: 150 });
    await expect(work(tenant, path, AbortSignal.abort())).rejects.toThrow('aborted');
    await Promise.allSettled([work(tenant, path), work(tenant, path)]);
    await work(tenant, path);
    const { body } = await member.client.get(path);
    expect([body.status, outcomesOf(body)]).toEqual(['finished', [['changed', 250]]]);
    const [entries] = await query<{ count: number }>(
      `SELECT count(*)::int AS count FROM audit_logs WHERE organization_id = $1 AND operation = 'finding.change' AND status = 'success'`,
      [tenant.id],
    );
    expect(entries?.count).toBe(250);
  });
});

describe('undoing', () => {
  const action = { add_labels: ['a'], remove_labels: ['old'], due_date: '2031-01-31' };

  it('restores the values of each finding, except fields that were changed after the run', async () => {
    const { tenant, member, ids } = await tenantWith(4);
    await set(ids[0], `labels = '{old}', due_date = '2030-01-01'`);
    await set(ids[1], `due_date = '2031-01-31', due_by_hand = true, labels = '{a}'`);
    const before = await fieldsOf(tenant);
    const { path } = await dryRun(tenant, member.client, { ...action, assignee_id: member.userId });
    const result = await after(tenant, member.client, path, 'run');
    expect(outcomesOf(result)).toEqual([['changed', 4]]);
    await set(ids[2], `labels = '{a,mine}'`);
    await set(ids[3], 'status = 3');
    const undone = await after(tenant, member.client, path, 'undo');
    expect(undone).toMatchObject({ status: 'undone', until: null });
    expect(undone.outcomes).toMatchObject([
      { result: 'undone', findings: 3 },
      { result: 'kept', reason: 'Someone has changed the field again.', finding_ids: [ids[2]] },
    ]);
    const { userId: assignee_id } = member;
    expect(await fieldsOf(tenant)).toEqual([
      before[0],
      before[1],
      { status: 1, labels: ['a', 'mine'], assignee_id, due: '2031-01-31', due_by_hand: true },
      { ...before[3], status: 3 },
    ]);
    expect((await member.client.post(`${path}/undo`)).status).toBe(409);
  });

  it('is possible for ten minutes, for the same user, and not for statuses', async () => {
    const { tenant, member } = await tenantWith(1);
    const early = await dryRun(tenant, member.client, action);
    expect((await member.client.post(`${early.path}/undo`)).status).toBe(409);
    await after(tenant, member.client, early.path, 'run');
    expect((await (await tenant.as('owner')).client.post(`${early.path}/undo`)).status).toBe(404);
    await query(`UPDATE finding_selections SET finished = finished - interval '601 seconds' WHERE id = $1`, [early.id]);
    const late = await member.client.post(`${early.path}/undo`);
    expect([late.status, late.body.description]).toEqual([422, expect.stringContaining('ten minutes')]);
    const { path } = await dryRun(tenant, member.client, { status: 3 });
    expect(await after(tenant, member.client, path, 'run')).toMatchObject({ status: 'finished', until: null });
    const status = await member.client.post(`${path}/undo`);
    expect([status.status, status.body.description]).toEqual([409, expect.stringContaining('cannot be undone')]);
  });
});
