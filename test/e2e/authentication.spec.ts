import { request as httpRequest } from 'node:http';
import { Clock } from '../../src/kernel/clock';
import { IdentityService } from '../../src/modules/identity';
import { KeysRepository } from '../../src/modules/identity/data/keys.repository';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { system } from '../../src/platform/api/caller';
import { operatorScope } from '../../src/apps/cli/run-in-domain';
import { startApi, useApi } from '../support/api';
import { startApiProcess } from '../support/processes';
import { Client, type Credentials, basic } from '../support/client';
import { query, testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Sends the headers exactly as given, also duplicates. */
function raw(
  path: string,
  headers: string[],
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port: api.port, path, headers: ['Host', 'localhost', ...headers] }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on('error', reject).end();
  });
}

describe('credentials', () => {
  let good: Credentials;
  beforeAll(async () => {
    good = (await (await make.organization()).as('viewer')).credentials;
  });

  const accepted: [string, (token: string) => string][] = [
    ['in the usual form', (token) => `Basic ${token}`],
    ['with the scheme in lower case', (token) => `basic ${token}`],
    ['with the scheme in upper case', (token) => `BASIC ${token}`],
    ['with two spaces', (token) => `Basic  ${token}`],
  ];
  it.each(accepted)('are accepted %s', async (_name, header) => {
    const token = base64(`${good.accessKey}:${good.secret}`);
    expect((await raw('/v1/me', ['Authorization', header(token)])).status).toBe(200);
  });

  const refused: [string, (key: Credentials) => string[]][] = [
    ['none', () => []],
    ['an empty header', () => ['Authorization', '']],
    ['the scheme alone', () => ['Authorization', 'Basic']],
    [
      'a scheme that contains basic',
      (key) => ['Authorization', `NotBasicX ${base64(`${key.accessKey}:${key.secret}`)}`],
    ],
    ['another scheme', (key) => ['Authorization', `Bearer ${key.secret}`]],
    ['something after the secret', (key) => ['Authorization', basic({ ...key, secret: `${key.secret}:junk` })]],
    ['something after the token', (key) => ['Authorization', `${basic(key)} junk`]],
    [
      'a wrong secret',
      (key) => [
        'Authorization',
        basic({ ...key, secret: `${key.secret.slice(0, -1)}${key.secret.endsWith('x') ? 'y' : 'x'}` }),
      ],
    ],
    ['an empty secret', (key) => ['Authorization', basic({ ...key, secret: '' })]],
    ['an empty key', (key) => ['Authorization', basic({ ...key, accessKey: '' })]],
    ['an unknown key', (key) => ['Authorization', basic({ ...key, accessKey: 'ak_00000000000000000000' })]],
    ['no colon', () => ['Authorization', `Basic ${base64('nothing')}`]],
    ['invalid base64', () => ['Authorization', 'Basic !!!!']],
    ['invalid UTF-8', () => ['Authorization', `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString('base64')}`]],
    ['U+0000 in the key', (key) => ['Authorization', `Basic ${base64(`${key.accessKey}\0:${key.secret}`)}`]],
    ['the header twice', (key) => ['Authorization', basic(key), 'Authorization', basic(key)]],
    ['a very long key', () => ['Authorization', `Basic ${base64(`${'k'.repeat(5_000)}:s`)}`]],
  ];
  it.each(refused)('are refused with an identical response: %s', async (_name, headers) => {
    const reference = await raw('/v1/me', [
      'Authorization',
      basic({ accessKey: 'ak_11111111111111111111', secret: 'as_x' }),
    ]);
    const answer = await raw('/v1/me', headers(good));
    expect(answer.status).toBe(401);
    expect(answer.text).toBe(reference.text);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="assay", charset="UTF-8"');
  });

  it.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/organizations/1',
    '/v1/%ff',
    '/v1/assets/%zz',
    '/v1//me',
    '/v1/me/../me',
  ])('are required at %s too, whether the path exists or not', async (path) => {
    expect((await raw(path, [])).status).toBe(401);
  });
});

