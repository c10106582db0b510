import { Client } from 'pg';
import { JobsRepository } from '../../src/modules/jobs/data/jobs.repository';
import type { Job } from '../../src/modules/jobs';
import { JobOutcomes } from '../../src/modules/jobs/job-outcomes';
import { everything } from '../../src/platform/api/scope';
import { useApi } from '../support/api';
import type { Client as ApiClient } from '../support/client';
import { query, testDatabase } from '../support/database';
import { Factories } from '../support/factories';
import { rowsReadBy } from '../support/plans';
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

/** Findings that no test has examined: without a check, or with one elsewhere on the host. */
const record = (
  { organizationId, assetId, value }: Host,
  { title, severity, count, check = null }: { title: string; severity: number; count: number; check?: string | null },
): Promise<unknown> =>
  query(
    `INSERT INTO findings (organization_id, asset_id, asset_value, title, md, html, status, severity, priority, fingerprint, check_id, check_definition)
     SELECT $1, $2, $3, $4, 'Text.', '<p>Text.</p>', 1, $5, 1, decode(md5($4 || n) || md5($4 || n), 'hex'), $7::text,
       CASE WHEN $7::text IS NOT NULL THEN jsonb_build_object('location', 'https://' || $3 || ':8443/' || n) END
     FROM generate_series(1, $6::int) n`,
    [organizationId, assetId, value, title, severity, count, check],
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
        `${MANY + 2} found earlier and not confirmed as fixed ("Worst": it has no check, "Worst": it has no check, "Weak": it has no check, ${MANY - 1} more)`,
      ),
    });
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
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const path = `/v1/assets/${host.assetId}/accepted-checks/exposed-git`;
    expect((await host.admin.put(path, { reason: 'Staging.', until })).status).toBe(200);
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
