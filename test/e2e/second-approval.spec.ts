import { ApprovalExpiry } from '../../src/modules/approvals/work/approval-expiry';
import { runCommand } from '../../src/apps/cli/run-command';
import { useApi } from '../support/api';
import { query, testDatabase } from '../support/database';
import { Factories, type Person, type Tenant } from '../support/factories';
import { expectWaitingForLocks, lockRows, removeMember } from '../support/row-locks';
import { signedInAs, usePortal } from '../support/portal';
import {
  approvalsOf,
  confirmOnly,
  pendingOf,
  prove,
  provedAdmin,
  settingOf,
  twoAdmins,
  type TwoAdmins,
} from '../support/second-approval';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const isOn = async ({ id }: Tenant): Promise<boolean | undefined> =>
  (await query<{ on: boolean }>('SELECT second_approval AS on FROM organizations WHERE id = $1', [id]))[0]?.on;

const statusOf = async (id: number): Promise<number | undefined> =>
  (await query<{ status: number }>('SELECT status FROM findings WHERE id = $1', [id]))[0]?.status;

const audited = async (tenant: Tenant, operation: string): Promise<number> =>
  (
    await query(`SELECT 1 FROM audit_logs WHERE organization_id = $1 AND operation = $2 AND status = 'success'`, [
      tenant.id,
      operation,
    ])
  ).length;

/** A finding that the first admin has proposed to dismiss. */
async function proposed(fixture: TwoAdmins, by: Person = fixture.first) {
  const { id } = await make.finding(fixture.tenant.id);
  const answer = await by.client.post(`/v1/findings/${id}/status`, { status: 7, comment: 'A test page.' });
  expect([answer.status, answer.body.description]).toEqual([
    409,
    `Nothing was changed: organization ${fixture.tenant.id} requires a second approval. Another admin confirms or rejects the proposal within 30 days (GET /v1/organizations/${fixture.tenant.id}/approvals/).`,
  ]);
  const [approval] = await pendingOf(fixture);
  const path = approvalsOf(fixture.tenant, String(approval.id));
  return { id, approval, confirm: (admin: Person) => admin.client.post(`${path}/confirm`), path };
}

