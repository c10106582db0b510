import { randomBytes } from 'node:crypto';
import { Relay } from '../../src/modules/beacons';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique } from '../support/factories';
import { connectAgent } from '../support/test-agent';

const api = useApi({});
const make = new Factories(api);

beforeAll(() => api.app.get(Relay).start());
afterAll(() => api.app.get(Relay).stop());

const NETWORKS = ['10.20.0.0/16', 'fd00:20::/48'];
const agentToken = (): string => `ab_${randomBytes(32).toString('base64url')}`;

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly path: string;
}

async function withBeacon(tenant?: Tenant): Promise<Fixture> {
  const owner = tenant ?? (await make.organization());
  const { client: admin } = await owner.as('admin');
  const list = `/v1/organizations/${owner.id}/beacons/`;
  const name = unique('beacon').replace(' ', '-');
  const { body } = await admin.post(list, { name, allowed_cidrs: NETWORKS });
  return { tenant: owner, admin, id: body.id, name, token: body.beacon_token, path: `${list}${body.id}` };
}

const as = (id: number, secret: string): Client => make.withCredentials({ accessKey: String(id), secret });

async function tokenFor({ admin, path }: Fixture, purpose: 'registration' | 'deletion'): Promise<string> {
  const { status, body } = await admin.post(`${path}/${purpose}`);
  expect(status).toBe(201);
  return body.token;
}

const register = (id: number, token: string, body: object = {}) =>
  as(id, token).post('/v1/beacons/register', { beacon_token: agentToken(), ...body });

async function entriesOf({ tenant }: Fixture, operation: string) {
  const { client } = await tenant.as('owner');
  return (await client.get(`/v1/audit-logs/?operation=${operation}&per_page=100`)).body.audit_logs;
}

