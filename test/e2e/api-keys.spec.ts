import type { Answer, Client } from '../support/client';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, unique } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const days = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString();

const create = (client: Client, body: object = {}): Promise<Answer> =>
  client.post('/v1/api-keys/', { label: unique('Key'), scopes: ['write'], ...body });

const clientOf = ({ body }: Answer): Client =>
  make.withCredentials({ accessKey: body.access_key, secret: body.secret });

const owner = async () => {
  const tenant = await make.organization();
  return { tenant, ...(await tenant.as('owner')) };
};

describe('an API key that a key creates', () => {
  it('works at once; only the response to its creation has the secret, and the list has everything else', async () => {
    const { client, tenant, credentials } = await owner();
    const body = { label: 'Pipeline', scopes: ['ci'], organization_id: tenant.id, expires: '2099-01-01' };
    const created = await create(client, body);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ ...body, expires: '2099-01-01T23:59:59.999Z', secret: expect.any(String) });
    expect((await clientOf(created).get('/v1/me')).body.key.label).toBe('Pipeline');
    const { body: list, text } = await client.get('/v1/api-keys/?count=true');
    expect(list.api_keys[0]).toMatchObject({ id: created.body.id, created_by: credentials.accessKey, secret: null });
    expect(list.api_keys).toHaveLength(2);
    expect(text).not.toContain(created.body.secret);
    const log = await client.get('/v1/audit-logs/?operation=api_key.create');
    expect(log.body.audit_logs[0]).toMatchObject({ resource_id: created.body.access_key, status: 'success' });
    expect(log.text).not.toContain(created.body.secret);
  });

  it('is returned without its secret when the request is repeated', async () => {
    const { client } = await owner();
    const send = () => client.post('/v1/api-keys/', { label: 'x', scopes: ['read'] }, { 'idempotency-key': 'same' });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual({ ...first.body, secret: null });
  });

  it.each([['read'], ['ci'], ['read,ci']])('is refused to a key with the scope %s', async (scopes) => {
    const { userId } = await owner();
    const { client } = await make.person(userId, { scopes: scopes.split(',') as ('read' | 'ci')[] });
    expect((await create(client, { scopes: ['ci'] })).status).toBe(403);
  });

  it.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['read', 'read'] }, 'without repetitions'],
    [{ scopes: ['admin'] }, 'read, write, ci'],
    [{ label: ' ' }, 'label'],
    [{ expires: '2020-01-01' }, 'is in the past'],
    [{ expires: 'soon' }, 'ISO 8601'],
  ])('is refused with %j', async (body, sentence) => {
    const { client } = await owner();
    const { status, text } = await create(client, body);
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('ends when that key ends, by default and at the latest', async () => {
    const { userId } = await owner();
    const expires = new Date(Date.now() + 10 * 86_400_000);
    const { client } = await make.person(userId, { expires });
    expect((await create(client)).body.expires).toBe(expires.toISOString());
    expect((await create(client, { expires: null })).body.expires).toBe(expires.toISOString());
    expect((await create(client, { expires: days(9) })).status).toBe(201);
    const refused = await create(client, { expires: days(11) });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(expires.toISOString())]);
  });

  it('has the same limit to an organization, and sees and changes no key without it', async () => {
    const { userId, tenant, client: unlimited } = await owner();
    const second = await make.organization();
    await make.membership(userId, second.id, 'owner');
    const { client } = await make.person(userId, { limitedTo: tenant.id });
    const created = await create(client);
    expect(created.body.organization_id).toBe(tenant.id);
    expect((await create(client, { organization_id: second.id })).status).toBe(404);
    expect((await create(unlimited, { organization_id: second.id })).status).toBe(201);
    const { api_keys } = (await client.get('/v1/api-keys/')).body;
    expect(api_keys.map((key: { organization_id: number }) => key.organization_id)).toEqual([tenant.id, tenant.id]);
    const all = (await unlimited.get('/v1/api-keys/')).body.api_keys;
    const other = all.find((key: { organization_id: number | null }) => key.organization_id === null);
    expect((await client.delete(`/v1/api-keys/${other.id}`)).status).toBe(404);
    expect((await client.post(`/v1/api-keys/${other.id}/rotate`, {})).status).toBe(404);
  });

  it('is revoked with that key, and so are the keys that it created itself, also after a rotation', async () => {
    const { client } = await owner();
    const child = await create(client);
    const grandchild = await create(clientOf(child));
    const rotated = await client.post(`/v1/api-keys/${grandchild.body.id}/rotate`, {});
    expect((await clientOf(rotated).get('/v1/me')).status).toBe(200);
    expect((await client.delete(`/v1/api-keys/${child.body.id}`)).status).toBe(200);
    for (const key of [child, grandchild, rotated]) expect((await clientOf(key).get('/v1/me')).status).toBe(401);
    expect((await client.get('/v1/me')).status).toBe(200);
    expect((await client.delete(`/v1/api-keys/${child.body.id}`)).status).toBe(409);
  });

  it('does not survive when it is created while that key is being revoked', async () => {
    const { client } = await owner();
    const parent = await create(client);
    const creator = clientOf(await create(clientOf(parent)));
    await creator.get('/v1/me');
    await Promise.all([
      ...Array.from({ length: 10 }, () => create(creator)),
      client.delete(`/v1/api-keys/${parent.body.id}`),
      ...Array.from({ length: 10 }, () => create(creator)),
    ]);
    const { api_keys } = (await client.get('/v1/api-keys/?per_page=100')).body;
    expect(api_keys.filter((key: { revoked: string | null }) => key.revoked === null)).toHaveLength(1);
  });

  it('is refused beyond 50 usable keys of a user, also to concurrent requests', async () => {
    const { client, userId } = await owner();
    await query(
      `INSERT INTO api_keys (access_key, secret_hash, user_id, label, scopes)
       SELECT 'ak_' || gen_random_uuid(), '\\x00', $1, 'x', '{read}' FROM generate_series(1, 44)`,
      [userId],
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(client)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(15);
  });
});

