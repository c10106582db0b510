import { EventJobs } from '../../src/modules/jobs';
import { OrganizationsService } from '../../src/modules/organizations';
import { system } from '../../src/platform/api/caller';
import { everything } from '../../src/platform/api/scope';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { useWorkerProcess } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

/** So slow that no work on it ends during the test. */
const slow = new VulnerableSite('127.0.0.1', 6_000);
const site = new VulnerableSite('127.0.0.2');
const settings = {
  EGRESS_ALLOW: `${slow.endpoint},${site.endpoint}`,
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '20',
};
const api = useApi(settings);
const make = new Factories(api);

beforeAll(() => Promise.all([slow.start(), site.start()]));
useWorkerProcess(settings);
afterAll(() => Promise.all([slow.stop(), site.stop()]));

interface Owner {
  readonly tenant: Tenant;
  readonly pipeline: Client;
  readonly member: Client;
  readonly url: string;
  readonly assetId: number;
  readonly eventSlug: string;
}

async function ownerOf({ url }: VulnerableSite, integratorId?: number): Promise<Owner> {
  const tenant = await make.organization({ integratorId });
  const { client: pipeline } = await make.member(tenant.id, 'member', { scopes: ['ci'] });
  const { client: member } = await tenant.as('member');
  const { id: assetId } = await make.asset(tenant.id, { value: url, type: 'url' });
  const { slug: eventSlug } = await make.event(tenant.id);
  return { tenant, pipeline, member, url, assetId, eventSlug };
}

async function startRetest({ tenant, member, url, assetId }: Owner): Promise<string> {
  const finding = await make.finding(tenant.id, {
    asset: { id: assetId, value: url, tier: null },
    checkId: 'missing-nosniff',
    checkDefinition: { location: url },
  });
  const path = `/v1/findings/${finding.id}/retest`;
  expect((await member.post(path)).status).toBe(202);
  return path;
}

const launch = async ({ pipeline, url }: Owner): Promise<string> =>
  `/v1/jobs/${(await pipeline.post('/v1/jobs/launch', { url })).body.uuid}`;

const orderReport = async ({ member, eventSlug }: Owner): Promise<string> =>
  `/v1/reports/${(await member.post(`/v1/events/${eventSlug}/reports/`, {})).body.id}/`;

/** For each kind of work: how many pieces are done, running and waiting. */
const workOf = async ({
  tenant,
}: Owner): Promise<Record<string, readonly [over: number, running: number, waiting: number]>> => {
  const rows = await query<{ kind: string; over: number; running: number; waiting: number }>(
    `SELECT kind, count(*) FILTER (WHERE state NOT IN ('waiting', 'running'))::int AS over,
       count(*) FILTER (WHERE state = 'running')::int AS running, count(*) FILTER (WHERE state = 'waiting')::int AS waiting
     FROM work WHERE organization_id = $1 GROUP BY kind`,
    [tenant.id],
  );
  return Object.fromEntries(rows.map(({ kind, over, running, waiting }) => [kind, [over, running, waiting]]));
};

describe.each([
  ['another organization', async () => ({})],
  [
    'another organization of the same integrator',
    async () => ({ integratorId: (await make.integrator()).integratorId }),
  ],
] as const)('an organization beside one that floods the service, %s', (_who, withIntegrator) => {
  it('gets its retest, job and report finished before the other’s backlog', async () => {
    const { integratorId } = (await withIntegrator()) as { integratorId?: number };
    const flooding = await ownerOf(slow, integratorId);
    const other = await ownerOf(site, integratorId);
    for (let count = 0; count < 40; count++) await launch(flooding);
    for (let count = 0; count < 20; count++) await startRetest(flooding);
    // Of five slots, one is kept free for other integrators and one for other organizations of the same integrator.
    const most = integratorId === undefined ? 4 : 3;
    const full = { job: [0, most, 40 - most], 'retest.run': [0, most, 20 - most] };
    await eventually(async () => expect(await workOf(flooding)).toMatchObject(full));

    const retest = await startRetest(other);
    await eventually(async () => expect((await other.member.get(retest)).body.status).not.toBe('pending'));
    expect(await workOf(flooding)).toMatchObject(full);
    await eventually(async () => expect((await other.member.get(retest)).body.status).toBe('finished'));

    const job = await launch(other);
    await eventually(async () => expect((await other.pipeline.get(`${job}/status`)).body.status).not.toBe('PENDING'));
    const report = await orderReport(other);
    await eventually(async () => expect((await other.member.get(report)).body.generation_date).not.toBeNull());
    await eventually(
      async () => expect((await other.pipeline.get(`${job}/status`)).body.status).toBe('FINISHED'),
      25_000,
    );
    expect((await workOf(flooding))['job']).toEqual(full.job);

    await query(
      `UPDATE work SET state = 'canceled', lease_until = NULL, finished = now()
       WHERE organization_id = $1 AND state IN ('waiting', 'running')`,
      [flooding.tenant.id],
    );
  });
});

describe('machine events that use all slots of their jobs', () => {
  const scope = everything('a test launches the jobs of events');

  /** As the plan of a running event does. */
  async function launchOfEvent({ tenant, url, assetId }: Owner): Promise<void> {
    const { id: eventId, slug } = await make.event(tenant.id, { status: 'running' });
    const { client: admin } = await tenant.as('admin');
    await admin.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
    await query('UPDATE events SET automatic = true, report_at_end = false, event_category = 2 WHERE id = $1', [
      eventId,
    ]);
    const organizationId = tenant.id;
    const description = { actor: system, operation: 'event.plan', resourceType: 'event', organizationId } as const;
    await api.app.get(UnitOfWork).run(description, scope, async () => {
      await api.app.get(OrganizationsService, { strict: false }).lockForCounting(scope, organizationId);
      const accounts = { ids: [], role: 'admin' } as const;
      const job = { organizationId, eventId, beaconId: null, url, checks: null, depth: 'standard', accounts } as const;
      const launched = await api.app.get(EventJobs, { strict: false }).launchInLocked(scope, job);
      expect(launched).toEqual({ uuid: expect.any(String) });
    });
  }

  it('delay neither the job of a pipeline nor the event of another organization', async () => {
    const [first, second, other] = [await ownerOf(slow), await ownerOf(slow), await ownerOf(site)];
    for (let count = 0; count < 4; count++) for (const owner of [first, second]) await launchOfEvent(owner);
    const one = { 'job.event': [0, 1, 3] };
    await eventually(async () => {
      expect(await workOf(first)).toMatchObject(one);
      expect(await workOf(second)).toMatchObject(one);
    });
    for (const owner of [first, other]) {
      const job = await launch(owner);
      await eventually(
        async () => expect((await owner.pipeline.get(`${job}/status`)).body.status).not.toBe('PENDING'),
        10_000,
      );
    }
    expect(await workOf(first)).toMatchObject(one);
    await query(
      `UPDATE work SET state = 'canceled', lease_until = NULL, finished = now()
       WHERE organization_id = ANY($1) AND state IN ('waiting', 'running')`,
      [[first, second, other].map(({ tenant }) => tenant.id)],
    );
  });
});
