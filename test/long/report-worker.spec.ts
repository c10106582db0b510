import { Client as Postgres } from 'pg';
import { useApi } from '../support/api';
import { query, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { startProcess } from '../support/processes';

const api = useApi();
const make = new Factories(api);
/** A lease that a busy machine can renew in time, and that the tests can wait for. */
const quick = { WORK_LEASE_SECONDS: '3', WORK_SWEEP_SECONDS: '0.2' };

const workRowOf = async (
  reference: number,
  kind = 'report.generate',
): Promise<{ state: string; attempt: number } | undefined> =>
  (
    await query<{ state: string; attempt: number }>(
      `SELECT state, attempt FROM work WHERE kind = $1 AND reference = $2`,
      [kind, String(reference)],
    )
  )[0];

/** Locks the row of a report: its generation waits at the end until the returned function is called. */
async function lockReport(id: number): Promise<() => Promise<void>> {
  const client = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM reports WHERE id = $1 FOR UPDATE', [id]);
  return () => client.end();
}

async function orderedReport() {
  const { id: organizationId } = await make.organization();
  const { client } = await make.member(organizationId, 'admin');
  const { slug } = await make.event(organizationId);
  const { id } = (await client.post(`/v1/events/${slug}/reports/`, { options: { format: 'json' } })).body;
  const read = async () => (await client.get(`/v1/reports/${id}/`)).body;
  const files = () => query('SELECT id FROM report_files WHERE organization_id = $1', [organizationId]);
  const entries = async (): Promise<unknown[]> =>
    (await client.get('/v1/audit-logs/?operation=report.generate')).body.audit_logs;
  return { id: id as number, client, read, files, entries, release: await lockReport(id) };
}

it('a report whose worker was killed is generated once by another worker', async () => {
  const report = await orderedReport();
  const first = await startProcess('worker', quick);
  await eventually(async () => expect(await workRowOf(report.id)).toMatchObject({ state: 'running', attempt: 1 }));
  expect((await report.client.get(`/v1/reports/${report.id}/download`)).body.description).toBe(
    'The report is still being generated. Ask again in a few seconds.',
  );
  first.kill('SIGKILL');
  await first.exited;
  expect(await report.files()).toEqual([]);
  await report.release();
  const second = await startProcess('worker', quick);
  try {
    await eventually(async () => expect((await report.read()).generation_date).not.toBeNull());
    expect((await workRowOf(report.id))?.state).toBe('done');
    expect(await report.files()).toHaveLength(1);
    expect(await report.entries()).toMatchObject([{ status: 'success', metadata: { format: 'json' } }]);
    expect((await report.client.get(`/v1/reports/${report.id}/download`)).status).toBe(200);
  } finally {
    second.kill('SIGTERM');
    expect(await second.exited).toBe(0);
  }
});

it.each([
  [2, { WORKER_CONCURRENCY: '3' }],
  [1, { WORKER_CONCURRENCY: '3', WORKER_SLOTS: 'report.generate=1' }],
])('a worker generates %i reports of three organizations at a time, beside other work', async (most, slots) => {
  const reports = [await orderedReport(), await orderedReport(), await orderedReport()];
  const { client } = await make.integrator();
  const { id } = (await client.post('/v1/organizations/', { name: unique('Other') })).body;
  const worker = await startProcess('worker', { ...quick, ...slots });
  const running = [...Array<string>(most).fill('running'), ...Array<string>(3 - most).fill('waiting')];
  const states = async () =>
    (await Promise.all(reports.map((report) => workRowOf(report.id)))).map((row) => row?.state);
  try {
    await eventually(async () => expect(await states()).toEqual(running));
    expect((await client.delete(`/v1/organizations/${id}/`)).status).toBe(200);
    await eventually(async () => expect((await workRowOf(id, 'organization.purge'))?.state).toBe('done'));
    expect(await states()).toEqual(running);
  } finally {
    for (const { release } of reports) await release();
    await eventually(async () => expect(await states()).toEqual(['done', 'done', 'done']));
    worker.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
  }
});

it('a report that fails at every attempt ends in an error with its reason', async () => {
  const report = await orderedReport();
  await report.release();
  // Invalid options, which the API would refuse.
  await query(`UPDATE reports SET options = '{"format": "none"}' WHERE id = $1`, [report.id]);
  const worker = await startProcess('worker', { ...quick, WORK_ATTEMPTS: '2' });
  try {
    await eventually(async () =>
      expect((await report.read()).error).toBe('Something failed on our side. Order it again.'),
    );
    expect((await workRowOf(report.id))?.state).toBe('failed');
    const answer = await report.client.get(`/v1/reports/${report.id}/download`);
    expect([answer.status, answer.body.description]).toEqual([
      409,
      'The report could not be generated: Something failed on our side. Order it again.',
    ]);
    expect(await report.files()).toEqual([]);
  } finally {
    worker.kill('SIGTERM');
    await worker.exited;
  }
});