describe('the rotation of a key', () => {
  it('returns a new secret for the same key, and the old one is valid only during the overlap', async () => {
    const { client } = await owner();
    const created = await create(client);
    const [old, id] = [clientOf(created), created.body.id as number];
    const rotated = await old.post(`/v1/api-keys/${id}/rotate`, {});
    expect(rotated.body.access_key).toBe(created.body.access_key);
    expect(rotated.body.secret).not.toBe(created.body.secret);
    const overlap = Date.parse(rotated.body.previous_secret_expires) - Date.now();
    expect(Math.round(overlap / 3_600_000)).toBe(24);
    expect((await old.get('/v1/me')).status).toBe(200);
    await query("UPDATE api_keys SET previous_secret_until = now() - interval '1 second' WHERE id = $1", [id]);
    // Another secret, so that no cached caller answers.
    await clientOf(rotated).post(`/v1/api-keys/${(await create(clientOf(rotated))).body.id}/rotate`, {});
    expect((await old.get('/v1/me')).status).toBe(401);
    expect((await clientOf(rotated).get('/v1/me')).status).toBe(200);
  });

  it('with an overlap of 0, or a second rotation, ends the old secret at once', async () => {
    const { client } = await owner();
    const first = await create(client);
    const path = `/v1/api-keys/${first.body.id}/rotate`;
    expect((await clientOf(first).get('/v1/me')).status).toBe(200);
    const second = await client.post(path, { overlap_hours: 0 });
    expect((await clientOf(first).get('/v1/me')).status).toBe(401);
    const third = await client.post(path, { overlap_hours: 168 });
    expect((await clientOf(second).get('/v1/me')).status).toBe(200);
    await client.post(path, {});
    expect((await clientOf(second).get('/v1/me')).status).toBe(401);
    expect((await clientOf(third).get('/v1/me')).status).toBe(200);
  });

  it('leaves the old secret without the right to create and rotate keys', async () => {
    const { client } = await owner();
    const created = await create(client);
    const old = clientOf(created);
    await client.post(`/v1/api-keys/${created.body.id}/rotate`, {});
    expect((await create(old)).body.description).toContain('replaced by a rotation');
    expect((await old.post(`/v1/api-keys/${created.body.id}/rotate`, {})).status).toBe(403);
    expect((await old.delete(`/v1/api-keys/${created.body.id}`)).status).toBe(200);
  });

  it('is allowed for the key itself and the keys that it created, and not for others', async () => {
    const { client, credentials } = await owner();
    const child = await create(client);
    const { api_keys } = (await client.get('/v1/api-keys/')).body;
    const parent = api_keys.find((key: { access_key: string }) => key.access_key === credentials.accessKey);
    expect((await clientOf(child).post(`/v1/api-keys/${parent.id}/rotate`, {})).status).toBe(403);
    expect((await clientOf(child).post(`/v1/api-keys/${child.body.id}/rotate`, {})).status).toBe(200);
  });

  it('is refused for a revoked or expired key, and with an overlap of more than seven days', async () => {
    const { client } = await owner();
    const revoked = (await create(client)).body.id;
    await client.delete(`/v1/api-keys/${revoked}`);
    expect((await client.post(`/v1/api-keys/${revoked}/rotate`, {})).status).toBe(409);
    const expired = (await create(client, { expires: days(1) })).body.id;
    await query("UPDATE api_keys SET expires = now() - interval '1 second' WHERE id = $1", [expired]);
    expect((await client.post(`/v1/api-keys/${expired}/rotate`, {})).status).toBe(409);
    const usable = (await create(client)).body.id;
    expect((await client.post(`/v1/api-keys/${usable}/rotate`, { overlap_hours: 169 })).status).toBe(400);
  });
});
