import { Client as Postgres } from 'pg';
import { startWorker, useApi } from '../support/api';
import { query, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { startProcess } from '../support/processes';

const api = useApi();
const make = new Factories(api);
/** A lease that a busy machine can renew in time, and that the tests can wait for. */
const quick = { WORK_LEASE_SECONDS: '3', WORK_SWEEP_SECONDS: '0.2' };

interface WorkRow {
  readonly state: string;
  readonly attempt: number;
}

const workRowOf = async (organizationId: number): Promise<WorkRow | undefined> =>
  (
    await query<WorkRow>(
      `SELECT state, attempt FROM work WHERE kind = 'organization.purge' AND reference = $1 ORDER BY id`,
      [String(organizationId)],
    )
  )[0];

/** Locks a row of an organization: its purge waits until the returned function is called. */
async function lockMembershipOf(organizationId: number): Promise<() => Promise<void>> {
  const client = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM memberships WHERE organization_id = $1 FOR UPDATE', [organizationId]);
  return () => client.end();
}

async function deletedOrganization(): Promise<{
  id: number;
  purges: () => Promise<unknown[]>;
  release: () => Promise<void>;
}> {
  const { client } = await make.integrator();
  const { id } = (await client.post('/v1/organizations/', { name: unique('Purged') })).body;
  await make.member(id, 'viewer');
  const release = await lockMembershipOf(id);
  expect((await client.delete(`/v1/organizations/${id}/`)).status).toBe(200);
  const purges = async () =>
    (await client.get(`/v1/audit-logs/?organization_id=${id}&operation=organization.purge`)).body
      .audit_logs as unknown[];
  return { id, purges, release };
}

/** Waits until a worker does the purge. The number of attempts is not fixed: a busy machine may let a lease run out. */
const running = (id: number): Promise<void> =>
  eventually(async () => expect((await workRowOf(id))?.state).toBe('running'));

it('the work of a killed worker is done once by another', async () => {
  const first = await startProcess('worker', quick);
  const { id, purges, release } = await deletedOrganization();
  await running(id);
  first.kill('SIGKILL');
  await first.exited;
  const killed = await workRowOf(id);
  await release();
  const second = await startProcess('worker', quick);
  try {
    await eventually(async () => expect((await workRowOf(id))?.state).toBe('done'));
    expect((await workRowOf(id))?.attempt).toBeGreaterThan(killed?.attempt ?? Infinity);
    expect(await purges()).toHaveLength(1);
    expect(await query('SELECT 1 FROM memberships WHERE organization_id = $1', [id])).toEqual([]);
  } finally {
    second.kill('SIGTERM');
    expect(await second.exited).toBe(0);
  }
});

it('the work of a paused worker is not done twice when it resumes', async () => {
  const paused = await startProcess('worker', quick);
  const { id, purges, release } = await deletedOrganization();
  await eventually(async () => {
    paused.kill('SIGCONT');
    await running(id);
    paused.kill('SIGSTOP');
    expect((await workRowOf(id))?.state).toBe('running');
  });
  await release();
  const other = await startProcess('worker', quick);
  try {
    // The database ends the transaction of the paused worker after 16 seconds.
    await eventually(async () => expect((await workRowOf(id))?.state).toBe('done'), 120_000);
    paused.kill('SIGCONT');
    // When it has done new work, it has resumed and noticed the lost lease.
    other.kill('SIGTERM');
    await other.exited;
    const next = await deletedOrganization();
    await next.release();
    await eventually(async () => expect((await workRowOf(next.id))?.state).toBe('done'));
    expect(await purges()).toHaveLength(1);
  } finally {
    // A paused process does not end.
    paused.kill('SIGCONT');
    paused.kill('SIGTERM');
    expect(await paused.exited).toBe(0);
  }
}, 300_000);

it('two workers share the work and do each piece once', async () => {
  const workers = await Promise.all([startWorker(quick), startWorker(quick)]);
  try {
    const { client } = await make.integrator();
    const ids: number[] = [];
    for (let index = 0; index < 20; index++)
      ids.push((await client.post('/v1/organizations/', { name: unique('Shared') })).body.id);
    await Promise.all(ids.map((id) => client.delete(`/v1/organizations/${id}/`)));
    await eventually(async () => {
      for (const id of ids) expect((await workRowOf(id))?.state).toBe('done');
    });
    const entries = await query<{ count: number }>(
      `SELECT count(*)::int AS count FROM audit_logs WHERE operation = 'organization.purge' AND organization_id = ANY($1) GROUP BY organization_id`,
      [ids],
    );
    expect(entries.map(({ count }) => count)).toEqual(ids.map(() => 1));
  } finally {
    for (const worker of workers) await worker.stop();
  }
});

it('work that fails at every attempt is abandoned with its reason after the last attempt', async () => {
  const worker = await startWorker({ ...quick, WORK_ATTEMPTS: '1', DATABASE_TIMEOUT_MS: '3000' });
  const { id, release } = await deletedOrganization();
  try {
    await eventually(async () => expect(await workRowOf(id)).toEqual({ state: 'failed', attempt: 1 }));
    const rows = await query<{ error: string | null; state: string }>(
      'SELECT error, state FROM work WHERE reference = $1 ORDER BY id',
      [String(id)],
    );
    expect(rows[0]?.error).toContain('timeout');
    // A purge is tried again after an hour.
    expect(rows[1]?.state).toBe('waiting');
  } finally {
    await release();
    await worker.stop();
  }
});