describe('the setting', () => {
  it('is turned on and off by two admins with proved addresses, and each step is audited', async () => {
    const tenant = await make.organization();
    const [first, second] = [await provedAdmin(tenant), await provedAdmin(tenant)];
    expect((await first.client.get(settingOf(tenant))).body).toEqual({ second_approval: false });
    for (const wanted of [true, false]) {
      expect((await first.client.put(settingOf(tenant), { second_approval: wanted })).status).toBe(409);
      expect(await isOn(tenant)).toBe(!wanted);
      await confirmOnly({ tenant, first, second });
      expect(await isOn(tenant)).toBe(wanted);
      expect((await first.client.put(settingOf(tenant), { second_approval: wanted })).status).toBe(200);
    }
    expect(await audited(tenant, 'approval.propose')).toBe(2);
    expect(await audited(tenant, 'approval.confirm')).toBe(2);
    expect(await audited(tenant, 'settings.second_approval_change')).toBe(2);
  });

  it('is proposed and confirmed by no admin whose address is unproved, by no member and by no integrator', async () => {
    const integrator = await make.integrator();
    const tenant = await make.organization({ integratorId: integrator.integratorId });
    const first = await provedAdmin(tenant);
    const unproved = await tenant.as('owner');
    await query('DELETE FROM address_proofs WHERE user_id = $1', [unproved.userId]);
    for (const one of [unproved, integrator, await tenant.as('member')])
      expect((await one.client.put(settingOf(tenant), { second_approval: true })).status).toBe(403);
    await first.client.put(settingOf(tenant), { second_approval: true });
    const [{ id }] = await pendingOf({ tenant, first, second: first });
    for (const one of [unproved, integrator, first])
      expect((await one.client.post(approvalsOf(tenant, `${id}/confirm`))).status).toBe(403);
    expect(await isOn(tenant)).toBe(false);
  });

  it('is not changed if the proposer is no admin with a proved address any more', async () => {
    for (const loss of [
      `UPDATE memberships SET role = 'member' WHERE user_id = $1`,
      'DELETE FROM address_proofs WHERE user_id = $1',
    ]) {
      const tenant = await make.organization();
      const [first, second] = [await provedAdmin(tenant), await provedAdmin(tenant)];
      await first.client.put(settingOf(tenant), { second_approval: true });
      await query(loss, [first.userId]);
      const { changes } = await confirmOnly({ tenant, first, second });
      expect(changes).toMatchObject([{ error: expect.stringContaining('admin') }]);
      expect(await isOn(tenant)).toBe(false);
    }
  });

  it('is not turned on if the second admin leaves while the decision is carried out', async () => {
    const tenant = await make.organization();
    const [first, second] = [await provedAdmin(tenant), await provedAdmin(tenant)];
    await first.client.put(settingOf(tenant), { second_approval: true });
    const [{ id }] = await pendingOf({ tenant, first, second });
    const leave = await removeMember(tenant.id, second.userId);
    const confirmed = second.client.post(approvalsOf(tenant, `${id}/confirm`));
    await expectWaitingForLocks(1);
    await leave();
    await confirmed;
    expect(await isOn(tenant)).toBe(false);
  });

  it('is turned off by the operator, with an entry in the audit log', async () => {
    const { tenant } = await twoAdmins(make);
    const { appUrl, ownerUrl } = await testDatabase();
    const environment = { ...process.env };
    Object.assign(process.env, {
      DATABASE_URL: appUrl,
      MIGRATION_DATABASE_URL: ownerUrl,
      DATABASE_TIMEOUT_MS: '30000',
    });
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      const command = ['end-second-approval', String(tenant.id), '--reason', 'Its second admin has left'];
      for (const sentence of ['requires no second approval any more', 'required no second approval']) {
        expect(await runCommand(command)).toBe(0);
        expect(String(write.mock.lastCall?.[0])).toBe(`Organization ${tenant.id} ${sentence}.\n`);
      }
    } finally {
      write.mockRestore();
      process.env = environment;
    }
    expect(await isOn(tenant)).toBe(false);
    const entries = await query(
      `SELECT actor_type, metadata FROM audit_logs WHERE organization_id = $1 AND operation = 'organization.end_second_approval'`,
      [tenant.id],
    );
    expect(entries).toEqual([{ actor_type: 'system', metadata: { reason: 'Its second admin has left', via: 'cli' } }]);
  });
});

