import { createHash, randomBytes } from 'node:crypto';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { expectWaitingForLocks, lockReads, takeBeaconName } from '../support/row-locks';

const api = useApi();
const make = new Factories(api);

const withKey = (key: string) => ({ 'idempotency-key': key });
const post = '/v1/organizations/';

describe('a POST with an Idempotency-Key', () => {
  it('has its effect once, and returns the same response again', async () => {
    const { client } = await make.integrator();
    const body = { name: unique('Once') };
    const first = await client.post(post, body, withKey('k-1'));
    const second = await client.post('/v1/organizations', body, withKey('k-1'));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect((await client.get(post)).body.organizations).toHaveLength(1);
    const log = await client.get(`/v1/audit-logs/?organization_id=${first.body.id}&operation=organization.create`);
    expect(log.body.total).toBe(1);
  });

  it('has its effect once for twenty simultaneous requests; the others get its response or a 409', async () => {
    const { client } = await make.integrator();
    const body = { name: unique('Twenty') };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(post, body, withKey('k-20'))));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 409)).toBe(true);
    expect((await client.get(post)).body.organizations).toHaveLength(1);
  });

  it('is refused with a different body', async () => {
    const { client } = await make.integrator();
    await client.post(post, { name: unique('A') }, withKey('k-2'));
    const answer = await client.post(post, { name: unique('B') }, withKey('k-2'));
    expect(answer.status).toBe(422);
    expect(answer.body.description).toContain('Idempotency-Key');
  });

  it('is refused with another query', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const path = `/v1/organizations/${tenant.id}/findings/selections`;
    const body = { action: { add_labels: ['picked'] } };
    for (const severity of ['critical', 'info'] as const) await make.finding(tenant.id, { severity });
    const first = await client.post(`${path}?severity=critical`, body, withKey('k-11'));
    const other = await client.post(`${path}?severity=info`, body, withKey('k-11'));
    expect([first.status, other.status]).toEqual([201, 422]);
    const again = await client.post(`${path}?severity=critical`, body, withKey('k-11'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('keeps its claim while it runs, and has no effect if another request has finished with the claim', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const path = `/v1/organizations/${tenant.id}/beacons/`;
    const body = { name: 'slow-office', allowed_cidrs: ['10.1.0.0/16'] };
    const release = await lockReads('beacons');
    const slow = client.post(path, body, withKey('k-12'));
    await expectWaitingForLocks(1);
    await query("UPDATE idempotency_keys SET created = now() - interval '2 minutes' WHERE key = 'k-12'");
    const renewed = "SELECT 1 FROM idempotency_keys WHERE key = 'k-12' AND created > now() - interval '30 seconds'";
    await eventually(async () => expect(await query(renewed)).toHaveLength(1));
    expect((await client.post(path, body, withKey('k-12'))).status).toBe(409);
    await query("UPDATE idempotency_keys SET status = 201, body = '{}' WHERE key = 'k-12'");
    await release();
    expect((await slow).status).toBe(409);
    expect((await client.get(path)).body.beacons).toEqual([]);
  });

  it('has no effect if its process was stopped and another request has begun meanwhile', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const path = `/v1/organizations/${tenant.id}/beacons/`;
    const body = { name: 'stopped-office', allowed_cidrs: ['10.1.0.0/16'] };
    const release = await lockReads('beacons');
    const stopped = client.post(path, body, withKey('k-13'));
    await expectWaitingForLocks(1);
    // Its lease ends, and a repeat in another process claims the request and runs.
    await query("UPDATE idempotency_keys SET token = gen_random_uuid(), created = now() WHERE key = 'k-13'");
    await release();
    expect((await stopped).status).toBe(409);
    expect((await client.get(path)).body.beacons).toEqual([]);
    expect(await query("SELECT status FROM idempotency_keys WHERE key = 'k-13'")).toEqual([{ status: null }]);
  });

  it('is a 503 with Retry-After while it is unknown whether it has ended, and runs again then', async () => {
    const { client, credentials } = await make.integrator();
    const silentFor = (seconds: number): Promise<object[]> =>
      query(
        `INSERT INTO idempotency_keys (api_key_id, path, key, request_hash, token, created)
         SELECT id, $3, 'k-14', '\\x00', gen_random_uuid(), now() - make_interval(secs => $2) FROM api_keys WHERE access_key = $1
         ON CONFLICT (api_key_id, path, key) DO UPDATE SET created = excluded.created`,
        [credentials.accessKey, seconds, createHash('sha256').update('/v1/organizations').digest('base64url')],
      );
    const send = () => client.post(post, { name: unique('Unknown') }, withKey('k-14'));
    await silentFor(6);
    const unknown = await send();
    expect([unknown.status, Number(unknown.headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
    expect(Number(unknown.headers.get('retry-after'))).toBeLessThanOrEqual(4);
    await silentFor(11);
    expect((await send()).status).toBe(201);
  });

  it('may be sent again, corrected, after a refusal', async () => {
    const { client } = await make.integrator();
    expect((await client.post(post, { name: '' }, withKey('k-3'))).status).toBe(400);
    expect((await client.post(post, { name: unique('Corrected') }, withKey('k-3'))).status).toBe(201);
  });

  it('is a separate request for another caller', async () => {
    const one = await make.integrator();
    const other = await make.integrator();
    const body = { name: unique('Shared') };
    const first = await one.client.post(post, body, withKey('k-4'));
    const second = await other.client.post(post, body, withKey('k-4'));
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it.each(['', ' ', 'a b', 'x'.repeat(256)])('is refused when the key is %j', async (key) => {
    const { client } = await make.integrator();
    expect((await client.post(post, { name: unique('Bad key') }, withKey(key))).status).toBe(400);
  });

  it('is stored with a digest of its path, which may be longer than an index entry', async () => {
    const { client } = await make.integrator();
    const path = `/v1/organizations/${randomBytes(3_500).toString('hex')}/beacons/`;
    const answer = await client.post(path, { name: 'x', allowed_cidrs: ['10.0.0.0/8'] }, withKey('k-9'));
    expect(answer.status).toBe(404);
  });

  it('is in progress until it is answered, and can be repeated after its process was lost', async () => {
    const { client, credentials } = await make.integrator();
    const body = { name: unique('Cut off') };
    const begin = (age: string): Promise<object[]> =>
      query(
        `INSERT INTO idempotency_keys (api_key_id, path, key, request_hash, created)
         SELECT id, $3, 'k-5', '\\x00', now() - $2::interval FROM api_keys WHERE access_key = $1
         ON CONFLICT (api_key_id, path, key) DO UPDATE SET created = excluded.created`,
        [credentials.accessKey, age, createHash('sha256').update('/v1/organizations').digest('base64url')],
      );
    await begin('1 second');
    expect((await client.post(post, body, withKey('k-5'))).status).toBe(409);
    await begin('2 minutes');
    expect((await client.post(post, body, withKey('k-5'))).status).toBe(201);
  });

  it('keeps the response that another process has stored, also if this process fails afterwards', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const path = `/v1/organizations/${tenant.id}/beacons/`;
    const { body: stored } = await client.post(path, { name: 'first', allowed_cidrs: ['10.1.0.0/16'] });
    const body = { name: 'office', allowed_cidrs: ['10.1.0.0/16'] };
    const release = await takeBeaconName(tenant.id, body.name);
    const slow = client.post(path, body, withKey('k-10'));
    await expectWaitingForLocks(1);
    // As a process does that has claimed the request after the first one took too long.
    await query("UPDATE idempotency_keys SET status = 201, body = $1 WHERE key = 'k-10'", [stored]);
    await release();
    expect((await slow).status).toBe(409);
    const retry = await client.post(path, body, withKey('k-10'));
    expect([retry.headers.get('idempotency-replayed'), retry.body]).toEqual(['true', stored]);
  });

  it('does not return a stored response of a deleted organization', async () => {
    const { client } = await make.integrator();
    const body = { name: unique('Gone') };
    const { id } = (await client.post(post, body, withKey('k-7'))).body;
    const path = `/v1/organizations/${id}/beacons/`;
    const beacon = { name: 'office', allowed_cidrs: ['10.1.0.0/16'] };
    await client.post(path, beacon, withKey('k-8'));
    await client.delete(`/v1/organizations/${id}/`);
    expect((await client.post(path, beacon, withKey('k-8'))).status).toBe(404);
    expect((await client.post(post, body, withKey('k-7'))).status).toBe(404);
  });

  it('returns a secret only in the first response, not to a retry', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const path = `/v1/organizations/${tenant.id}/beacons/`;
    const body = { name: 'office', allowed_cidrs: ['10.1.0.0/16'] };
    const first = await admin.client.post(path, body, withKey('k-6'));
    const second = await admin.client.post(path, body, withKey('k-6'));
    expect(first.body.beacon_token).toEqual(expect.any(String));
    expect(second.body).toEqual({ ...first.body, beacon_token: null, wireguard_config: null });
    const stored = await query<{ text: string }>('SELECT body::text AS text FROM idempotency_keys');
    expect(stored.map(({ text }) => text).join()).not.toContain(first.body.beacon_token);
  });
});
