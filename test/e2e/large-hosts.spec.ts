import { Client } from 'pg';
import { MAX_KNOWN } from '../../src/modules/jobs/data/known-findings';
import { JobsRepository } from '../../src/modules/jobs/data/jobs.repository';
import type { Job } from '../../src/modules/jobs';
import { JobOutcomes } from '../../src/modules/jobs/job-outcomes';
import { everything } from '../../src/platform/api/scope';
import { useApi } from '../support/api';
import type { Client as ApiClient } from '../support/client';
import { query, testDatabase } from '../support/database';
import { Factories } from '../support/factories';
import ProcessorTime from '../suites/processor-time.cjs';
import { longestTurnDuring } from '../support/longest-turn';
import { genericPlanOf, rowsReadBy } from '../support/plans';
import { statementsOf } from '../support/statements';

const api = useApi();
const make = new Factories(api);

let database: Client;
beforeAll(async () => {
  database = new Client({ connectionString: (await testDatabase()).ownerUrl });
  await database.connect();
});
afterAll(() => database.end());

/** More than a report may have. */
const MANY = 20_100;

/** Of processor time, as loops of 7 ms, because a machine may be slow. In one turn the rows of a gate took 110 to 150 ms. */
const MAX_TURN_LOOPS = 10;

interface Host {
  readonly organizationId: number;
  readonly assetId: number;
  readonly client: ApiClient;
  readonly admin: ApiClient;
  readonly value: string;
  readonly uuid: string;
}

/** A host with a job that has finished, and saw nothing. */
async function hostWithJob(): Promise<Host> {
  const tenant = await make.organization();
  const [{ client }, { client: admin }] = [await tenant.as('member'), await tenant.as('admin')];
  const { id: assetId, value } = await make.asset(tenant.id);
  const [job] = await query<{ uuid: string }>(
    `INSERT INTO jobs (uuid, organization_id, asset_id, url, kind, depth, status, started, finished, coverage)
     VALUES (gen_random_uuid(), $1, $2, $3, 'job', 'standard', 'FINISHED', now(), now() + interval '1 day', '[]') RETURNING uuid`,
    [tenant.id, assetId, `https://${value}/`],
  );
  return { organizationId: tenant.id, assetId, client, admin, value, uuid: job?.uuid ?? '' };
}

interface Recorded {
  readonly title: string;
  readonly severity: number;
  readonly count: number;
  readonly check?: string | null;
  readonly status?: number;
  readonly port?: string;
}

/** Findings that no test has examined: without a check, or with one elsewhere on the host, or on the origin of the job. */
const record = (
  { organizationId, assetId, value }: Host,
  { title, severity, count, check = null, status = 1, port = ':8443' }: Recorded,
): Promise<unknown> =>
  query(
    `INSERT INTO findings (organization_id, asset_id, asset_value, title, md, html, status, severity, priority, fingerprint, check_id, check_definition)
     SELECT $1, $2, $3, $4, 'Text.', '<p>Text.</p>', $8, $5, 1, decode(md5($4 || n) || md5($4 || n), 'hex'), $7::text,
       CASE WHEN $7::text IS NOT NULL THEN jsonb_build_object('location', 'https://' || $3 || $9::text || '/' || n) END
     FROM generate_series(1, $6::int) n`,
    [organizationId, assetId, value, title, severity, count, check, status, port],
  );

const outcomes = (): JobOutcomes => api.app.get(JobOutcomes, { strict: false });

async function jobOf({ uuid }: Host): Promise<Job> {
  const job = await api.app.get(JobsRepository, { strict: false }).findOne(everything('a test'), uuid);
  if (job === undefined) throw new Error('The job does not exist.');
  return job;
}

const gateOf = async (host: Host): Promise<string> => outcomes().gateAtEnd(await jobOf(host), []);

/** How many findings each statement looks at that asks for those that no test has examined. */
async function readBy(work: () => Promise<unknown>): Promise<number[]> {
  const statements = await statementsOf(work);
  const read: number[] = [];
  for (const statement of statements.filter(({ text }) => text.includes("IN ('untested', 'inconclusive')")))
    read.push((await rowsReadBy(database, statement))['findings'] ?? 0);
  return read;
}

