import type { IncomingMessage, ServerResponse } from 'node:http';
import { certificate } from '../../src/engine/testing/certificate';
import { MISSING, TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { imported, rowsOf } from '../support/imports';
import { launchJob, runJob, waitForJob } from '../support/jobs';

const FIXED = { headers: { 'x-content-type-options': 'nosniff' } };
const CHECKS = { checks: ['missing-nosniff', 'exposed-git'] };

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
  readonly path: string;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const url = `http://127.0.0.1:${target.port}/`;
  await make.asset(tenant.id, { value: url, type: 'url' });
  return { tenant, client, url, path: `/v1/organizations/${tenant.id}/imports` };
}

/** What ZAP has seen on these pages; no two files are the same. */
let files = 0;
const upload = (at: Fixture, pages: readonly string[], { rule = '10021', seenAt = '', more = '' } = {}) => {
  const rows = pages.map(
    (page) => `${rule},X-Content-Type-Options is missing on ${page},low,${at.url}${page},${seenAt}`,
  );
  const lines = [`rule,name,risk,url,time,note ${++files}\n`, ...rows.map((row) => `${row},\n`)];
  const file = new Blob(lines, { type: 'application/octet-stream' });
  const columns = { rule_id: 'rule', title: 'name', severity: 'risk', url: 'url', seen_at: 'time' };
  const mapping = encodeURIComponent(JSON.stringify({ scanner: 'zap', columns }));
  return imported(at, file, `?format=csv&csv_mapping=${mapping}${more}`);
};

