import { asOperator } from '../../src/apps/cli/run-in-domain';
import { IdentityService, ProvisionedMembers } from '../../src/modules/identity';
import { OwnerRelease } from '../../src/modules/identity/work/owner-release';
import { system } from '../../src/platform/api/caller';
import { everything } from '../../src/platform/api/scope';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import type { Claim } from '../../src/platform/work/claim';
import { startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person, type Tenant } from '../support/factories';
import { addMember, expectWaitingForLocks, findOwnerOf } from '../support/row-locks';

/** As in production: a statement ends after 2.67 seconds. */
const api = useApi({ DATABASE_TIMEOUT_MS: '4000' });
const make = new Factories(api);

/** `test/long/volume` removes a member with half a million findings. */
const MANY = 3_000;
const PORTION = 1_000;

interface Case {
  readonly tenant: Tenant;
  readonly owner: Person;
  readonly leaving: Person;
}

async function people(): Promise<Case> {
  const tenant = await make.organization();
  return { tenant, owner: await tenant.as('owner'), leaving: await tenant.as('member') };
}

/** So many assets of a member or a group, and as many findings that are assigned to the member. No trigger sees them. */
const addOwned = ({ tenant, leaving }: Case, count: number, column = 'owner_user_id', id = leaving.userId) =>
  query(
    `ALTER TABLE findings DISABLE TRIGGER USER;
     WITH added AS (
       INSERT INTO assets (organization_id, value, type, ${column})
       SELECT ${tenant.id}, 'a' || n || '.example.com', 'domain', ${id} FROM generate_series(1, ${count}) n RETURNING id, value)
     INSERT INTO findings (organization_id, asset_id, asset_value, title, severity, priority, fingerprint, assignee_id)
     SELECT ${tenant.id}, id, value, 'Title', 2, 3, decode(md5(value), 'hex'), ${leaving.userId} FROM added;
     ALTER TABLE findings ENABLE TRIGGER USER`,
  );

/** How many records still have an owner or an assignee. */
async function owned({ tenant }: Case): Promise<[assets: number, findings: number]> {
  const count = async (table: string, condition: string): Promise<number> => {
    const sql = `SELECT count(*)::int AS rows FROM ${table} WHERE organization_id = $1 AND ${condition}`;
    return (await query<{ rows: number }>(sql, [tenant.id]))[0]?.rows ?? 0;
  };
  return [
    await count('assets', '(owner_user_id IS NOT NULL OR owner_group_id IS NOT NULL)'),
    await count('findings', 'assignee_id IS NOT NULL'),
  ];
}

const waiting = ({ tenant }: Case) =>
  query<{ reference: string }>(
    `SELECT reference FROM work WHERE organization_id = $1 AND kind = 'owner.release' AND state = 'waiting' ORDER BY id`,
    [tenant.id],
  );

const claimOf = ({ tenant }: Case, reference: string) =>
  ({ kind: 'owner.release', reference, organizationId: tenant.id }) as Claim;

/** As a worker does it, which may be stopped after so many portions. */
async function release(one: Case, portions = Infinity): Promise<void> {
  let left = portions;
  const signal = {
    throwIfAborted: () => {
      left -= 1;
      if (left <= 0) throw new Error('the worker was killed');
    },
  } as AbortSignal;
  for (const { reference } of await waiting(one))
    await api.app.get(OwnerRelease, { strict: false }).perform(claimOf(one, reference), signal);
}

const entriesOf = async ({ tenant }: Case) =>
  query<{ type: string; id: string; metadata: Record<string, number[]> }>(
    `SELECT resource_type AS type, resource_id AS id, metadata FROM audit_logs
     WHERE organization_id = $1 AND operation = 'owner.release' ORDER BY id`,
    [tenant.id],
  );

const removal = ({ tenant, owner, leaving }: Case) =>
  owner.client.delete(`/v1/organizations/${tenant.id}/members/${leaving.userId}`);

