import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { certificate } from '../../src/engine/testing/certificate';
import { MISSING, TargetServer } from '../../src/engine/testing/target-server';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';
import { type RunningProcess, startProcess } from '../support/processes';

const HOUR = 3_600_000;
const CHECKS = { checks: ['missing-nosniff', 'exposed-git'] };
const FIXED = { headers: { 'x-content-type-options': 'nosniff' } };

let target: TargetServer;
/** Requests for the Git repository that wait for their answer. */
let held: (() => void)[] | null = null;
beforeAll(async () => {
  target = await TargetServer.start(certificate());
  target.disturb = (request: IncomingMessage, response: ServerResponse) => {
    if (held === null || request.url?.startsWith('/.git/') !== true) return false;
    held.push(() => response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end(MISSING.body));
    return true;
  };
});
afterAll(() => target.stop());
beforeEach(() => {
  target.site = {};
});

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(settings);
const make = new Factories(api);

/** A process with another clock than the database. It keeps its work while it is stopped, and can do no other. */
const startWorkerAhead = (ms: number): Promise<RunningProcess> =>
  startProcess('worker', {
    ...settings,
    WORK_SWEEP_SECONDS: '0.1',
    WORK_LEASE_SECONDS: '600',
    CLOCK_AHEAD_MS: String(ms),
    NODE_OPTIONS: `--require ${join(__dirname, '../support/wrong-clock.cjs')}`,
  });

/** Between its transactions: a stopped process would keep its locks. */
const stop = (worker: RunningProcess): Promise<void> =>
  eventually(async () => {
    worker.kill('SIGSTOP');
    const busy = await query(
      `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
    );
    if (busy.length > 0) worker.kill('SIGCONT');
    expect(busy).toEqual([]);
  });

/** By the times of its log. */
function hoursAhead(worker: RunningProcess): number {
  const [, time = ''] = /"time":"([^"]+)"/.exec(worker.output()) ?? [];
  return Math.round((Date.parse(time) - Date.now()) / HOUR);
}

it.each(['after', 'before'] as const)(
  'a job of a worker whose clock is an hour ahead that looked first and ends %s a retest of one that is an hour behind leaves the fix',
  async (order) => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const url = `http://127.0.0.1:${target.port}/`;
    await make.asset(tenant.id, { value: url, type: 'url' });
    const ahead = await startWorkerAhead(HOUR);
    await runJob(client, url, CHECKS);
    const [{ id }] = (await client.get(`/v1/organizations/${tenant.id}/findings/`)).body.findings;

    held = [];
    const job = await launchJob(client, url, CHECKS);
    await eventually(async () => expect(held?.length).toBeGreaterThan(0));
    const endJob = async (): Promise<void> => {
      ahead.kill('SIGCONT');
      for (const answer of held ?? []) answer();
      held = null;
      expect(await waitForJob(client, job)).toBe('FINISHED');
    };
    if (order === 'before') await endJob();
    await stop(ahead);
    target.site = FIXED;
    const behind = await startWorkerAhead(-HOUR);
    const path = `/v1/findings/${id}/retest`;
    expect((await client.post(path)).status).toBe(202);
    await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'), 60_000);
    expect((await client.get(path)).body).toMatchObject({ result: 'fixed' });
    if (order === 'after') await endJob();

    expect([ahead, behind].map(hoursAhead)).toEqual([1, -1]);
    expect((await client.get(`/v1/findings/${id}/`)).body.findings[0]).toMatchObject({ status: 5 });
    const { history } = (await client.get(`/v1/findings/${id}/history/`)).body;
    expect(history.map((one: { status: number }) => one.status)).toEqual([5, 1]);
    // Its gate says what was known when it ended.
    const gate = (await client.get(`/v1/jobs/${job}/success?severity=low`)).body;
    // An answer that is held for longer than 30 seconds, on a slow machine, is none.
    expect(gate.success).toBe(order === 'after' && gate.incomplete_checks.length === 0);
  },
);