describe('a key', () => {
  it('that has expired or is revoked is refused, with an audit entry in its organization', async () => {
    const tenant = await make.organization();
    const owner = await tenant.as('owner');
    const { userId } = await tenant.as('viewer');
    const expired = await make.key(userId, { expires: new Date(Date.now() + 86_400_000) });
    await query("UPDATE api_keys SET expires = now() - interval '1 second' WHERE access_key = $1", [expired.accessKey]);
    expect((await make.withCredentials(expired).get('/v1/me')).status).toBe(401);
    await eventually(async () => {
      const log = await owner.client.get(`/v1/audit-logs/?operation=api_key.authenticate&actor_id=${userId}`);
      expect(log.body.audit_logs[0]).toMatchObject({ status: 'failure', resource_id: expired.accessKey });
      expect(JSON.stringify(log.body)).not.toContain(expired.secret);
    });
  });

  it('that expires while it is cached is refused from that moment on', async () => {
    const userId = await make.user();
    await make.membership(userId, (await make.organization()).id, 'viewer');
    const expires = new Date(Date.now() + 60_000);
    const { client } = await make.person(userId, { expires });
    expect((await client.get('/v1/me')).status).toBe(200);
    const clock = jest.spyOn(api.app.get(Clock), 'now').mockReturnValue(expires);
    try {
      expect((await client.get('/v1/me')).status).toBe(401);
    } finally {
      clock.mockRestore();
    }
    expect((await client.get('/v1/me')).status).toBe(200);
  });

  it('limited to one organization sees only that organization', async () => {
    const userId = await make.user();
    const one = await make.organization();
    const two = await make.organization();
    await make.membership(userId, one.id, 'admin');
    await make.membership(userId, two.id, 'admin');
    const limited = await make.person(userId, { limitedTo: one.id });
    expect((await limited.client.get('/v1/organizations/')).body.organizations).toEqual([
      { id: one.id, name: one.name },
    ]);
    expect((await limited.client.get(`/v1/audit-logs/?organization_id=${two.id}`)).status).toBe(404);
    expect((await limited.client.get('/v1/audit-logs/')).status).toBe(200);
  });

  it('of an integrator, limited to one organization, sees only that organization', async () => {
    const { client, userId } = await make.integrator();
    const [one, two] = [
      (await client.post('/v1/organizations/', { name: unique('One') })).body,
      (await client.post('/v1/organizations/', { name: unique('Two') })).body,
    ];
    const limited = await make.person(userId, { limitedTo: one.id });
    const { organizations } = (await limited.client.get('/v1/organizations/')).body;
    expect(organizations.map(({ id }: { id: number }) => id)).toEqual([one.id]);
    expect((await limited.client.get(`/v1/organizations/${one.id}/events/`)).status).toBe(200);
    expect((await limited.client.get(`/v1/organizations/${two.id}/events/`)).status).toBe(404);
  });

  it('is refused with a wrong secret although the right one is cached', async () => {
    const { credentials, client } = await make.integrator();
    expect((await client.get('/v1/me')).status).toBe(200);
    const guessing = make.withCredentials({ ...credentials, secret: 'as_wrong' });
    expect((await guessing.get('/v1/me')).status).toBe(401);
    expect((await client.get('/v1/me')).status).toBe(200);
  });

  const allowed: [string, string, string, number][] = [
    ['read', 'GET', '/v1/organizations/', 200],
    ['read', 'POST', '/v1/organizations/', 403],
    ['write', 'GET', '/v1/organizations/', 200],
    ['write', 'POST', '/v1/organizations/', 400],
    ['ci', 'GET', '/v1/organizations/', 403],
    ['ci', 'POST', '/v1/organizations/', 403],
    ['ci', 'GET', '/v1/me', 200],
    ['ci', 'GET', '/v1/version', 200],
    ['ci', 'GET', '/v1/enums', 403],
  ];
  it.each(allowed)('with scope %s: %s %s is %i', async (scope, method, path, status) => {
    const { client } = await make.integrator({ scopes: [scope as 'read'] });
    expect((await client.send(method, path, method === 'POST' ? {} : undefined)).status).toBe(status);
  });

  it('has its last use recorded, and its secret is not stored', async () => {
    const { credentials, client } = await make.integrator();
    await client.get('/v1/me');
    await eventually(async () => {
      const [row] = await query<{ last_used: Date | null; row: string }>(
        'SELECT last_used, api_keys::text AS row FROM api_keys WHERE access_key = $1',
        [credentials.accessKey],
      );
      expect(row?.last_used).not.toBeNull();
      expect(row?.row).not.toContain(credentials.secret);
    });
  });
});

