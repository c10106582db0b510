import { Client as Postgres } from 'pg';
import { Metrics } from '../../src/platform/metrics/metrics';
import { useApi } from '../support/api';
import { query, testDatabase } from '../support/database';
import { Factories, unique } from '../support/factories';

const api = useApi();
const make = new Factories(api);

type Log = { audit_logs: { id: string; timestamp: string; operation: string; status: string }[]; total: number };

describe('the audit log', () => {
  it('has exactly one entry for a change, with actor, operation, address and API key', async () => {
    const integrator = await make.integrator();
    const { id } = (
      await integrator.client.post(
        '/v1/organizations/',
        { name: unique('Logged') },
        { 'x-request-id': 'req-1', 'user-agent': 'curl/8' },
      )
    ).body;
    const log = (await integrator.client.get(`/v1/audit-logs/?organization_id=${id}`)).body;
    expect(log.total).toBe(1);
    expect(log.audit_logs[0]).toMatchObject({
      actor_type: 'integrator',
      actor_id: String(integrator.userId),
      operation: 'organization.create',
      operation_category: 'organizations',
      resource_type: 'organization',
      resource_id: String(id),
      status: 'success',
      metadata: {
        request_id: 'req-1',
        user_agent: 'curl/8',
        ip: '127.0.0.1',
        api_key: integrator.credentials.accessKey,
      },
    });
    expect(JSON.stringify(log)).not.toContain(integrator.credentials.secret);
  });

  it('has one entry for every refused change, at whatever stage it was refused', async () => {
    const integrator = await make.integrator();
    const { client } = integrator;
    const { id, name } = await (async () => {
      const chosen = unique('Only');
      return { id: (await client.post('/v1/organizations/', { name: chosen })).body.id as number, name: chosen };
    })();
    await client.post('/v1/organizations/', '{"name":');
    await client.post('/v1/organizations/', { name: '' });
    await client.post('/v1/organizations/', { name });
    await client.delete('/v1/organizations/2147483647/');
    await client.delete('/v1/organizations/abc/');
    const readOnly = await make.person(integrator.userId, { scopes: ['read'] });
    await readOnly.client.delete(`/v1/organizations/${id}/`);
    const failures: Log = (await client.get(`/v1/audit-logs/?organization_id=${id}&status=failure`)).body;
    expect(
      failures.audit_logs.map((entry) => [
        entry.operation,
        (entry as never as { metadata: { reason: string } }).metadata.reason,
      ]),
    ).toEqual([
      ['organization.delete', 'forbidden'],
      ['organization.delete', 'not_found'],
      ['organization.delete', 'not_found'],
      ['organization.create', 'conflict'],
      ['organization.create', 'invalid'],
      ['organization.create', 'invalid'],
    ]);
  });

  it('has one entry for every read of the audit log', async () => {
    const owner = await (await make.organization()).as('owner');
    await owner.client.get('/v1/audit-logs/');
    const log = await owner.client.get('/v1/audit-logs/?operation=audit_log.list');
    expect(log.body.total).toBe(1);
  });

  it('is readable only by owners and admins', async () => {
    const tenant = await make.organization();
    const statuses = await Promise.all(
      (['viewer', 'member', 'admin', 'owner'] as const).map(
        async (role) => (await (await tenant.as(role)).client.get('/v1/audit-logs/')).status,
      ),
    );
    expect(statuses).toEqual([403, 403, 200, 200]);
  });

  it('refuses an admin of one organization who is a viewer in another, and records it in the second one’s log', async () => {
    const one = await make.organization();
    const two = await make.organization();
    const userId = await make.user();
    await make.membership(userId, one.id, 'admin');
    await make.membership(userId, two.id, 'viewer');
    const { client } = await make.person(userId);
    expect((await client.get(`/v1/audit-logs/?organization_id=${two.id}`)).status).toBe(403);
    const log = await (await two.as('owner')).client.get('/v1/audit-logs/?operation=audit_log.list&status=failure');
    expect(log.body.audit_logs[0]).toMatchObject({ actor_id: String(userId), metadata: { reason: 'forbidden' } });
  });

  it('requires organization_id from a caller who sees several organizations', async () => {
    const userId = await make.user();
    await make.membership(userId, (await make.organization()).id, 'owner');
    await make.membership(userId, (await make.organization()).id, 'owner');
    const answer = await (await make.person(userId)).client.get('/v1/audit-logs/');
    expect(answer.status).toBe(400);
    expect(answer.body.description).toContain('organization_id');
  });

  it('supports each filter, and pages through every entry once, newest first', async () => {
    const integrator = await make.integrator();
    const { id } = (await integrator.client.post('/v1/organizations/', { name: unique('Filtered') })).body;
    const viewer = await make.member(id, 'viewer');
    for (let index = 0; index < 5; index++) await viewer.client.get(`/v1/audit-logs/?organization_id=${id}`);
    const list = async (filter: string): Promise<Log> =>
      (await integrator.client.get(`/v1/audit-logs/?organization_id=${id}&${filter}`)).body as Log;

    const refusals = `status=failure&actor_id=${viewer.userId}&operation=audit_log.list`;
    expect((await list(refusals)).total).toBe(5);
    expect((await list('operation_category=identity')).total).toBe(2);
    expect((await list(`resource_type=organization&resource_id=${id}`)).total).toBe(1);
    expect((await list('resource_type=nothing')).total).toBe(0);

    const pages = await Promise.all([1, 2, 3].map((page) => list(`${refusals}&per_page=2&page=${page}`)));
    const ids = pages.flatMap(({ audit_logs }) => audit_logs.map((entry) => entry.id));
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    expect(ids).toHaveLength(5);

    const first = pages[2]?.audit_logs[0]?.timestamp ?? '';
    expect((await list(`${refusals}&end_date=${first}`)).audit_logs.map((entry) => entry.timestamp)).toContain(first);
    expect((await list(`${refusals}&start_date=${first}`)).total).toBe(5);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await list(`${refusals}&start_date=${tomorrow}`)).total).toBe(0);
    expect((await list(`${refusals}&end_date=${new Date().toISOString().slice(0, 10)}`)).total).toBe(5);
  });

  it('returns each entry once through its next links although every read adds an entry', async () => {
    const integrator = await make.integrator();
    const { id } = (await integrator.client.post('/v1/organizations/', { name: unique('Walked') })).body;
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) await integrator.client.get(`/v1/audit-logs/?organization_id=${id}`);
    let next: string | undefined = `/v1/audit-logs/?organization_id=${id}&per_page=2`;
    const totals: number[] = [];
    while (next !== undefined) {
      const { body, headers } = await integrator.client.get(next);
      ids.push(...(body as Log).audit_logs.map((entry) => entry.id));
      totals.push(body.total);
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    // The entries of the first page's moment. The total also counts those of the reads of these pages.
    expect(totals).toEqual(totals.map((_total, page) => ids.length + page));
  });

  it('rolls the change back, and fails a refusal, when the audit entry cannot be written', async () => {
    const { client } = await make.integrator();
    const name = unique('Unwritten');
    const unwritten = async (): Promise<number> => {
      const metric = await api.app.get(Metrics).registry.getSingleMetric('assay_audit_entries_total')?.get();
      return metric?.values.find(({ labels }) => labels['status'] === 'unwritten')?.value ?? NaN;
    };
    const before = await unwritten();
    await query(
      `ALTER TABLE audit_logs ADD CONSTRAINT nothing_more CHECK (operation <> 'organization.create') NOT VALID`,
    );
    try {
      expect((await client.post('/v1/organizations/', { name })).status).toBe(500);
      expect((await client.post('/v1/organizations/', { name: '' })).status).toBe(500);
    } finally {
      await query('ALTER TABLE audit_logs DROP CONSTRAINT nothing_more');
    }
    expect(await unwritten()).toBe(before + 2);
    expect((await client.get('/v1/organizations/')).body.organizations).toEqual([]);
    expect((await client.post('/v1/organizations/', { name })).status).toBe(201);
    expect(await unwritten()).toBe(before + 2);
  });

  it.each(['UPDATE audit_logs SET status = status', 'DELETE FROM audit_logs', 'TRUNCATE audit_logs'])(
    'refuses %s to the database role of the service and to the table owner',
    async (statement) => {
      const { appUrl, ownerUrl } = await testDatabase();
      for (const connectionString of [appUrl, ownerUrl]) {
        const client = new Postgres({ connectionString });
        await client.connect();
        try {
          await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
        } finally {
          await client.end();
        }
      }
    },
  );
});