describe('a proposal', () => {
  it('changes nothing until another admin confirms it, and is made as the proposer', async () => {
    const fixture = await twoAdmins(make);
    const { id, approval, confirm } = await proposed(fixture);
    expect(approval).toMatchObject({
      status: 'pending',
      proposed_by: fixture.first.userId,
      decided_by: null,
      changes: [{ kind: 'finding.status_update', values: { finding_id: id, status: 7 }, error: null }],
    });
    expect(await statusOf(id)).toBe(1);
    const answer = await confirm(fixture.second);
    expect(answer.body).toMatchObject({ status: 'confirmed', decided_by: fixture.second.userId });
    expect(answer.body.changes[0].error).toBeNull();
    expect(await statusOf(id)).toBe(7);
    const { history } = (await fixture.first.client.get(`/v1/findings/${id}/history`)).body;
    expect(history.slice(0, 2)).toMatchObject([
      { actor: { id: String(fixture.second.userId) }, comment: 'Confirmed the change of its status.' },
      { actor: { id: String(fixture.first.userId) }, comment: 'A test page.', status: 7 },
    ]);
    const [entry] = await query(
      `SELECT actor_id, metadata FROM audit_logs WHERE operation = 'finding.status_update' AND status = 'success' AND resource_id = $1`,
      [String(id)],
    );
    expect(entry).toMatchObject({
      actor_id: String(fixture.second.userId),
      metadata: { approval: approval.id, proposed_by: fixture.first.userId, from: 1, to: 7 },
    });
  });

  it('waits once, however often the same change is requested', async () => {
    const fixture = await twoAdmins(make);
    const { id } = await proposed(fixture);
    await fixture.first.client.post(`/v1/findings/${id}/status`, { status: 7, comment: 'A test page.' });
    expect(await pendingOf(fixture)).toHaveLength(1);
  });

  it('is not confirmed by its proposer, also not with another key, nor by somebody else than an admin with a proved address', async () => {
    const fixture = await twoAdmins(make);
    const { tenant, first } = fixture;
    const { id, confirm } = await proposed(fixture);
    const unproved = await tenant.as('admin');
    await query('DELETE FROM address_proofs WHERE user_id = $1', [unproved.userId]);
    const others = [first, await make.person(first.userId), await tenant.as('member'), unproved];
    for (const other of others) expect((await confirm(other)).status).toBe(403);
    expect(await statusOf(id)).toBe(1);
  });

  it('of an integrator is confirmed by a member, and no other user of the integrator confirms it', async () => {
    const integrator = await make.integrator();
    const fixture = await twoAdmins(make, { integratorId: integrator.integratorId });
    const { id, confirm } = await proposed(fixture, integrator);
    const colleague = await make.person(await make.user(integrator.integratorId));
    for (const one of [integrator, colleague]) expect((await confirm(one)).status).toBe(403);
    expect((await confirm(fixture.second)).status).toBe(200);
    expect(await statusOf(id)).toBe(7);
  });

  it('is made only for a user with a proved address, when it is proposed and when it is confirmed', async () => {
    const fixture = await twoAdmins(make);
    const puppet = await fixture.tenant.as('admin');
    const withdraw = () => query('DELETE FROM address_proofs WHERE user_id = $1', [puppet.userId]);
    await withdraw();
    const finding = await make.finding(fixture.tenant.id);
    const refused = await puppet.client.post(`/v1/findings/${finding.id}/status`, { status: 7 });
    expect([refused.status, refused.body.description]).toEqual([403, expect.stringContaining('Prove yours first')]);
    expect(await pendingOf(fixture)).toEqual([]);
    await prove(puppet.userId);
    const { id, confirm } = await proposed(fixture, puppet);
    await withdraw();
    expect((await confirm(fixture.second)).body.changes[0].error).toContain('Prove yours first');
    expect(await statusOf(id)).toBe(1);
  });

  it('is not made further once the second admin has lost the role', async () => {
    const fixture = await twoAdmins(make);
    const ids = [(await make.finding(fixture.tenant.id)).id, (await make.finding(fixture.tenant.id)).id];
    await fixture.first.client.post('/v1/findings/bulk', { finding_ids: ids, action: { status: 7 } });
    const [{ id }] = await pendingOf(fixture);
    const release = await lockRows('findings', ids.slice(0, 1));
    const confirmed = fixture.second.client.post(approvalsOf(fixture.tenant, `${id}/confirm`));
    await expectWaitingForLocks(1);
    await query('DELETE FROM memberships WHERE user_id = $1', [fixture.second.userId]);
    await release();
    await confirmed;
    expect([await statusOf(ids[0] ?? 0), await statusOf(ids[1] ?? 0)]).toEqual([7, 1]);
  });

  it('that has expired begins anew, with another proposer, before the service has ended it', async () => {
    const fixture = await twoAdmins(make);
    const { id, approval, confirm } = await proposed(fixture);
    await query(`UPDATE approvals SET expires = now() - interval '1 second' WHERE id = $1`, [approval.id]);
    await fixture.second.client.post(`/v1/findings/${id}/status`, { status: 7, comment: 'A test page.' });
    expect(await pendingOf(fixture)).toMatchObject([{ id: approval.id, proposed_by: fixture.second.userId }]);
    expect((await confirm(fixture.second)).status).toBe(403);
    expect((await confirm(fixture.first)).status).toBe(200);
    expect(await statusOf(id)).toBe(7);
  });

  it.each([
    ['was lowered', `UPDATE memberships SET role = 'member' WHERE user_id = $1`, 'needs the role admin'],
    ['has left', 'DELETE FROM memberships WHERE user_id = $1', 'not found'],
  ])('is not made if its proposer %s', async (_what, loss, error) => {
    const fixture = await twoAdmins(make);
    const { id, confirm } = await proposed(fixture);
    await query(loss, [fixture.first.userId]);
    expect((await confirm(fixture.second)).body.changes[0].error).toContain(error);
    expect(await statusOf(id)).toBe(1);
  });

  it.each([
    ['its status', 'status = 2'],
    ['its severity', 'severity = 4'],
    ['what its test showed', `verification = 'confirmed', verified_at = now()`],
    ['it was resolved and is open again', 'stated_at = now()'],
    ['a test showed it fixed, and it is open again', 'fixed_at = now()'],
  ])('is outdated when the finding has changed: %s', async (_what, change) => {
    const fixture = await twoAdmins(make);
    const { id, confirm } = await proposed(fixture);
    await query(`UPDATE findings SET ${change} WHERE id = $1`, [id]);
    const before = await statusOf(id);
    expect((await confirm(fixture.second)).body.changes[0].error).toBe(
      'What it is about has changed since the change was proposed. Propose it again.',
    );
    expect(await statusOf(id)).toBe(before);
  });

  it('is confirmed once by two admins at the same time', async () => {
    const fixture = await twoAdmins(make);
    const third = await provedAdmin(fixture.tenant);
    const { id, confirm } = await proposed(fixture);
    const answers = await Promise.all([confirm(fixture.second), confirm(third)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await statusOf(id)).toBe(7);
    expect(
      (await query('SELECT 1 FROM finding_history WHERE finding_id = $1 AND status = 7 AND previous_status = 1', [id]))
        .length,
    ).toBe(1);
  });

  it('is rejected with a reason, or withdrawn, and then cannot be confirmed', async () => {
    const fixture = await twoAdmins(make);
    const one = await proposed(fixture);
    const reason = 'It is no test page.';
    const rejected = await fixture.second.client.post(`${one.path}/reject`, { reason });
    expect(rejected.body).toMatchObject({ status: 'rejected', reason, decided_by: fixture.second.userId });
    expect((await one.confirm(fixture.second)).status).toBe(409);
    const other = await proposed(fixture);
    expect((await fixture.first.client.post(`${other.path}/reject`, {})).body.status).toBe('rejected');
    expect((await other.confirm(fixture.second)).status).toBe(409);
    expect([await statusOf(one.id), await statusOf(other.id)]).toEqual([1, 1]);
  });

  it('expires after 30 days, and is removed a year later', async () => {
    const fixture = await twoAdmins(make);
    const { id, approval, confirm } = await proposed(fixture);
    const age = (days: number) =>
      query(`UPDATE approvals SET expires = now() - interval '1 day' * $2 WHERE id = $1`, [approval.id, days]);
    await age(0);
    expect((await confirm(fixture.second)).status).toBe(409);
    const expiry = api.app.get(ApprovalExpiry, { strict: false });
    await expiry.run();
    expect(
      (await fixture.second.client.get(approvalsOf(fixture.tenant, '?status=expired'))).body.approvals,
    ).toMatchObject([{ id: approval.id, decided_by: null }]);
    expect(await audited(fixture.tenant, 'approval.expire')).toBe(1);
    await age(364);
    await expiry.run();
    expect(await query('SELECT 1 FROM approvals WHERE id = $1', [approval.id])).toHaveLength(1);
    await age(366);
    await expiry.run();
    expect(await query('SELECT 1 FROM approvals WHERE id = $1', [approval.id])).toHaveLength(0);
    expect(await statusOf(id)).toBe(1);
  });

  it('is not visible to another organization, whose admins cannot decide about it', async () => {
    const fixture = await twoAdmins(make);
    const { id, approval, path } = await proposed(fixture);
    const other = await twoAdmins(make);
    expect((await other.first.client.get(approvalsOf(fixture.tenant))).status).toBe(404);
    for (const verb of ['confirm', 'reject']) {
      expect((await other.first.client.post(`${path}/${verb}`, {})).status).toBe(404);
      expect((await other.first.client.post(approvalsOf(other.tenant, `${approval.id}/${verb}`), {})).status).toBe(404);
    }
    expect(await statusOf(id)).toBe(1);
  });

  it('is refused when 200 wait already', async () => {
    const { tenant, first } = await twoAdmins(make);
    await query(
      `INSERT INTO approvals (organization_id, changes, digest, proposed_by, proposed_at, expires)
       SELECT $1, '[]', n::text, 1, now(), now() + interval '1 day' FROM generate_series(1, 200) n`,
      [tenant.id],
    );
    const { id } = await make.finding(tenant.id);
    const answer = await first.client.post(`/v1/findings/${id}/status`, { status: 7 });
    expect([answer.status, answer.body.description]).toEqual([409, expect.stringContaining('200 pending approvals')]);
  });
});

describe('while a second approval is required', () => {
  it('the last two admins with proved addresses cannot leave, be removed, be lowered or lose their proofs', async () => {
    const { tenant, first, second } = await twoAdmins(make);
    const owner = await tenant.as('owner');
    await query('DELETE FROM address_proofs WHERE user_id = $1', [owner.userId]);
    const member = `/v1/organizations/${tenant.id}/members/${first.userId}`;
    const lose = async () => [
      (await owner.client.patch(member, { role: 'member' })).status,
      (await owner.client.delete(member)).status,
      (await first.client.delete(member)).status,
    ];
    expect(await lose()).toEqual([409, 409, 409]);
    expect((await owner.client.patch(member, { role: 'owner' })).status).toBe(200);
    const { link } = (await owner.client.post(`${member}/password-reset`)).body;
    const browser = await signedInAs(api, portal, second);
    const path = new URL(link).pathname;
    const reset = await browser.submit(path, path, { password: 'correct horse battery staple' });
    expect([reset.status, reset.text]).toEqual([409, expect.stringContaining('keeps two admins')]);
    const third = await provedAdmin(tenant);
    expect((await third.client.delete(`/v1/organizations/${tenant.id}/members/${third.userId}`)).status).toBe(200);
    await provedAdmin(tenant);
    expect((await first.client.delete(member)).status).toBe(200);
  });

  it('two of three admins who leave at the same time leave two', async () => {
    const { tenant, first, second } = await twoAdmins(make);
    await make
      .member(tenant.id, 'owner')
      .then(({ userId }) => query('DELETE FROM address_proofs WHERE user_id = $1', [userId]));
    const third = await provedAdmin(tenant);
    const answers = await Promise.all(
      [first, second, third].map(({ client, userId }) =>
        client.delete(`/v1/organizations/${tenant.id}/members/${userId}`),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });
});

describe('the portal', () => {
  it('lists proposals for another admin, who is led there from the inbox and confirms or rejects them', async () => {
    const fixture = await twoAdmins(make);
    const { tenant, first, second } = fixture;
    const page = `/o/${tenant.id}/approvals`;
    const [proposer, approver] = [await signedInAs(api, portal, first), await signedInAs(api, portal, second)];
    const [one, other] = [await make.finding(tenant.id), await make.finding(tenant.id)];
    for (const { id } of [one, other]) {
      const finding = `/o/${tenant.id}/findings/${id}`;
      const answer = await proposer.submit(finding, `${finding}/status`, { status: '7', comment: 'A test page.' });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${page}?status=pending`]);
    }
    const own = (await proposer.get(`${page}?status=pending`)).text;
    expect(own).toContain('Nothing was changed yet: another admin must confirm it.');
    expect(own).not.toContain('/confirm"');
    expect((await proposer.get(`/o/${tenant.id}/inbox`)).text).not.toContain('your approval');
    expect((await approver.get(`/o/${tenant.id}/inbox`)).text).toContain('2 proposals need your approval');
    const [of1, of2] = (await pendingOf(fixture)).toReversed();
    const confirmed = await approver.submit(page, `${page}/${of1.id}/confirm`);
    expect(confirmed.status).toBe(303);
    expect((await approver.get(page)).text).toContain('1 of 1 change was made.');
    expect((await approver.submit(page, `${page}/${of2.id}/reject`, { reason: 'It is none.' })).status).toBe(303);
    expect((await approver.get(page)).text).toContain('It is none.');
    expect([await statusOf(one.id), await statusOf(other.id)]).toEqual([7, 1]);
    expect((await proposer.submit(page, `${page}/setting`)).headers.get('location')).toBe(`${page}?status=pending`);
    const [off] = await pendingOf(fixture);
    await approver.submit(page, `${page}/${off.id}/confirm`);
    expect(await isOn(tenant)).toBe(false);
  });
});