const comeBack = ({ tenant, leaving }: Case) =>
  asOperator(api.app, { operation: 'membership.create', resourceType: 'membership' }, () =>
    api.app.get(IdentityService).createMembership(leaving.userId, tenant.id, 'member'),
  );

/** Each way to remove a member. */
const WAYS = {
  'by an owner': async (one: Case) => expect((await removal(one)).status).toBe(200),
  'by leaving': async ({ tenant, leaving }: Case) => {
    const path = `/v1/organizations/${tenant.id}/members/${leaving.userId}`;
    expect((await leaving.client.delete(path)).status).toBe(200);
  },
  'by a provider': ({ tenant, leaving }: Case) =>
    api.app
      .get(UnitOfWork)
      .run(
        { actor: system, operation: 'user.provision', resourceType: 'user', organizationId: tenant.id },
        everything('a test'),
        () => api.app.get(ProvisionedMembers).remove(tenant.id, leaving.userId, 'member'),
      ),
  'by the operator': ({ leaving }: Case) =>
    asOperator(api.app, { operation: 'user.erase', resourceType: 'user' }, () =>
      api.app.get(IdentityService).eraseUser(leaving.userId),
    ),
};
const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];

async function group({ tenant, owner }: Case, memberIds: number[] = []): Promise<{ id: number; path: string }> {
  const path = `/v1/organizations/${tenant.id}/groups/`;
  const { id } = (await owner.client.post(path, { name: 'Team Shop', member_ids: memberIds })).body;
  return { id, path: `${path}${id}` };
}

const firstAsset = async ({ tenant }: Case): Promise<{ id: number; value: string }> => {
  const [asset] = await query<{ id: number; value: string }>(
    'SELECT id, value FROM assets WHERE organization_id = $1 ORDER BY id LIMIT 1',
    [tenant.id],
  );
  return asset ?? { id: 0, value: '' };
};

const record = async ({ tenant }: Case, { id, value }: { id: number; value: string }) =>
  (await make.finding(tenant.id, { asset: { id, value, tier: null, beaconId: null } })).id;

const assigneesOf = (ids: number[]) =>
  query<{ assignee: number | null }>(
    'SELECT DISTINCT assignee_id AS assignee FROM findings WHERE id = ANY($1::int[])',
    [ids],
  );

describe('with more assets and findings than one portion', () => {
  let many: Case;

  beforeAll(async () => {
    many = await people();
    await addOwned(many, MANY);
  });

  it.each(ways)('a member is removed %s and loses access at once, and a worker does the rest', async (way) => {
    const leaving = await make.person(many.leaving.userId);
    const path = `/v1/organizations/${many.tenant.id}/findings/`;
    expect((await leaving.client.get(path)).status).toBe(200);
    await WAYS[way]({ ...many, leaving });
    expect(await owned(many)).toEqual([MANY, MANY]);
    expect([401, 403, 404]).toContain((await leaving.client.get(path)).status);
    if (way !== 'by the operator') await comeBack(many);
  });

  it('a group is deleted at once, and a worker releases its assets in portions', async () => {
    const { id, path } = await group(many);
    await query('UPDATE assets SET owner_user_id = NULL, owner_group_id = $2 WHERE organization_id = $1', [
      many.tenant.id,
      id,
    ]);
    expect((await many.owner.client.delete(path)).status).toBe(200);
    expect(await owned(many)).toEqual([MANY, MANY]);
    await expect(release(many, 2)).rejects.toThrow('killed');
    expect(await owned(many)).toContain(MANY - 2 * PORTION);
  });
});