it('a long log is counted exactly, and a month that is over only once unless its entries may be removed', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const add = (count: number, operation: string, daysAgo: number): Promise<object[]> =>
    query(
      `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
         resource_type, resource_id, status, metadata)
       SELECT (substr(audit_logs_first_id(at)::text, 1, 14) || substr(gen_random_uuid()::text, 15))::uuid, at, $1, 'system', 'test', $3,
         'test', 'test', n::text, 'success', '{}'
       FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - make_interval(days => $4) + n * interval '1 second' AS at) times`,
      [tenant.id, count, operation, daysAgo],
    );
  const totalOf = async (filter = ''): Promise<number> =>
    (await client.get(`/v1/audit-logs/?organization_id=${tenant.id}&actor_id=test${filter}`)).body.total;
  await add(21_000, 'test.old', 100);
  await add(30, 'test.other', 65);
  await add(5, 'test.new', 0);
  const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  expect(await totalOf()).toBe(21_035);
  expect(await totalOf('&operation=test.old')).toBe(21_000);
  expect(await totalOf(`&end_date=${day(80)}`)).toBe(21_000);
  expect(await totalOf(`&start_date=${day(80)}`)).toBe(35);

  await add(2, 'test.new', 0);
  expect(await totalOf()).toBe(21_037);
  await add(3, 'test.other', 65);
  expect(await totalOf()).toBe(21_037);
  await query('INSERT INTO history_retentions (organization_id, days) VALUES ($1, 40)', [tenant.id]);
  expect(await totalOf()).toBe(21_040);
});