describe('two processes on one database', () => {
  it('both refuse a key that one of them revoked', async () => {
    const other = await startApiProcess();
    try {
      const { credentials, client } = await make.integrator();
      const there = new Client(() => other.url, credentials);
      expect((await client.get('/v1/me')).status).toBe(200);
      expect((await there.get('/v1/me')).status).toBe(200);
      await api.app
        .get(UnitOfWork)
        .run(
          { actor: system, operation: 'api_key.revoke', resourceType: 'api_key', resourceId: credentials.accessKey },
          operatorScope,
          () => api.app.get(IdentityService).revokeKey(credentials.accessKey),
        );
      for (const where of [client, there]) {
        await eventually(async () => expect((await where.get('/v1/me')).status).toBe(401));
      }
    } finally {
      other.kill('SIGTERM');
      expect(await other.exited).toBe(0);
    }
  });

  it('both see an organization that one of them has just created', async () => {
    const other = await startApiProcess();
    try {
      const { credentials, client } = await make.integrator();
      const there = new Client(() => other.url, credentials);
      expect((await there.get('/v1/organizations/')).body.organizations).toEqual([]);
      const { id } = (await client.post('/v1/organizations/', { name: 'Seen at once' })).body;
      expect((await there.get('/v1/organizations/')).body.organizations).toEqual([{ id, name: 'Seen at once' }]);
    } finally {
      other.kill('SIGTERM');
      expect(await other.exited).toBe(0);
    }
  });
});

describe('two applications in one process', () => {
  it('check credentials with their own database each', async () => {
    const database = new DatabaseProxy((await testDatabase()).appUrl);
    await database.start();
    // Passport registers the strategy of the application that starts last.
    const other = await startApi({ DATABASE_URL: database.url });
    try {
      const { client, credentials } = await make.integrator();
      await database.disconnect();
      expect((await client.get('/v1/me')).status).toBe(200);
      expect((await new Client(() => other.url, credentials).get('/v1/me')).status).toBe(503);
    } finally {
      await other.app.close();
      await database.disconnect();
    }
  });
});
describe('guessing of credentials', () => {
  it('is slowed down without locking out the key’s owner or others at the same address', async () => {
    const strict = await startApi({ AUTH_FAILURES_PER_MINUTE: '5' });
    try {
      const { credentials } = await make.integrator();
      const guess = (): Promise<{ status: number; headers: Headers }> =>
        new Client(() => strict.url, { ...credentials, secret: 'as_wrong' }).get('/v1/me');
      const statuses: number[] = [];
      for (let index = 0; index < 5; index++) statuses.push((await guess()).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401]);
      const slowed = await guess();
      expect(slowed.status).toBe(429);
      expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await new Client(() => strict.url, credentials).get('/v1/me')).status).toBe(200);
    } finally {
      await strict.app.close();
    }
  });
  it('counts the addresses of an IPv6 network as one', async () => {
    const strict = await startApi({ AUTH_FAILURES_PER_MINUTE: '5', TRUSTED_PROXIES: '127.0.0.1' });
    try {
      let guesses = 0;
      const guess = async (address: string): Promise<number> => {
        const unknown = { accessKey: `ak_${String(guesses++).padStart(20, '0')}`, secret: 'as_wrong' };
        return (await new Client(() => strict.url, unknown).get('/v1/me', { 'x-forwarded-for': address })).status;
      };
      for (let host = 1; host <= 5; host++) expect(await guess(`2001:db8:1:2::${host}`)).toBe(401);
      expect(await guess('2001:db8:1:2:ffff::1')).toBe(429);
      expect(await guess('2001:db8:1:3::1')).toBe(401);
    } finally {
      await strict.app.close();
    }
  });
});

it('caches few callers with very many organizations, so that they do not fill the memory', async () => {
  const tenant = await make.organization();
  const { userId } = await tenant.as('member');
  const keys = await Promise.all(Array.from({ length: 26 }, () => make.person(userId)));
  await query(
    `WITH made AS (INSERT INTO organizations (name, folded_name) SELECT $2 || n, lower($2 || n) FROM generate_series(1, 2000) n RETURNING id),
       joined AS (INSERT INTO memberships (user_id, organization_id, role) SELECT $1, id, 'viewer' FROM made RETURNING organization_id)
     INSERT INTO api_key_organizations (key_id, organization_id, user_id)
     SELECT k.id, j.organization_id, $1 FROM joined j CROSS JOIN api_keys k WHERE k.user_id = $1`,
    [userId, unique('Many')],
  );
  for (const { client } of keys) expect((await client.get('/v1/me')).status).toBe(200);
  const lookUps = jest.spyOn(api.app.get(KeysRepository, { strict: false }), 'findByAccessKey');
  for (const person of [keys.at(-1), keys[0]]) await person?.client.get('/v1/me');
  expect(lookUps.mock.calls).toEqual([[keys[0]?.credentials.accessKey]]);
  lookUps.mockRestore();
  await query(
    'UPDATE organizations SET deleted_at = now() WHERE id IN (SELECT organization_id FROM memberships WHERE user_id = $1)',
    [userId],
  );
});
