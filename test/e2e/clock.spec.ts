import { Client as Postgres } from 'pg';
import type { ScheduledTask } from '../../src/platform/work/work-handler';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { useApi } from '../support/api';
import { Client } from '../support/client';
import { query, testDatabase } from '../support/database';
import { Factories, type Tenant } from '../support/factories';

const api = useApi();
const make = new Factories(api);

let tenant: Tenant;
beforeEach(async () => (tenant = await make.organization()));

/** Runs the task on several workers at the same time, each with its own database connections. */
async function runOnWorkers(name: string, workers = 20): Promise<void> {
  await Promise.all(Array.from({ length: workers }, () => task(name).run()));
}

function task(name: string): ScheduledTask {
  const found = api.app.get(WorkRegistry).scheduledTasks.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no task ${name}`);
  return found;
}

/** Due for longer than the domains of other tests. */
const makeDue = (id: number) => query(`UPDATE domains SET next_lookup = '2000-01-01' WHERE id = $1`, [id]);

const lookupsOf = (id: number) =>
  query("SELECT state FROM work WHERE kind = 'domain.lookup' AND reference = $1", [String(id)]);

async function entries(operation: string): Promise<Record<string, unknown>[]> {
  const { client } = await tenant.as('owner');
  return (await client.get(`/v1/audit-logs/?operation=${operation}`)).body.audit_logs;
}

describe('a scheduled task that twenty workers run at the same time', () => {
  it('starts a due event once', async () => {
    const { id, slug } = await make.event(tenant.id);
    await query('UPDATE events SET start_date = now() WHERE id = $1', [id]);
    await runOnWorkers('event.transitions');
    expect(await entries('event.status_change')).toMatchObject([{ resource_id: slug, metadata: { to: 'running' } }]);
  });

  it('records a missed beacon report once', async () => {
    const { id, token } = await make.beacon(tenant.id);
    const beacon = new Client(() => api.url, { accessKey: String(id), secret: token });
    expect((await beacon.post('/v1/beacons/report')).status).toBe(200);
    await query("UPDATE beacons SET last_report = now() - interval '301 seconds' WHERE id = $1", [id]);
    await runOnWorkers('beacon.missed_reports');
    expect(await entries('beacon.status_change')).toMatchObject([
      { actor_type: 'system', metadata: { from: 1, to: 2 } },
      { actor_type: 'beacon' },
    ]);
  });

  it('enqueues a due domain lookup once', async () => {
    const { id } = await make.domain(tenant.id);
    await makeDue(id);
    await runOnWorkers('domain.lookups');
    expect(await lookupsOf(id)).toEqual([{ state: 'waiting' }]);
  });
});

describe('rows with a retention period', () => {
  it.each([
    {
      name: 'work.forget',
      insertOld: `INSERT INTO work (kind, reference, state, finished)
        SELECT 'test.forget', i, 'done', now() - interval '31 days' FROM generate_series(1, 25000) i`,
      remaining: "SELECT 1 FROM work WHERE kind = 'test.forget'",
    },
    {
      name: 'idempotency.forget',
      insertOld: `INSERT INTO idempotency_keys (api_key_id, path, key, request_hash, created)
        SELECT (SELECT max(id) FROM api_keys), '/test/forget', i, '', now() - interval '25 hours' FROM generate_series(1, 25000) i`,
      remaining: "SELECT 1 FROM idempotency_keys WHERE path = '/test/forget'",
    },
  ])('are all deleted by $name, also by several workers at once', async ({ name, insertOld, remaining }) => {
    await make.integrator();
    await query(insertOld);
    await runOnWorkers(name, 4);
    expect(await query(remaining)).toEqual([]);
  });
});

describe('a domain lookup that cannot be enqueued', () => {
  it('does not stop the lookups that are due after it', async () => {
    const [first, second] = [await make.domain(tenant.id), await make.domain(tenant.id)];
    await makeDue(first.id);
    await makeDue(second.id);
    const database = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
    await database.connect();
    try {
      await database.query('BEGIN');
      await database.query("INSERT INTO work (kind, reference) VALUES ('domain.lookup', $1)", [first.id]);
      await task('domain.lookups').run();
    } finally {
      await database.end();
    }
    expect(await lookupsOf(first.id)).toEqual([]);
    expect(await lookupsOf(second.id)).toEqual([{ state: 'waiting' }]);
  });
});
