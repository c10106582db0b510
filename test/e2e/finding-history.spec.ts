import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';

const api = useApi();
useWorker();
const portal = usePortal(api);
const make = new Factories(api);

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

interface Entry {
  readonly changes: readonly unknown[];
}

const historyOf = async (client: Client, id: number): Promise<readonly Entry[]> =>
  (await client.get(`/v1/findings/${id}/history`)).body.history;

const SYSTEM = { type: 'system', id: 'system' };

describe('the history of a finding', () => {
  it('has each field that a person or the owner of a key changes, with the old and new value, and no entry if nothing changes', async () => {
    const tenant = await make.organization();
    const member = await tenant.as('member');
    const { id } = await make.finding(tenant.id);
    const before = inDays(90);
    const change = {
      assignee_id: member.userId,
      due_date: '2030-01-31',
      labels: ['shop', 'pci'],
      references: ['https://example.com/1'],
    };
    await member.client.patch(`/v1/findings/${id}/`, change);
    await member.client.patch(`/v1/findings/${id}/`, { ...change, references: undefined });
    await member.client.patch(`/v1/findings/${id}/`, { labels: ['pci'], assignee_id: null });
    const actor = { type: 'user', id: String(member.userId) };
    expect(await historyOf(member.client, id)).toMatchObject([
      {
        type: 'edit',
        actor,
        status: 1,
        previous_status: 1,
        changes: [
          { field: 'assignee_id', from: String(member.userId), to: null },
          { field: 'labels', from: 'pci, shop', to: 'pci' },
        ],
      },
      {
        type: 'edit',
        actor,
        changes: [
          { field: 'assignee_id', from: null, to: String(member.userId) },
          { field: 'due_date', from: before, to: '2030-01-31' },
          { field: 'labels', from: null, to: 'pci, shop' },
          { field: 'references', from: null, to: 'https://example.com/1' },
        ],
      },
      { type: 'recorded' },
    ]);
  });

  it('has bulk changes, and the changes that the portal makes and undoes', async () => {
    const tenant = await make.organization();
    const member = await tenant.as('member');
    await query(`UPDATE users SET name = 'Ada' WHERE id = $1`, [member.userId]);
    const [one, other] = [await make.finding(tenant.id), await make.finding(tenant.id)];
    await member.client.post('/v1/findings/bulk', {
      finding_ids: [one.id, other.id],
      action: { add_labels: ['shop'] },
    });
    const browser = await signedInAs(api, portal, member);
    const page = `/o/${tenant.id}/findings/${one.id}`;
    await browser.submit(page, `${page}/assignee`, { assignee_id: String(member.userId) });
    const { text } = await browser.get(page);
    expect(text).toContain('The assignee was changed.');
    await browser.submit(page, `${page}/assignee`, { assignee_id: '' });
    const actor = { type: 'user', id: String(member.userId) };
    const labeled = { actor, changes: [{ field: 'labels', from: null, to: 'shop' }] };
    expect(await historyOf(member.client, one.id)).toMatchObject([
      { actor, changes: [{ field: 'assignee_id', from: String(member.userId), to: null }] },
      { actor, changes: [{ field: 'assignee_id', from: null, to: String(member.userId) }] },
      labeled,
      {},
    ]);
    expect(await historyOf(member.client, other.id)).toMatchObject([labeled, {}]);
    const activity = (await browser.get(page)).text.replaceAll(/<[^>]*>/g, '');
    expect(activity).toMatch(
      /Ada removed the assignee [^:]+Assignee: Ada.*Ada assigned it [^:]+Assignee: Ada.*Ada changed the labels [^:]+Labels: shop.* recorded it/s,
    );
  });

  it('says that the service has assigned a finding to the owner of its asset', async () => {
    const tenant = await make.organization();
    const [admin, owner] = [await tenant.as('admin'), await tenant.as('member')];
    const asset = await make.asset(tenant.id);
    await admin.client.patch(`/v1/assets/${asset.id}/`, { owner: `user:${owner.userId}` });
    const { id } = await make.finding(tenant.id, { asset: { ...asset, tier: null, beaconId: null } });
    expect(await historyOf(admin.client, id)).toMatchObject([
      {
        type: 'edit',
        actor: SYSTEM,
        comment: 'The owner of its asset.',
        changes: [{ field: 'assignee_id', from: null, to: String(owner.userId) }],
      },
      { type: 'recorded' },
    ]);
  });

  it('says who deleted its asset, that the asset was added again, and that the assignee has left', async () => {
    const tenant = await make.organization();
    const [admin, owner, leaving] = [await tenant.as('admin'), await tenant.as('owner'), await tenant.as('member')];
    const asset = { ...(await make.asset(tenant.id)), tier: null };
    const draft = { title: 'Stays', asset };
    const { id } = await make.finding(tenant.id, draft);
    await admin.client.patch(`/v1/findings/${id}/`, { assignee_id: leaving.userId });
    await admin.client.delete(`/v1/assets/${asset.id}`);
    const { body: again } = await admin.client.post('/v1/assets/', {
      organization_id: tenant.id,
      asset_value: asset.value,
      asset_type: 'domain',
    });
    await make.record(tenant.id, { ...draft, asset: { ...asset, id: again.id } });
    await owner.client.delete(`/v1/organizations/${tenant.id}/members/${leaving.userId}`);
    await eventually(async () => expect(await historyOf(admin.client, id)).toHaveLength(5));
    expect(await historyOf(admin.client, id)).toMatchObject([
      {
        actor: SYSTEM,
        comment: 'The assignee has left the organization.',
        changes: [{ field: 'assignee_id', from: String(leaving.userId), to: null }],
      },
      { actor: SYSTEM, changes: [{ field: 'asset', from: null, to: asset.value }] },
      {
        actor: { type: 'user', id: String(admin.userId) },
        comment: 'The asset was deleted.',
        changes: [{ field: 'asset', from: asset.value, to: null }],
      },
      { changes: [{ field: 'assignee_id' }] },
      { type: 'recorded' },
    ]);
  });

  it('has the due dates that the SLA moves: when it changes, when the severity changes, and when a finding returns', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const { id } = await make.finding(tenant.id, { title: 'Seen again', severity: 'low' });
    await admin.client.patch(`/v1/organizations/${tenant.id}/settings/sla`, { low: 9 });
    const moved = { field: 'due_date', from: inDays(180), to: inDays(9) };
    await eventually(async () =>
      expect(await historyOf(admin.client, id)).toMatchObject([
        { type: 'edit', actor: SYSTEM, comment: 'The SLA was changed.', changes: [moved] },
        { type: 'recorded' },
      ]),
    );
    await admin.client.patch(`/v1/findings/${id}/`, { severity: 'high' });
    const [edit] = await historyOf(admin.client, id);
    expect(edit).toMatchObject({ type: 'edit', actor: { type: 'user', id: String(admin.userId) } });
    expect(edit?.changes).toContainEqual({ field: 'due_date', from: inDays(9), to: inDays(30) });
    for (const reopen of [
      () => admin.client.post(`/v1/findings/${id}/status`, { status: 1 }),
      () => make.finding(tenant.id, { title: 'Seen again', severity: 'high' }),
    ]) {
      await query(
        `UPDATE findings SET title = 'Seen again', status = 5, fixed_at = now(), due_date = $2 WHERE id = $1`,
        [id, inDays(-60)],
      );
      await reopen();
      const [term, reopened] = await historyOf(admin.client, id);
      expect(term).toMatchObject({
        type: 'edit',
        actor: SYSTEM,
        comment: 'Its SLA counts again from this day.',
        changes: [{ field: 'due_date', from: inDays(-60), to: inDays(30) }],
      });
      expect(reopened).toMatchObject({ type: 'status_change', status: 1, previous_status: 5, changes: [] });
    }
  });
});