describe('registering an agent', () => {
  it('replaces the token of the beacon, and is in the audit log without a secret', async () => {
    const beacon = await withBeacon();
    const token = await tokenFor(beacon, 'registration');
    expect(token).toMatch(new RegExp(`^ar_${beacon.id}_[A-Za-z0-9_-]{43}$`));
    const own = agentToken();
    const answer = await register(beacon.id, token, { beacon_token: own, name: beacon.name });
    expect([answer.status, answer.body]).toEqual([200, { allowed_cidrs: NETWORKS, version: 1 }]);
    expect((await as(beacon.id, own).post('/v1/beacons/report', {})).status).toBe(200);
    expect((await as(beacon.id, beacon.token).post('/v1/beacons/report', {})).status).toBe(401);
    const [entry] = await entriesOf(beacon, 'beacon.register');
    expect(entry).toMatchObject({
      status: 'success',
      resource_id: String(beacon.id),
      metadata: { name: beacon.name, allowed_cidrs: NETWORKS },
    });
    const rows = await query<{ text: string }>(
      `SELECT b::text AS text FROM beacons b WHERE id = $1 UNION ALL
       SELECT l::text FROM audit_logs l WHERE resource_type = 'beacon' AND resource_id = $2`,
      [beacon.id, String(beacon.id)],
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { text } of rows) for (const secret of [token, own]) expect(text).not.toContain(secret.slice(-43));
  });

  it('lets exactly one of twenty agents register, which may repeat its request, and no other one later', async () => {
    const beacon = await withBeacon();
    const token = await tokenFor(beacon, 'registration');
    const tokens = Array.from({ length: 20 }, agentToken);
    const answers = await Promise.all(tokens.map((own) => register(beacon.id, token, { beacon_token: own })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const winner = tokens[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await register(beacon.id, token, { beacon_token: winner })).status).toBe(200);
    const other = await register(beacon.id, token);
    expect([other.status, other.body.description]).toEqual([
      409,
      'Another agent has registered with this token. Create a registration token for this agent.',
    ]);
    expect((await as(beacon.id, winner).post('/v1/beacons/report', {})).status).toBe(200);
  });

  it('refuses tokens that have ended, were replaced, belong to another beacon or organization, or have another purpose', async () => {
    const tenant = await make.organization();
    const [beacon, neighbor, foreign] = [await withBeacon(tenant), await withBeacon(tenant), await withBeacon()];
    const replaced = await tokenFor(beacon, 'registration');
    const token = await tokenFor(beacon, 'registration');
    const deletion = await tokenFor(beacon, 'deletion');
    const refused: [number, string][] = [
      [beacon.id, replaced],
      [beacon.id, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
      [beacon.id, await tokenFor(neighbor, 'registration')],
      [beacon.id, await tokenFor(foreign, 'registration')],
      [neighbor.id, token],
      [foreign.id, token],
      [2_147_483_647, token],
      [beacon.id, deletion],
      [beacon.id, beacon.token],
      [beacon.id, 'ar_'],
    ];
    for (const [id, secret] of refused) expect([secret, (await register(id, secret)).status]).toEqual([secret, 401]);
    for (const secret of [token, deletion]) {
      expect((await as(beacon.id, secret).post('/v1/beacons/report', {})).status).toBe(401);
      expect((await as(beacon.id, secret).get('/v1/beacons/connect')).status).toBe(401);
    }
    await query("UPDATE beacons SET registration_until = now() - interval '1 ms' WHERE id = $1", [beacon.id]);
    const late = await register(beacon.id, token);
    expect([late.status, late.body.description]).toEqual([401, expect.stringContaining('It ends after an hour')]);
    expect((await as(beacon.id, beacon.token).post('/v1/beacons/report', {})).status).toBe(200);
  });

  it('never widens the networks, and keeps those that the agent and the beacon share', async () => {
    const beacon = await withBeacon();
    const registerWith = async (networks: string[]) =>
      register(beacon.id, await tokenFor(beacon, 'registration'), { networks });
    const none = await registerWith(['10.21.0.0/16', '192.168.0.0/16']);
    expect([none.status, none.body.description]).toEqual([
      422,
      'None of the networks 10.21.0.0/16, 192.168.0.0/16 is inside those of the beacon: 10.20.0.0/16, fd00:20::/48. Correct one of them.',
    ]);
    expect((await registerWith(['0.0.0.0/0', '::/0'])).body).toEqual({ allowed_cidrs: NETWORKS, version: 1 });
    const lower = await registerWith(['10.20.7.0/24', '127.0.0.0/8', '10.0.0.0/8']);
    expect(lower.body).toEqual({ allowed_cidrs: ['10.20.7.0/24', '10.20.0.0/16'], version: 2 });
    expect((await registerWith(['10.20.7.0/24'])).body).toEqual({ allowed_cidrs: ['10.20.7.0/24'], version: 3 });
    expect((await registerWith(['10.20.0.0/16'])).body).toEqual({ allowed_cidrs: ['10.20.7.0/24'], version: 3 });
    expect((await beacon.admin.get(beacon.path)).body).toMatchObject({ allowed_cidrs: ['10.20.7.0/24'], version: 3 });
  });

  it.each([
    [{ beacon_token: 'ab_short' }, 400, 'beacon_token must be ab_ and 32 random bytes in base64url.'],
    [{ networks: ['10.0.0.1/8'] }, 400, 'networks has bits set beyond its prefix'],
    [{ allowed_cidrs: ['10.0.0.0/8'] }, 400, '"allowed_cidrs" is not a field'],
    [{ name: 'other' }, 409, 'The registration token is for the beacon beacon'],
  ])('refuses %j, and the token can still be used', async (body, status, sentence) => {
    const beacon = await withBeacon();
    const token = await tokenFor(beacon, 'registration');
    const answer = await register(beacon.id, token, body);
    expect([answer.status, answer.body.description]).toEqual([status, expect.stringContaining(sentence)]);
    expect((await register(beacon.id, token)).status).toBe(200);
  });

  it('is repeated with another token of the beacon when its agent is lost, which keeps the beacon', async () => {
    const beacon = await withBeacon();
    const first = agentToken();
    await register(beacon.id, await tokenFor(beacon, 'registration'), { beacon_token: first });
    expect((await register(beacon.id, await tokenFor(beacon, 'registration'))).status).toBe(200);
    expect((await as(beacon.id, first).post('/v1/beacons/report', {})).status).toBe(401);
  });
});

describe('a token of one use', () => {
  it.each(['registration', 'deletion'] as const)(
    'does nothing when its maker is no admin any more: %s',
    async (purpose) => {
      const beacon = await withBeacon();
      const use = (token: string) =>
        purpose === 'registration' ? register(beacon.id, token) : as(beacon.id, token).delete('/v1/beacons/self');
      const { client: admin, userId } = await beacon.tenant.as('admin');
      const token = await tokenFor({ ...beacon, admin }, purpose);
      const { client: owner } = await beacon.tenant.as('owner');
      const member = `/v1/organizations/${beacon.tenant.id}/members/${userId}`;
      for (const change of [() => owner.patch(member, { role: 'member' }), () => owner.delete(member)]) {
        expect((await change()).status).toBeLessThan(300);
        const answer = await use(token);
        expect([answer.status, answer.body.description]).toEqual([401, expect.stringContaining('is no admin of')]);
      }
      expect((await as(beacon.id, beacon.token).post('/v1/beacons/report', {})).status).toBe(200);
      expect((await use(await tokenFor(beacon, purpose))).status).toBeLessThan(300);
    },
  );

  it.each(['registration', 'deletion'] as const)(
    'ends with a rotation of the token of the beacon: %s',
    async (purpose) => {
      const beacon = await withBeacon();
      const token = await tokenFor(beacon, purpose);
      expect((await beacon.admin.post(`${beacon.path}/token`, {})).status).toBe(200);
      expect((await register(beacon.id, token)).status).toBe(401);
      expect((await as(beacon.id, token).delete('/v1/beacons/self')).status).toBe(401);
      expect((await beacon.admin.get(beacon.path)).status).toBe(200);
    },
  );
});

describe('a deletion token', () => {
  it('deletes its beacon, and nothing else', async () => {
    const tenant = await make.organization();
    const [beacon, neighbor] = [await withBeacon(tenant), await withBeacon(tenant)];
    const replaced = await tokenFor(beacon, 'deletion');
    const token = await tokenFor(beacon, 'deletion');
    const refused: [number, string][] = [
      [beacon.id, replaced],
      [neighbor.id, token],
      [beacon.id, await tokenFor(beacon, 'registration')],
      [beacon.id, beacon.token],
    ];
    for (const [id, secret] of refused) expect((await as(id, secret).delete('/v1/beacons/self')).status).toBe(401);
    expect((await as(beacon.id, token).delete('/v1/beacons/self')).status).toBe(204);
    expect((await as(beacon.id, token).delete('/v1/beacons/self')).status).toBe(401);
    expect((await beacon.admin.get(beacon.path)).status).toBe(404);
    expect((await neighbor.admin.get(neighbor.path)).status).toBe(200);
    expect(await entriesOf(beacon, 'beacon.delete')).toMatchObject([
      { status: 'success', resource_id: String(beacon.id), metadata: { name: beacon.name } },
    ]);
  });

  it('ends after an hour', async () => {
    const beacon = await withBeacon();
    const token = await tokenFor(beacon, 'deletion');
    await query("UPDATE beacons SET deletion_until = now() - interval '1 ms' WHERE id = $1", [beacon.id]);
    expect((await as(beacon.id, token).delete('/v1/beacons/self')).status).toBe(401);
    expect((await beacon.admin.get(beacon.path)).status).toBe(200);
  });
});

describe('an agent that stops', () => {
  const statusOf = async ({ admin, path }: Fixture): Promise<number> => (await admin.get(path)).body.status;

  it('sets its beacon to offline, unless another agent is connected, and the next agent to online', async () => {
    const beacon = await withBeacon();
    const [first, second] = [await connectAgent(api.port, beacon), await connectAgent(api.port, beacon)];
    await eventually(async () => expect(await statusOf(beacon)).toBe(1));
    await first.goodbye();
    first.socket.close();
    await eventually(async () => {
      const rows = await query('SELECT 1 FROM beacon_connections WHERE beacon_id = $1', [beacon.id]);
      expect(rows).toHaveLength(1);
    });
    expect(await statusOf(beacon)).toBe(1);
    await second.goodbye();
    second.socket.close();
    await eventually(async () => expect(await statusOf(beacon)).toBe(3));
    await connectAgent(api.port, beacon);
    await eventually(async () => expect(await statusOf(beacon)).toBe(1));
  });

  it('without a goodbye leaves the status to missed reports', async () => {
    const beacon = await withBeacon();
    const agent = await connectAgent(api.port, beacon);
    await eventually(async () => expect(await statusOf(beacon)).toBe(1));
    agent.socket.terminate();
    await eventually(async () => expect((await beacon.admin.get(beacon.path)).body.connected).toBe(false));
    expect(await statusOf(beacon)).toBe(1);
  });
});
