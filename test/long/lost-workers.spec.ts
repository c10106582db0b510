import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { type RunningProcess, startProcess } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const quick = { ...engine, WORK_LEASE_SECONDS: '1', WORK_SWEEP_SECONDS: '0.2' };
const api = useApi(engine);
const make = new Factories(api);
const workers = new Set<RunningProcess>();

/** Generous for a busy machine: these tests do not measure speed. */
const timeoutMs = 90_000;

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'vulnerable';
  site.hold();
});
afterEach(async () => {
  site.release();
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all([...workers].map(({ exited }) => exited));
  workers.clear();
});

async function startWorker(settings: Record<string, string>): Promise<RunningProcess> {
  const worker = await startProcess('worker', settings);
  workers.add(worker);
  return worker;
}

interface Retest {
  readonly client: Client;
  readonly findingId: number;
  readonly uuid: string;
  readonly path: string;
}

/** Requests a retest of a resolved finding, so that the result `still_vulnerable` changes its status. */
async function requestRetest(): Promise<Retest> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const asset = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const { id: findingId } = await make.finding(tenant.id, {
    asset: { ...asset, tier: null },
    checkId: 'missing-nosniff',
    checkDefinition: { location: site.url },
  });
  await query('UPDATE findings SET status = 5 WHERE id = $1', [findingId]);
  const path = `/v1/findings/${findingId}/retest`;
  const { uuid } = (await client.post(path)).body;
  return { client, findingId, uuid, path };
}

const expectRequests = (times: number, withinMs?: number) =>
  eventually(async () => expect(site.heldRequests).toBeGreaterThanOrEqual(times), withinMs);

const expectRetest = ({ client, path }: Retest, expected: object) =>
  eventually(async () => expect((await client.get(path)).body).toMatchObject(expected));

/** One begin entry, one end entry, and one status change of the finding. */
async function expectOneRetest({ uuid, findingId }: Retest): Promise<void> {
  const entries = await query<{ operation: string }>(
    `SELECT operation FROM audit_logs WHERE resource_id = $1 AND actor_type = 'system' ORDER BY operation`,
    [uuid],
  );
  expect(entries.map(({ operation }) => operation)).toEqual(['retest.begin', 'retest.end']);
  const transitions = await query(`SELECT 1 FROM finding_history WHERE finding_id = $1 AND comment LIKE 'Retest %'`, [
    findingId,
  ]);
  expect(transitions).toHaveLength(1);
}

describe('the retest of a worker', () => {
  it('that is killed runs again with default settings and ends once', async () => {
    const first = await startWorker(engine);
    const retest = await requestRetest();
    await expectRequests(1);
    await startWorker(engine);
    first.kill('SIGKILL');
    await expectRequests(2, timeoutMs);
    site.release();
    await expectRetest(retest, { status: 'finished', result: 'still_vulnerable' });
    await expectOneRetest(retest);
  });

  it('that is killed at every attempt fails with a reason', async () => {
    const retest = await requestRetest();
    for (let times = 1; times <= 2; times++) {
      const worker = await startWorker({ ...quick, WORK_ATTEMPTS: '2' });
      await expectRequests(times);
      worker.kill('SIGKILL');
      await worker.exited;
    }
    expect((await retest.client.get(retest.path)).body.status).toBe('in_progress');
    await startWorker({ ...quick, WORK_ATTEMPTS: '2' });
    await expectRetest(retest, { status: 'error', result: null });
    const { reason } = (await retest.client.get(`${retest.path}/evidence`)).body;
    expect(reason).toContain('It was tried 2 times and did not finish');
    expect((await retest.client.post(retest.path)).status).toBe(202);
  });

  it('that is paused for longer than its lease has its late result dropped', async () => {
    const paused = await startWorker(quick);
    const retest = await requestRetest();
    await expectRequests(1);
    paused.kill('SIGSTOP');
    site.state = 'fixed';
    site.release();
    site.state = 'vulnerable';
    site.hold();
    await startWorker(quick);
    await expectRequests(1);
    site.release();
    await expectRetest(retest, { status: 'finished', result: 'still_vulnerable' });
    paused.kill('SIGCONT');
    // When it exits with 0 after SIGTERM, it has resumed and noticed that its lease is lost.
    paused.kill('SIGTERM');
    expect(await paused.exited).toBe(0);
    await expectRetest(retest, { status: 'finished', result: 'still_vulnerable' });
    await expectOneRetest(retest);
  });
});
