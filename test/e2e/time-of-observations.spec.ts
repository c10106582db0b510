import type { IncomingMessage, ServerResponse } from 'node:http';
import { certificate } from '../../src/engine/testing/certificate';
import { MISSING, TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';

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
  held = null;
});

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};

const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly url: string;
  readonly id: number;
}

/** A finding that a job has seen. */
async function createFinding(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const url = `http://127.0.0.1:${target.port}/`;
  await make.asset(tenant.id, { value: url, type: 'url' });
  await runJob(client, url, CHECKS);
  const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/`)).body;
  return { tenant, client, url, id: findings[0].id };
}

const findingOf = async ({ client, id }: Fixture) => (await client.get(`/v1/findings/${id}/`)).body.findings[0];

const changesOf = async ({ client, id }: Fixture): Promise<number[]> =>
  (await client.get(`/v1/findings/${id}/history/`)).body.history.map(({ status }: { status: number }) => status);

const sightingOf = async ({ id }: Fixture, uuid: string): Promise<Date> => {
  const rows = await query<{ seen_at: Date }>(
    'SELECT seen_at FROM finding_sightings WHERE finding_id = $1 AND job_uuid = $2',
    [id, uuid],
  );
  return rows[0]?.seen_at ?? new Date(NaN);
};

/** A job that has seen the page, and waits for another answer. */
async function launchHeldJob({ client, url }: Fixture): Promise<string> {
  held = [];
  const uuid = await launchJob(client, url, CHECKS);
  await eventually(async () => expect(held?.length).toBeGreaterThan(0));
  return uuid;
}

async function endHeldJob({ client }: Fixture, uuid: string): Promise<void> {
  const waiting = held ?? [];
  held = null;
  for (const answer of waiting) answer();
  expect(await waitForJob(client, uuid)).toBe('FINISHED');
}

async function retest({ client, id }: Fixture) {
  const path = `/v1/findings/${id}/retest`;
  expect((await client.post(path)).status).toBe(202);
  await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'), 60_000);
  return (await client.get(path)).body;
}

const gateOf = async ({ client }: Fixture, uuid: string): Promise<boolean> =>
  (await client.get(`/v1/jobs/${uuid}/success?severity=low`)).body.success;

/** In the feed. */
const countStatusChanges = async ({ tenant, id }: Fixture): Promise<number> => {
  const { client } = await tenant.as('admin');
  const { entries } = (await client.get(`/v1/organizations/${tenant.id}/feed?limit=1000`)).body;
  return entries.filter(
    ({
      type,
      record_id: record,
      data,
    }: {
      type: string;
      record_id: string;
      data: { changed?: { status?: unknown } };
    }) => type === 'finding.changed' && record === String(id) && data.changed?.status !== undefined,
  ).length;
};

describe('a job that looked before a retest proved the fix', () => {
  it('does not reopen the finding when it ends, and its gate passes', async () => {
    const finding = await createFinding();
    const launched = new Date();
    const uuid = await launchHeldJob(finding);
    const looked = new Date();
    target.site = FIXED;
    expect(await retest(finding)).toMatchObject({ result: 'fixed' });
    expect(await countStatusChanges(finding)).toBe(1);
    await endHeldJob(finding, uuid);
    expect(await findingOf(finding)).toMatchObject({ status: 5 });
    expect(await changesOf(finding)).toEqual([5, 1]);
    expect(await countStatusChanges(finding)).toBe(1);
    const seenAt = await sightingOf(finding, uuid);
    expect(seenAt.getTime()).toBeGreaterThanOrEqual(launched.getTime());
    expect(seenAt.getTime()).toBeLessThanOrEqual(looked.getTime());
    expect(await gateOf(finding, uuid)).toBe(true);
  });

  it('counts in its own gate while only a person has said that it is fixed', async () => {
    const finding = await createFinding();
    const uuid = await launchHeldJob(finding);
    await finding.client.post(`/v1/findings/${finding.id}/status`, { status: 5 });
    await endHeldJob(finding, uuid);
    expect(await gateOf(finding, uuid)).toBe(false);
    // The retest that the job starts has reopened it, and not the job.
    await eventually(async () => expect(await findingOf(finding)).toMatchObject({ status: 1 }), 60_000);
    expect(await gateOf(finding, uuid)).toBe(false);
  });
});

describe('a job that looked after a retest proved the fix', () => {
  it('reopens the finding', async () => {
    const finding = await createFinding();
    target.site = FIXED;
    expect(await retest(finding)).toMatchObject({ result: 'fixed' });
    target.site = {};
    const uuid = await runJob(finding.client, finding.url, CHECKS);
    expect(await changesOf(finding)).toEqual([1, 5, 1]);
    // The history names when the responses arrived that decided, and when that was stored.
    const { history } = (await finding.client.get(`/v1/findings/${finding.id}/history/`)).body;
    const [reopened, resolved, recorded] = history;
    expect(reopened.decided_at).toBe((await sightingOf(finding, uuid)).toISOString());
    const [{ fixed_at: fixedAt } = {}] = await query<{ fixed_at: Date }>(
      'SELECT fixed_at FROM findings WHERE id = $1',
      [finding.id],
    );
    expect(resolved.decided_at).toBe(fixedAt?.toISOString());
    for (const change of [reopened, resolved])
      expect(Date.parse(change.decided_at)).toBeLessThanOrEqual(Date.parse(change.created));
    expect(recorded.decided_at).toBeNull();
    expect(await countStatusChanges(finding)).toBe(2);
    expect(await gateOf(finding, uuid)).toBe(false);
  });
});

it('signed evidence names the difference of the clock of the process if it is more than five seconds', async () => {
  const finding = await createFinding();
  const now = Date.now.bind(Date);
  for (const [aheadMs, isNamed] of [
    [3_000, false],
    [60_000, true],
  ] as const) {
    const wrong = jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
    try {
      await retest(finding);
    } finally {
      wrong.mockRestore();
    }
    const { evidence } = (await finding.client.get(`/v1/findings/${finding.id}/retest/evidence`)).body;
    expect('clock_difference_ms' in evidence).toBe(isNamed);
    if (isNamed) expect(Math.abs(evidence.clock_difference_ms - aheadMs)).toBeLessThan(5_000);
    expect(Math.abs(Date.parse(evidence.signed) - now())).toBeLessThan(30_000);
  }
});