/** How each statement that counts findings finds those that are listed, in the plan for any number of them. */
async function comparedBy(work: () => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  for (const statement of await statementsOf(work)) {
    if (!/count\((DISTINCT|\*)/.test(statement.text) || !statement.text.includes('FROM findings f')) continue;
    const plan = await genericPlanOf(database, statement);
    found.push(plan.some(({ Filter = '' }) => Filter.includes('hashed SubPlan')) ? 'hashed' : 'one by one');
  }
  return found;
}

/** Without what the process may do beside it, such as collecting garbage. */
async function shortestOf(count: number, measure: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let at = 0; at < count; at++) all.push(await measure());
  return Math.min(...all);
}

const accept = async ({ admin }: Host, assetId: number) => {
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const path = `/v1/assets/${assetId}/accepted-checks/exposed-git`;
  expect((await admin.put(path, { reason: 'Staging.', until })).status).toBe(200);
};

const success = async ({ client, uuid }: Host, severity: string) =>
  (await client.get(`/v1/jobs/${uuid}/success?severity=${severity}`)).body;

describe('a job on a host with very many findings that no test has examined', () => {
  it('reads a few of them when it ends, and later counts all', async () => {
    const host = await hostWithJob();
    await record(host, { title: 'Weak', severity: 3, count: MANY });
    await record(host, { title: 'Note', severity: 1, count: 10 });
    await record(host, { title: 'Worst', severity: 4, count: 2 });
    const job = await jobOf(host);
    const [atEnd, ...others] = await readBy(() => outcomes().gateAtEnd(job, []));
    expect(atEnd).toBeLessThan(1_000);
    expect(others).toEqual([]);
    expect(await gateOf(host)).toBe('failed');
    expect(await success(host, 'medium')).toMatchObject({
      success: false,
      failing: MANY + 2,
      description: expect.stringContaining(
        `${MANY + 2} claimed earlier and not confirmed as fixed ("Worst": it has no check, "Worst": it has no check, "Weak": it has no check, ${MANY - 1} more)`,
      ),
    });
    expect(await comparedBy(() => success(host, 'medium'))).toEqual(['hashed']);
    expect(await success(host, 'high')).toMatchObject({ success: false, failing: 2 });
    expect(await success(host, 'critical')).toMatchObject({ success: true, failing: 0 });
  });

  it('reads each of them at most twice, whatever PostgreSQL believes of the host', async () => {
    const host = await hostWithJob();
    const count = 3_000;
    await record(host, { title: 'Weak', severity: 3, count });
    await database.query('ANALYZE findings');
    const job = await jobOf(host);
    const [read = Infinity, ...others] = await readBy(() => outcomes().outcomeOf(job));
    expect(read).toBeLessThanOrEqual(2 * count);
    expect(others).toEqual([]);
  });

  it('is failed by the one that no acceptance concerns, however many others are accepted', async () => {
    const host = await hostWithJob();
    await record(host, { title: 'Accepted', severity: 4, count: 300, check: 'exposed-git' });
    expect(await gateOf(host)).toBe('failed');
    await accept(host, host.assetId);
    expect(await gateOf(host)).toBe('passed');
    expect(await success(host, 'medium')).toMatchObject({ success: true, failing: 0 });
    await record(host, { title: 'Note', severity: 2, count: 300 });
    expect(await gateOf(host)).toBe('passed');
    const elsewhere = (from: string, to: string) =>
      query(
        `UPDATE findings SET check_definition = jsonb_build_object('location', $3::text) WHERE organization_id = $1 AND check_definition ->> 'location' = $2`,
        [host.organizationId, from, to],
      );
    const [covered, uncovered] = [`https://${host.value}:8443/300`, 'https://other.example:8443/300'];
    await elsewhere(covered, uncovered);
    expect(await gateOf(host)).toBe('failed');
    await elsewhere(uncovered, covered);
    await record(host, { title: 'Last', severity: 3, count: 1 });
    expect(await gateOf(host)).toBe('failed');
    expect(await success(host, 'medium')).toMatchObject({ success: false, failing: 1 });
  });
});

