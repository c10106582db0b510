import { AccessChangesRepository } from '../../src/modules/identity/data/access-changes.repository';
import { KeysRepository } from '../../src/modules/identity/data/keys.repository';
import { KeyAuthenticator } from '../../src/modules/identity/key-authenticator';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person, type Tenant } from '../support/factories';

/** Callers of keys are cached for minutes. Changes are made in SQL, as if another process had made them. */
const api = useApi({ AUTH_CACHE_SECONDS: '3' });
const make = new Factories(api);

const WITHIN_MS = 5_000;

interface Member {
  readonly tenant: Tenant;
  readonly person: Person;
  readonly read: () => Promise<number>;
  readonly write: () => Promise<number>;
}

async function member(): Promise<Member> {
  const tenant = await make.organization();
  const person = await tenant.as('admin');
  const findings = `/v1/organizations/${tenant.id}/findings/`;
  const settings = `/v1/organizations/${tenant.id}/settings/sla`;
  return {
    tenant,
    person,
    read: async () => (await person.client.get(findings)).status,
    write: async () => (await person.client.patch(settings, { critical: 1 })).status,
  };
}

type Loss = readonly [name: string, end: (member: Member) => Promise<unknown>, what: 'read' | 'write', status: number];

const ofKeys =
  (change: string) =>
  ({ person }: Member) =>
    query(`UPDATE api_keys SET ${change} WHERE user_id = $1`, [person.userId]);
const ofOrganization =
  (change: string) =>
  ({ tenant }: Member) =>
    query(`UPDATE organizations SET ${change} WHERE id = $1`, [tenant.id]);

const LOSSES: readonly Loss[] = [
  ['a revoked key', ofKeys('revoked = now()'), 'read', 401],
  ['a key with another secret', ofKeys(`secret_hash = sha256('another')`), 'read', 401],
  ['a key with the scope of reads', ofKeys(`scopes = '{read}'`), 'write', 403],
  [
    'a key that no longer opens the organization',
    ({ person }) => query('DELETE FROM api_key_organizations WHERE user_id = $1', [person.userId]),
    'read',
    403,
  ],
  [
    'a removed member',
    ({ person }) => query('DELETE FROM memberships WHERE user_id = $1', [person.userId]),
    'read',
    403,
  ],
  [
    'a member with a lower role',
    ({ person }) => query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, [person.userId]),
    'write',
    403,
  ],
  [
    'a user who may only sign in through a provider',
    ({ tenant }) =>
      query(`INSERT INTO provider_requirements (organization_id, since) VALUES ($1, now() - interval '1 day')`, [
        tenant.id,
      ]),
    'read',
    403,
  ],
  ['a deleted organization', ofOrganization('deleted_at = now()'), 'read', 404],
  ['changes in a suspended organization', ofOrganization('suspended_at = now()'), 'write', 403],
];

const keys = () => api.app.get(KeysRepository, { strict: false });
const changes = () => api.app.get(AccessChangesRepository, { strict: false });

afterEach(() => jest.restoreAllMocks());

it('looks a key up once, and not again while nothing has changed', async () => {
  const { person, read } = await member();
  expect(await read()).toBe(200);
  const seen = jest.spyOn(keys(), 'findByAccessKey');
  expect([await read(), await read(), await read()]).toEqual([200, 200, 200]);
  expect(seen.mock.calls.flat()).not.toContain(person.credentials.accessKey);
});

it.each(LOSSES)('ends %s within five seconds', async (_name, end, what, status) => {
  const one = await member();
  expect([await one[what](), await one[what]()]).toEqual([200, 200]);
  await end(one);
  await eventually(async () => expect(await one[what]()).toBe(status), WITHIN_MS);
});

it.each(LOSSES)('ends %s when the changes cannot be read', async (_name, end, what, status) => {
  const one = await member();
  expect([await one[what](), await one[what]()]).toEqual([200, 200]);
  jest.spyOn(changes(), 'version').mockRejectedValue(new Error('The answer is lost.'));
  await end(one);
  await eventually(async () => expect(await one[what]()).toBe(status), WITHIN_MS);
});

it('a key that changes while it is looked up is not cached as it was before', async () => {
  const [one, other] = [await member(), await member()];
  const find = keys().findByAccessKey.bind(keys());
  jest.spyOn(keys(), 'findByAccessKey').mockImplementationOnce(async (accessKey) => {
    const record = await find(accessKey);
    await ofKeys('revoked = now()')(one);
    const asked = jest.spyOn(changes(), 'version');
    await eventually(async () => {
      await other.read();
      expect(await Promise.all(asked.mock.results.map(({ value }) => value as Promise<string>))).not.toEqual([]);
    });
    return record;
  });
  expect([await one.read(), await one.read()]).toEqual([200, 401]);
});

it('ends a key in an organization when its time has come', async () => {
  const { person, read } = await member();
  await query(`UPDATE api_key_organizations SET ends = now() + interval '2 seconds' WHERE user_id = $1`, [
    person.userId,
  ]);
  expect(await read()).toBe(200);
  await eventually(async () => expect(await read()).toBe(403), WITHIN_MS);
});

it('removes what it has noted of changes after an hour', async () => {
  await query(
    `INSERT INTO access_changes (at) VALUES (now() - interval '61 minutes'), (now() - interval '59 minutes')`,
  );
  await api.app.get(KeyAuthenticator, { strict: false }).removeOldChanges();
  const kept = await query<{ minutes: number }>(
    'SELECT round(extract(epoch FROM now() - at) / 60)::int AS minutes FROM access_changes ORDER BY at LIMIT 1',
  );
  expect(kept).toEqual([{ minutes: 59 }]);
});
