import { FeedService } from '../../src/modules/feed';
import { feedFilterOf, anyEntry } from '../../src/modules/feed/domain/feed-rule';
import { everything } from '../../src/platform/api/scope';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Person, type Tenant, uniqueDomain } from '../support/factories';
import { longestTurnDuring } from '../support/longest-turn';
import { signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const groupsOf = ({ id }: Tenant): string => `/v1/organizations/${id}/groups/`;

async function groupOf(tenant: Tenant, admin: Person, memberIds: number[] = [], name = 'Team Shop'): Promise<number> {
  const answer = await admin.client.post(groupsOf(tenant), { name, member_ids: memberIds });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

async function ownedAsset({ id }: Tenant, admin: Person, owner: string | null) {
  const asset = await make.asset(id);
  expect((await admin.client.patch(`/v1/assets/${asset.id}/`, { owner })).body).toMatchObject({ owner });
  return asset;
}

const record = (tenant: Tenant, { id, value }: { id: number; value: string }) =>
  make.finding(tenant.id, { asset: { id, value, tier: null, beaconId: null } });

const listed = async (
  client: Client,
  tenant: Tenant,
  what: 'findings' | 'assets',
  owner: string,
): Promise<number[]> => {
  const answer = await client.get(`/v1/organizations/${tenant.id}/${what}/?owner=${owner}`);
  expect(answer.status).toBe(200);
  return answer.body[what].map(({ id }: { id: number | string }) => Number(id)).toSorted();
};

const entryOf = async ({ id }: Tenant, operation: string) => {
  const [entry] = await query<{ metadata: Record<string, unknown> }>(
    `SELECT metadata FROM audit_logs WHERE organization_id = $1 AND operation = $2 AND status = 'success' ORDER BY id DESC LIMIT 1`,
    [id, operation],
  );
  return entry?.metadata;
};

describe('groups of members', () => {
  it('are created, changed, listed and deleted by admins, with members of the organization alone', async () => {
    const tenant = await make.organization();
    const [admin, member] = [await tenant.as('admin'), await tenant.as('member')];
    const id = await groupOf(tenant, admin, [member.userId]);
    const url = `/v1/organizations/${tenant.id}/groups/${id}`;
    expect((await member.client.get(groupsOf(tenant))).body.groups).toEqual([
      { id, name: 'Team Shop', member_ids: [member.userId] },
    ]);
    expect((await admin.client.post(groupsOf(tenant), { name: 'Team Shop' })).status).toBe(409);
    const stranger = await (await make.organization()).as('member');
    const refused = await admin.client.patch(url, { member_ids: [stranger.userId] });
    expect([refused.status, refused.body.description]).toEqual([
      422,
      expect.stringContaining(`${stranger.userId} is not`),
    ]);
    expect((await member.client.patch(url, { name: 'Mine' })).status).toBe(403);
    expect((await admin.client.patch(url, { name: 'Team Cart', member_ids: [admin.userId] })).body).toEqual({
      id,
      name: 'Team Cart',
      member_ids: [admin.userId],
    });
    expect(await entryOf(tenant, 'member_group.change')).toMatchObject({
      from: { name: 'Team Shop', members: [member.userId] },
      to: { name: 'Team Cart', members: [admin.userId] },
    });
    expect((await admin.client.delete(url)).status).toBe(200);
    expect((await admin.client.get(url)).status).toBe(404);
  });

  it('are at most 100 of an organization', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    await query(
      `INSERT INTO member_groups (organization_id, name) SELECT $1, 'Group ' || n FROM generate_series(1, 100) n`,
      [tenant.id],
    );
    const answer = await admin.client.post(groupsOf(tenant), { name: 'One more' });
    expect([answer.status, answer.body.description]).toEqual([422, expect.stringContaining('100 groups')]);
  });

  it('are listed in the portal with ten names each, and changed on pages of their own', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const people = await query<{ id: number }>(
      `WITH added AS (
         INSERT INTO users (email, folded_email, name) SELECT address, address, 'Person ' || n
         FROM generate_series(1, 500) n, LATERAL format('p%s.%s@example.com', n, $1::int) AS address RETURNING id)
       INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, 'member' FROM added RETURNING user_id AS id`,
      [tenant.id],
    );
    const first = await groupOf(tenant, admin, people.map(({ id }) => id).slice(0, 12));
    await query(
      `WITH added AS (INSERT INTO member_groups (organization_id, name) SELECT $1, 'Group ' || n FROM generate_series(1, 99) n RETURNING id)
       INSERT INTO member_group_members (organization_id, group_id, user_id)
         SELECT $1, added.id, m.user_id FROM added, memberships m WHERE m.organization_id = $1`,
      [tenant.id],
    );
    const browser = await signedInAs(api, portal, admin);
    const page = `/o/${tenant.id}/settings/members`;
    const { text } = await browser.get(page);
    expect(text).toContain('Person 10, 2 more');
    expect(text.length).toBeLessThan(500_000);
    const longest = await longestTurnDuring(() => browser.get(page));
    expect(longest).toBeLessThan(200);
    const own = `/o/${tenant.id}/settings/groups/${first}`;
    expect((await browser.get(own)).text).toContain(`p12.${tenant.id}@example.com`);
    expect((await browser.submit(own, own, { name: 'Team Shop', members: `p1.${tenant.id}@example.com` })).status).toBe(
      303,
    );
    expect((await admin.client.get(`${groupsOf(tenant)}${first}`)).body.member_ids).toEqual([people[0]?.id]);
    const member = await signedInAs(api, portal, await tenant.as('member'));
    expect((await member.get(own)).status).toBe(403);
  });
});

