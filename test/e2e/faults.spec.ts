import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Dice } from '../support/dice';
import { Effects } from '../support/effects';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { FaultScene } from '../support/fault-scene';
import { FaultStage } from '../support/fault-stage';
import { type RunningProcess, startProcess } from '../support/processes';
import { retestsAmong, startsIn } from '../support/starts';
import { WeakSite } from '../support/weak-site';

const site = new WeakSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const quick = { ...engine, WORK_LEASE_SECONDS: '1', WORK_SWEEP_SECONDS: '0.2' };
const api = useApi(engine);
const make = new Factories(api);
const workers = new Set<RunningProcess>();

const starts = 10;

/** For a machine that is busy with other things: none of this is about how quick it is. */
const patienceMs = 30_000;
jest.setTimeout(2 * patienceMs);

/** Made while the first test waits for a lease to run out. */
let staged: Promise<{ stage: FaultStage; scene: FaultScene }>;

async function setStage(): Promise<{ stage: FaultStage; scene: FaultScene }> {
  const stage = new FaultStage();
  const scene = new FaultScene(stage);
  await stage.postgres.start();
  await scene.set(retestsAmong(starts), new Dice(1));
  await stage.startProcesses({ ...quick, EGRESS_ALLOW: scene.egressAllow });
  await scene.mend();
  return { stage, scene };
}

beforeAll(async () => {
  await site.start();
  staged = setStage();
  staged.catch(() => undefined);
});
afterAll(async () => {
  await site.stop();
  const { stage, scene } = await staged;
  expect(await stage.close()).toEqual([0, 0, 0]);
  await scene.leave();
});
beforeEach(() => {
  site.mood = 'weak';
  site.hold();
});
afterEach(async () => {
  site.letGo();
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all([...workers].map(({ exited }) => exited));
  workers.clear();
});

async function aWorker(settings: Record<string, string>): Promise<RunningProcess> {
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

/** Of a finding that was resolved, so that a retest that sees it again moves it. */
async function accepted(): Promise<Retest> {
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

const asked = (times: number, withinMs?: number) =>
  eventually(async () => expect(site.waiting).toBeGreaterThanOrEqual(times), withinMs);

const ended = ({ client, path }: Retest, as: object) =>
  eventually(async () => expect((await client.get(path)).body).toMatchObject(as));

/** One beginning, one end, and one move of the finding. */
async function expectOnce({ uuid, findingId }: Retest): Promise<void> {
  const entries = await query<{ operation: string }>(
    `SELECT operation FROM audit_logs WHERE resource_id = $1 AND actor_type = 'system' ORDER BY operation`,
    [uuid],
  );
  expect(entries.map(({ operation }) => operation)).toEqual(['retest.begin', 'retest.end']);
  const moves = await query(`SELECT 1 FROM finding_history WHERE finding_id = $1 AND comment LIKE 'Retest %'`, [
    findingId,
  ]);
  expect(moves).toHaveLength(1);
}

describe('a worker', () => {
  it('that is killed in a retest: with default settings the retest runs again and ends once', async () => {
    const first = await aWorker(engine);
    const retest = await accepted();
    await asked(1);
    await aWorker(engine);
    first.kill('SIGKILL');
    await asked(2, patienceMs);
    site.letGo();
    await ended(retest, { status: 'finished', result: 'still_vulnerable' });
    await expectOnce(retest);
  });

  it('that is killed at every attempt: the retest fails with its reason', async () => {
    const retest = await accepted();
    for (let times = 1; times <= 2; times++) {
      const worker = await aWorker({ ...quick, WORK_ATTEMPTS: '2' });
      await asked(times);
      worker.kill('SIGKILL');
      await worker.exited;
    }
    expect((await retest.client.get(retest.path)).body.status).toBe('in_progress');
    await aWorker({ ...quick, WORK_ATTEMPTS: '2' });
    await ended(retest, { status: 'error', result: null });
    const { reason } = (await retest.client.get(`${retest.path}/evidence`)).body;
    expect(reason).toContain('It was tried 2 times and did not finish');
    expect((await retest.client.post(retest.path)).status).toBe(202);
  });

  it('that is paused for longer than its lease: its late result is dropped', async () => {
    const paused = await aWorker(quick);
    const retest = await accepted();
    await asked(1);
    paused.kill('SIGSTOP');
    site.mood = 'mended';
    site.letGo();
    site.mood = 'weak';
    site.hold();
    await aWorker(quick);
    await asked(1);
    site.letGo();
    await ended(retest, { status: 'finished', result: 'still_vulnerable' });
    paused.kill('SIGCONT');
    // It is awake, and has looked around, once it ends in order.
    paused.kill('SIGTERM');
    expect(await paused.exited).toBe(0);
    await ended(retest, { status: 'finished', result: 'still_vulnerable' });
    await expectOnce(retest);
  });
});

it('accepted work of two workers ends exactly once although PostgreSQL restarts and crashes', async () => {
  const { stage, scene } = await staged;
  const accepted = startsIn(scene, starts, new Dice(1));
  await Promise.all(accepted.map((start) => start.send()));
  for (const mode of ['fast', 'immediate'] as const) {
    await stage.busyWith('retest.run');
    await stage.postgres.stop(mode);
    await stage.postgres.start();
  }
  await eventually(async () => {
    for (const start of accepted) expect(await start.isOver()).toBe(true);
  }, patienceMs);
  expect(await new Effects(stage.postgres, scene).expectOnce()).toEqual({ retests: 0, jobs: 0 });
});