describe('what a removed member owned', () => {
  it.each(ways)('is released after a removal %s, with audit entries that name it', async (way) => {
    const one = await people();
    const team = await group(one, [one.leaving.userId]);
    await addOwned(one, 3);
    await WAYS[way](one);
    expect((await one.owner.client.get(team.path)).body.member_ids).toEqual([]);
    expect(await owned(one)).toEqual([3, 3]);
    await release(one);
    expect(await owned(one)).toEqual([0, 0]);
    const entries = await entriesOf(one);
    expect(entries.map(({ type, id }) => [type, id])).toEqual(
      Array.from({ length: 2 }, () => ['membership', String(one.leaving.userId)]),
    );
    expect(entries.map(({ metadata }) => Object.values(metadata).map(({ length }) => length))).toEqual([[3], [3]]);
  });

  it('is released by a worker', async () => {
    const one = await people();
    await addOwned(one, 3);
    await removal(one);
    const worker = await startWorker();
    try {
      await eventually(async () => expect(await owned(one)).toEqual([0, 0]));
    } finally {
      await worker.stop();
    }
  });

  it('of a group stays assigned to its members', async () => {
    const one = await people();
    const { id, path } = await group(one);
    await addOwned(one, 2, 'owner_group_id', id);
    expect((await one.owner.client.delete(path)).status).toBe(200);
    await release(one);
    expect(await owned(one)).toEqual([0, 2]);
    expect(await entriesOf(one)).toMatchObject([{ type: 'member_group', id: String(id) }]);
  });

  it('is released once, by another worker after one was killed', async () => {
    const one = await people();
    await addOwned(one, 1_500);
    await removal(one);
    await expect(release(one, 3)).rejects.toThrow('killed');
    expect((await owned(one)).toSorted((a, b) => a - b)).toEqual([0, 500]);
    await release(one);
    expect(await owned(one)).toEqual([0, 0]);
    const named = (await entriesOf(one)).flatMap(({ metadata }) =>
      Object.entries(metadata).flatMap(([records, ids]) => ids.map((id) => `${records} ${id}`)),
    );
    expect([named.length, new Set(named).size]).toEqual([3_000, 3_000]);
  });

  it('is tried again an hour after the last attempt has failed', async () => {
    const one = await people();
    await addOwned(one, 1);
    await removal(one);
    const [first] = await waiting(one);
    const handler = api.app.get(OwnerRelease, { strict: false });
    const { audit, apply } = handler.abandon(claimOf(one, first?.reference ?? ''), 'The database was away.');
    await api.app.get(UnitOfWork).run(audit, everything('a test'), apply);
    const again = await waiting(one);
    expect(again).toHaveLength(2);
    expect(again[1]?.reference.split(' ')[0]).toBe(`user:${one.leaving.userId}`);
  });

  it('gets no new findings for the former owner, before and after it is released', async () => {
    const one = await people();
    await addOwned(one, 1);
    await removal(one);
    const asset = await firstAsset(one);
    const before = await record(one, asset);
    await release(one);
    expect(await assigneesOf([before, await record(one, asset)])).toEqual([{ assignee: null }]);
  });

  it('is complete: a member is not removed while a finding is recorded for the member', async () => {
    const one = await people();
    await addOwned(one, 1);
    const commit = await findOwnerOf(one.tenant.id, (await firstAsset(one)).id);
    const removed = removal(one);
    try {
      await expectWaitingForLocks(1);
    } finally {
      await commit();
    }
    expect((await removed).status).toBe(200);
  });
});

describe('a member who returns before the release has ended', () => {
  it('keeps what is left and what is new, until the next removal', async () => {
    const one = await people();
    await addOwned(one, 1_500);
    await removal(one);
    await expect(release(one, 1)).rejects.toThrow('killed');
    await comeBack(one);
    const left = await owned(one);
    const id = await record(one, await make.asset(one.tenant.id));
    const change = { assignee_id: one.leaving.userId };
    expect((await one.owner.client.patch(`/v1/findings/${id}/`, change)).status).toBe(200);
    await release(one);
    expect(await owned(one)).toEqual([left[0], left[1] + 1]);
    await removal(one);
    await release(one);
    expect(await owned(one)).toEqual([0, 0]);
  });

  it('keeps all although the return commits while a portion is released', async () => {
    const one = await people();
    await addOwned(one, 2);
    await removal(one);
    const commit = await addMember(one.tenant.id, one.leaving.userId);
    const releasing = release(one);
    try {
      await expectWaitingForLocks(1);
    } finally {
      await commit();
    }
    await releasing;
    expect(await owned(one)).toEqual([2, 2]);
  });
});