describe('a job on a host with more findings of accepted checks than it lists', () => {
  const cut = MANY - MAX_KNOWN;

  it('reads as many of them, passes if the whole host is accepted, and fails if one may be elsewhere', async () => {
    const host = await hostWithJob();
    await record(host, { title: 'Accepted', severity: 3, count: MANY, check: 'exposed-git' });
    await accept(host, host.assetId);
    const statements = await statementsOf(() => gateOf(host));
    const listing = statements.find(({ text }) =>
      /"ownId".*IN \('untested', 'inconclusive'\).*\) = \$\d+ ORDER/s.test(text),
    );
    expect((await database.query(listing?.text ?? '', listing?.values)).rowCount).toBe(MAX_KNOWN);
    expect(await gateOf(host)).toBe('passed');
    expect(await success(host, 'medium')).toMatchObject({ success: true, failing: 0 });
    expect(await comparedBy(() => success(host, 'medium'))).toEqual(['hashed']);
    for (const definition of [
      { location: `https://${host.value}:8443@other.example/` },
      { location: `https://${host.value.replace('.', '-')}/` },
      { location: `https://${host.value}:8443/`, http: 'A template.' },
    ]) {
      await query(
        `UPDATE findings SET check_definition = $2 WHERE id = (SELECT min(id) FROM findings WHERE organization_id = $1)`,
        [host.organizationId, definition],
      );
      expect(await success(host, 'medium')).toMatchObject({
        success: false,
        failing: 1,
        description: expect.stringContaining('1 further known findings were not tested'),
      });
    }
    expect(await gateOf(host)).toBe('incomplete');
    expect(await success(host, 'high')).toMatchObject({ success: true, failing: 0 });
  });

  it('fails by those that it does not list if only a page of the host is accepted', async () => {
    const host = await hostWithJob();
    await record(host, { title: 'Accepted', severity: 3, count: MANY, check: 'exposed-git' });
    const value = `https://${host.value}:8443/`;
    await accept(host, (await make.asset(host.organizationId, { value, type: 'url' })).id);
    expect(await success(host, 'medium')).toMatchObject({ success: false, failing: cut, failing_findings: [] });
  });
});

describe('a job on an origin with very many known findings', () => {
  const covered = (check: string, outcome: string) => ({
    check,
    location: 'https://www.example.com/',
    outcome,
    reason: 'A reason.',
    controlFailure: null,
    verdict: null,
  });

  it('reads the open and most severe ones, and is failed by the others', async () => {
    const host = await hostWithJob();
    const known = { check: 'exposed-git', port: '' };
    await record(host, { title: 'Note', severity: 1, count: MAX_KNOWN - 1, ...known });
    expect(await gateOf(host)).toBe('passed');
    await record(host, { title: 'Resolved', severity: 3, count: 7, ...known, check: 'exposed-env', status: 5 });
    await record(host, { title: 'Dismissed', severity: 4, count: 5, ...known, status: 7 });
    expect(await gateOf(host)).toBe('failed');
    await record(host, { title: 'Open', severity: 0, count: 1, ...known });
    expect(await gateOf(host)).toBe('incomplete');
    expect(await success(host, 'medium')).toMatchObject({
      success: false,
      failing: 7,
      failing_findings: [],
      description: 'Findings of at least medium severity: 7 further known findings were not tested.',
    });
    expect(await comparedBy(() => success(host, 'medium'))).toEqual(['hashed']);
    const turnMs = await shortestOf(3, () => longestTurnDuring(() => success(host, 'medium')));
    const loopMs = await shortestOf(5, () => Promise.resolve(ProcessorTime.loopMs()));
    expect(turnMs / loopMs).toBeLessThan(MAX_TURN_LOOPS);
    await record(host, { title: 'Worst', severity: 4, count: 2, ...known });
    expect(await success(host, 'medium')).toMatchObject({
      success: false,
      failing: 9,
      description: expect.stringMatching(
        /^Findings of at least medium severity: 2 claimed .*; 7 further known findings were/,
      ),
    });
    const tested = Array.from({ length: 20 }, (_, at) => covered(`check-${at}`, 'not_vulnerable'));
    await query('UPDATE jobs SET coverage = $1 WHERE uuid = $2', [
      JSON.stringify([...tested, covered('exposed-env', 'blocked')]),
      host.uuid,
    ]);
    await query('UPDATE findings SET severity = 1 WHERE organization_id = $1', [host.organizationId]);
    expect(await success(host, 'medium')).toMatchObject({
      success: false,
      failing: 0,
      incomplete_checks: [expect.objectContaining({ id: 'exposed-env' })],
    });
  });
});