describe('the owner of an asset', () => {
  it('is a member or a group of the organization, which admins set', async () => {
    const tenant = await make.organization();
    const [admin, member] = [await tenant.as('admin'), await tenant.as('member')];
    const { id } = await make.asset(tenant.id);
    const elsewhere = await make.organization();
    const foreign = await groupOf(elsewhere, await elsewhere.as('admin'));
    for (const owner of [`group:${foreign}`, `user:${(await elsewhere.as('owner')).userId}`]) {
      const answer = await admin.client.patch(`/v1/assets/${id}/`, { owner });
      expect([answer.status, answer.body.description]).toEqual([
        422,
        expect.stringContaining('neither a member nor a group'),
      ]);
    }
    expect((await admin.client.patch(`/v1/assets/${id}/`, { owner: 'team' })).status).toBe(400);
    const owner = `user:${member.userId}`;
    expect((await member.client.patch(`/v1/assets/${id}/`, { owner })).status).toBe(403);
    expect((await admin.client.patch(`/v1/assets/${id}/`, { owner })).body.owner).toBe(owner);
    expect(await entryOf(tenant, 'asset.change')).toMatchObject({ from: { owner: null }, to: { owner } });
    const body = { organization_id: tenant.id, asset_value: uniqueDomain(), asset_type: 'domain', owner };
    expect((await member.client.post('/v1/assets/', body)).status).toBe(403);
    const created = await admin.client.post('/v1/assets/', body);
    expect((await admin.client.get(`/v1/assets/${created.body.id}/`)).body.owner).toBe(owner);
    expect((await admin.client.patch(`/v1/assets/${id}/`, { owner: null })).body.owner).toBeNull();
  });

  it('gets its new findings if it is a member; others stay as they are', async () => {
    const tenant = await make.organization();
    const [admin, member] = [await tenant.as('admin'), await tenant.as('member')];
    const team = await groupOf(tenant, admin, [member.userId]);
    const [mine, ours] = [await ownedAsset(tenant, admin, null), await ownedAsset(tenant, admin, `group:${team}`)];
    const before = await record(tenant, mine);
    await admin.client.patch(`/v1/assets/${mine.id}/`, { owner: `user:${member.userId}` });
    const [after, ofGroup] = [await record(tenant, mine), await record(tenant, ours)];
    const assignees = await Promise.all(
      [before, after, ofGroup].map(
        async ({ id }) => (await admin.client.get(`/v1/findings/${id}/`)).body.findings[0].assignee_id,
      ),
    );
    expect(assignees).toEqual([null, member.userId, null]);
  });

  it('filters lists of findings and assets: a member, a group, me with my groups, and none', async () => {
    const tenant = await make.organization();
    const [admin, member] = [await tenant.as('admin'), await tenant.as('member')];
    const team = await groupOf(tenant, admin, [member.userId]);
    const other = await groupOf(tenant, admin, [admin.userId], 'Others');
    const owners = [`user:${member.userId}`, `group:${team}`, `group:${other}`, null];
    const assets: number[] = [];
    const findings: number[] = [];
    for (const owner of owners) {
      const asset = await ownedAsset(tenant, admin, owner);
      assets.push(asset.id);
      findings.push((await record(tenant, asset)).id);
    }
    const onNone = (await make.finding(tenant.id)).id;
    const foreign = await make.organization();
    await record(foreign, await ownedAsset(foreign, await foreign.as('admin'), null));
    const [a = 0, b = 0, c = 0, d = 0] = findings;
    const { client } = member;
    expect(await listed(client, tenant, 'findings', `user:${member.userId}`)).toEqual([a]);
    expect(await listed(client, tenant, 'findings', `group:${team}`)).toEqual([b]);
    expect(await listed(client, tenant, 'findings', 'me')).toEqual([a, b]);
    expect(await listed(admin.client, tenant, 'findings', 'me')).toEqual([c]);
    expect(await listed(client, tenant, 'findings', 'none')).toEqual([d, onNone].toSorted());
    expect(await listed(client, tenant, 'assets', 'me')).toEqual(assets.slice(0, 2));
    expect(await listed(client, tenant, 'assets', 'none')).toEqual(assets.slice(3));
    expect((await client.get(`/v1/organizations/${tenant.id}/findings/?owner=me:1`)).status).toBe(400);
  });

  it.each([99, 101])('filters a list of the findings on %d assets, and of no others', async (count) => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const team = await groupOf(tenant, admin);
    const recorded = await query<{ id: number; owned: boolean }>(
      `WITH added AS (
         INSERT INTO assets (organization_id, value, type, owner_group_id)
         SELECT $1, 'a' || n || '.example.com', 'domain', CASE WHEN n <= $3 THEN $2::int END
         FROM generate_series(1, $3 + 2) n RETURNING id, value, owner_group_id),
       found AS (
         INSERT INTO findings (organization_id, asset_id, asset_value, title, severity, priority, fingerprint)
         SELECT $1, id, value, 'Title', 2, 3, decode(md5(value), 'hex') FROM added RETURNING id, asset_id)
       SELECT found.id, owner_group_id IS NOT NULL AS owned FROM found JOIN added ON added.id = asset_id ORDER BY found.id`,
      [tenant.id, team, count],
    );
    for (const order of ['', '&sort=priority', '&sort=due_date', '&severity=low']) {
      const { body } = await admin.client.get(
        `/v1/organizations/${tenant.id}/findings/?per_page=100&owner=group:${team}${order}`,
      );
      const { body: rest } = await admin.client.get(
        `/v1/organizations/${tenant.id}/findings/?per_page=100&page=2&owner=group:${team}${order}`,
      );
      const ids = [...body.findings, ...rest.findings].map(({ id }) => Number(id));
      expect(ids.toSorted((a, b) => a - b)).toEqual(recorded.flatMap(({ id, owned }) => (owned ? id : [])));
    }
  });

  it('narrows no gate', async () => {
    const { client } = await (await make.organization()).as('admin');
    for (const what of ['success', 'status', 'report']) {
      const answer = await client.get(`/v1/jobs/5b0c7a52-4a9e-4a39-9c0c-9a1e3f1d7c60/${what}?owner=me`);
      expect([answer.status, answer.body.description]).toEqual([400, expect.stringContaining('owner')]);
    }
  });

  it('filters what a channel tells, by the owner at that time', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const owner = `group:${await groupOf(tenant, admin)}`;
    const [ours, others] = [await ownedAsset(tenant, admin, owner), await ownedAsset(tenant, admin, null)];
    const [recorded] = [await record(tenant, ours), await record(tenant, others)];
    const draft = { name: 'Shop', kind: 'slack', url: 'https://hooks.slack.com/x', owner };
    const channels = `/v1/organizations/${tenant.id}/channels/`;
    const created = await admin.client.post(channels, draft);
    expect([created.status, created.body.owner]).toEqual([201, owner]);
    expect((await admin.client.post(channels, { ...draft, owner: 'group:2147483647' })).status).toBe(422);
    const filter = feedFilterOf({ ...anyEntry(), types: ['finding'], owner });
    const feed = api.app.get(FeedService);
    const { entries } = await feed.newest(everything('a test'), tenant.id, filter, { limit: 10 });
    expect(entries.map(({ recordId }) => recordId)).toEqual([String(recorded.id)]);
    await admin.client.patch(`/v1/assets/${ours.id}/`, { owner: null });
    expect((await feed.newest(everything('a test'), tenant.id, filter, { limit: 10 })).entries).toEqual([]);
  });
});