const findingsOf = async ({ tenant, client }: Fixture): Promise<Answer['body'][]> =>
  (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100`)).body.findings;

const statusOf = async ({ client }: Fixture, id: number): Promise<number> =>
  (await client.get(`/v1/findings/${id}/`)).body.findings[0].status;

const retestsOf = ({ tenant }: Fixture) =>
  query<{ uuid: string; status: string; result: string | null; started_by: number | null }>(
    'SELECT uuid, status, result, started_by FROM retests WHERE organization_id = $1 ORDER BY id',
    [tenant.id],
  );

const untilRetested = (at: Fixture, count: number) =>
  eventually(async () => {
    const retests = await retestsOf(at);
    expect(retests).toHaveLength(count);
    expect(retests.every(({ status }) => status === 'finished')).toBe(true);
  }, 30_000);

const say = async ({ client }: Fixture, id: number, status: number): Promise<void> =>
  expect((await client.post(`/v1/findings/${id}/status`, { status })).status).toBe(200);

/** A finding of a file that its check has confirmed. */
async function createFinding(at: Fixture): Promise<number> {
  await upload(at, ['']);
  await eventually(async () => expect((await findingsOf(at))[0].verification.result).toBe('confirmed'), 20_000);
  return (await findingsOf(at))[0].id;
}

async function proveFixed(at: Fixture, id: number): Promise<void> {
  target.site = FIXED;
  expect((await at.client.post(`/v1/findings/${id}/retest`)).status).toBe(202);
  await untilRetested(at, 1);
  expect(await statusOf(at, id)).toBe(5);
}

const insertUnfinished = (organizationId: number, findingId: number) =>
  query(
    `INSERT INTO retests (uuid, organization_id, finding_id, status) VALUES (gen_random_uuid(), $1, $2, 'pending')`,
    [organizationId, findingId],
  );

/** As if its pause were over. */
async function runPostponed(organizationId: number): Promise<void> {
  const ofImports = `WHERE organization_id = $1 AND kind = 'import.contradictions'`;
  const [postponed] = await query<{ id: string }>(
    `UPDATE work SET run_at = now() ${ofImports} AND state = 'waiting' RETURNING id`,
    [organizationId],
  );
  await eventually(async () =>
    expect(await query('SELECT state FROM work WHERE id = $1', [postponed?.id])).toEqual([{ state: 'done' }]),
  );
}

const contradicting = { contradicting: 1, retests_started: 1 };

describe('a file without times, uploaded after a test proved the fix', () => {
  it('starts one retest, which leaves the finding resolved where it is fixed', async () => {
    const at = await fixture();
    const id = await createFinding(at);
    await proveFixed(at, id);
    const one = await upload(at, ['']);
    expect(one).toMatchObject({ ...contradicting, rows: { reopened: 0 } });
    expect(one.summary).toContain('1 row contradicts resolved findings, 1 retest started');
    expect(await rowsOf(at.client, one.id)).toMatchObject([
      { finding_id: id, contradiction: 'retest_started', reason: expect.stringContaining('so a retest was started') },
    ]);
    await untilRetested(at, 2);
    expect(await retestsOf(at)).toMatchObject([{ result: 'fixed' }, { result: 'fixed', started_by: null }]);
    expect(await statusOf(at, id)).toBe(5);
    const { audit_logs: entries } = (await at.client.get('/v1/audit-logs/?per_page=100')).body;
    const started = entries.find(({ operation }: { operation: string }) => operation === 'retest.start');
    expect(started).toMatchObject({ actor_type: 'system', metadata: { contradicted_by: `import ${one.id}` } });
  });

  it('reopens the finding by the retest where the weakness is back', async () => {
    const at = await fixture();
    const id = await createFinding(at);
    await proveFixed(at, id);
    target.site = {};
    await upload(at, ['']);
    await untilRetested(at, 2);
    expect(await statusOf(at, id)).toBe(1);
  });
});

describe('a file with an older time', () => {
  it('starts nothing after a test proved the fix, which has answered it', async () => {
    const at = await fixture();
    const id = await createFinding(at);
    const seenAt = new Date().toISOString();
    await proveFixed(at, id);
    expect(await upload(at, [''], { seenAt })).toMatchObject({ contradicting: 0, retests_started: 0 });
    expect(await statusOf(at, id)).toBe(5);
    expect(await retestsOf(at)).toHaveLength(1);
  });

  it('starts a retest after a person said that it is fixed, and the retest decides', async () => {
    const at = await fixture();
    const id = await createFinding(at);
    const seenAt = new Date().toISOString();
    await say(at, id, 5);
    expect(await upload(at, [''], { seenAt })).toMatchObject(contradicting);
    await untilRetested(at, 1);
    expect(await retestsOf(at)).toMatchObject([{ result: 'still_vulnerable' }]);
    expect(await statusOf(at, id)).toBe(1);
  });

  it('changes nothing where it arrives before the proof', async () => {
    const at = await fixture();
    const seenAt = new Date(Date.now() - 3_600_000).toISOString();
    const id = await createFinding(at);
    expect(await upload(at, [''], { seenAt })).toMatchObject({ contradicting: 0, rows: { seen_again: 1 } });
    await proveFixed(at, id);
    expect(await retestsOf(at)).toHaveLength(1);
  });
});

describe('what contradicts a resolved finding', () => {
  it('is listed alone where no check can test the finding', async () => {
    const at = await fixture();
    await upload(at, [''], { rule: '99999' });
    const [{ id }] = await findingsOf(at);
    await say(at, id, 5);
    const one = await upload(at, [''], { rule: '99999' });
    expect(one).toMatchObject({ contradicting: 1, retests_started: 0 });
    expect(await rowsOf(at.client, one.id)).toMatchObject([
      { contradiction: 'contradicts', reason: expect.stringContaining('start a retest of the finding') },
    ]);
    expect(await retestsOf(at)).toHaveLength(0);
  });

  it('is listed alone where the launch rule refuses the target', async () => {
    const at = await fixture();
    const id = await createFinding(at);
    await say(at, id, 5);
    await query('UPDATE findings SET check_definition = $2 WHERE id = $1', [
      id,
      JSON.stringify({ location: 'http://127.0.0.2/a' }),
    ]);
    expect(await upload(at, [''])).toMatchObject({ contradicting: 1, retests_started: 0, status: 'FINISHED' });
    expect(await retestsOf(at)).toHaveLength(0);
  });

  it('starts one retest after the unfinished retest of the finding has ended without an answer', async () => {
    const at = await fixture();
    const id = await createFinding(at);
    await say(at, id, 5);
    const { tenant } = at;
    await insertUnfinished(tenant.id, id);
    const one = await upload(at, ['']);
    expect(one).toMatchObject({ contradicting: 1, retests_started: 0 });
    await runPostponed(tenant.id);
    expect(await retestsOf(at)).toHaveLength(1);
    const { audit_logs: entries } = (await at.client.get('/v1/audit-logs/?per_page=100')).body;
    expect(entries.map(({ operation }: { operation: string }) => operation)).not.toContain('retest.start');
    await query(
      `UPDATE retests SET status = 'finished', finished = now(), result = 'inconclusive' WHERE finding_id = $1`,
      [id],
    );
    await runPostponed(tenant.id);
    await untilRetested(at, 2);
    expect(await retestsOf(at)).toMatchObject([{ result: 'inconclusive' }, { result: 'still_vulnerable' }]);
    expect((await at.client.get(`/v1/imports/${one.id}`)).body).toMatchObject({ retests_started: 1 });
    expect(await query(`SELECT 1 FROM work WHERE organization_id = $1 AND state = 'waiting'`, [tenant.id])).toEqual([]);
  });

  it('starts nothing after the unfinished retest of the finding has answered it', async () => {
    const at = await fixture();
    const id = await createFinding(at);
    await say(at, id, 5);
    const { tenant } = at;
    await insertUnfinished(tenant.id, id);
    await upload(at, ['']);
    await query(`UPDATE retests SET status = 'finished', finished = now(), result = 'fixed' WHERE finding_id = $1`, [
      id,
    ]);
    await query('UPDATE findings SET fixed_at = now() WHERE id = $1', [id]);
    await runPostponed(tenant.id);
    expect(await retestsOf(at)).toHaveLength(1);
  });

  it('starts nothing in a dry run', async () => {
    const at = await fixture();
    const id = await createFinding(at);
    await say(at, id, 5);
    const one = await upload(at, [''], { more: '&dry_run=true' });
    expect(one).toMatchObject({ contradicting: 1, retests_started: 0 });
    expect(await retestsOf(at)).toHaveLength(0);
  });

  it('starts at most 20 retests of an import, and lists the others', async () => {
    const at = await fixture();
    const pages = Array.from({ length: 22 }, (_, number) => `page-${number}`);
    await upload(at, pages);
    const findings = await findingsOf(at);
    expect(findings).toHaveLength(22);
    for (const { id } of findings) await say(at, id, 5);
    const one = await upload(at, pages);
    expect(one).toMatchObject({ contradicting: 22, retests_started: 20 });
    const rows = await rowsOf(at.client, one.id, '?per_page=100');
    expect(rows.filter(({ contradiction }) => contradiction === 'retest_started')).toHaveLength(20);
    expect(rows.filter(({ contradiction }) => contradiction === 'contradicts')).toHaveLength(2);
    expect(await retestsOf(at)).toHaveLength(20);
  }, 300_000);
});

/** The work of a job that is over. */
async function runAgain(uuid: string): Promise<void> {
  const ofJob = `WHERE kind = 'job.contradictions' AND reference LIKE $1 || ' %'`;
  await query(`UPDATE work SET state = 'waiting', finished = NULL ${ofJob}`, [uuid]);
  await eventually(async () =>
    expect(await query(`SELECT DISTINCT state FROM work ${ofJob}`, [uuid])).toEqual([{ state: 'done' }]),
  );
}

describe('a job that saw a finding before a person said that it is fixed', () => {
  it('starts one retest, which decides, and starts none when its work runs again', async () => {
    const at = await fixture();
    await runJob(at.client, at.url, CHECKS);
    const [{ id, title }] = await findingsOf(at);
    held = [];
    const uuid = await launchJob(at.client, at.url, CHECKS);
    await eventually(async () => expect(held?.length).toBeGreaterThan(0));
    await say(at, id, 5);
    // As if a worker started those of the findings that the job saw before.
    await query(
      `INSERT INTO work (kind, reference, organization_id, state, attempt, lease_until)
       VALUES ('job.contradictions', $1, NULL, 'running', 1, now() + interval '1 hour')`,
      [uuid],
    );
    const waiting = held;
    held = null;
    for (const answer of waiting) answer();
    expect(await waitForJob(at.client, uuid)).toBe('FINISHED');
    await untilRetested(at, 1);
    expect(await retestsOf(at)).toMatchObject([{ result: 'still_vulnerable', started_by: null }]);
    expect(await statusOf(at, id)).toBe(1);
    const { job } = (await at.client.get(`/v1/jobs/${uuid}`)).body;
    expect(job.contradictions).toEqual([{ finding_id: id, title, contradiction: 'retest_started' }]);
    // As if the worker had been killed before the queue knew of the retest, and a person had said it again.
    await say(at, id, 5);
    await runAgain(uuid);
    expect(await retestsOf(at)).toHaveLength(1);
    // As if the launch rule had refused it, and a test had proved the fix since.
    await query(`UPDATE job_findings SET contradiction = 'contradicts' WHERE finding_id = $1`, [id]);
    await query('UPDATE findings SET fixed_at = now() WHERE id = $1', [id]);
    await runAgain(uuid);
    expect(await retestsOf(at)).toHaveLength(1);
  });
});
