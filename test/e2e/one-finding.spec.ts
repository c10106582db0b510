import type { ReportSnapshot } from '../../src/modules/reports/domain/report-snapshot';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { waitForJob, runJob } from '../support/jobs';
import { useWorkerProcess } from '../support/processes';
import { downloadReport } from '../support/reports';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const settings = {
  EGRESS_ALLOW: site.endpoint,
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
  WORK_SWEEP_SECONDS: '0.2',
};
const api = useApi(settings);
useWorkerProcess(settings);
const make = new Factories(api);

/** All checks take seconds of CPU time, so only the first test runs them. */
const SOME = { checks: ['missing-nosniff', 'missing-frame-protection', 'no-https-redirect'] };

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'vulnerable';
});

interface Listed {
  readonly id: number;
  readonly title: string;
  readonly status: number;
  readonly severity: string;
  readonly event_id: number | null;
}

interface Access {
  readonly client: Client;
  readonly organizationId: number;
  readonly assetId: number;
}

interface Fixture extends Access {
  newEvent(): Promise<{ id: number; slug: string }>;
}

/** An organization with the vulnerable site as an asset. */
async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('owner');
  const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const newEvent = async (): Promise<{ id: number; slug: string }> => {
    const dates = { start_date: '2026-01-01T00:00:00Z', end_date: '2099-01-01T00:00:00Z' };
    const event = await make.event(tenant.id, { status: 'running', ...dates });
    await client.post(`/v1/events/${event.slug}/scope/assets/`, { asset_id: assetId });
    return event;
  };
  return { client, organizationId: tenant.id, assetId, newEvent };
}

const listOf = async ({ client, organizationId }: Access): Promise<Listed[]> =>
  (await client.get(`/v1/organizations/${organizationId}/findings/?per_page=100`)).body.findings;

const eventListOf = async ({ client }: Access, slug: string): Promise<Listed[]> =>
  (await client.get(`/v1/events/${slug}/findings/?per_page=100`)).body.findings;

const reportOf = async ({ client }: Access, slug: string): Promise<ReportSnapshot> =>
  JSON.parse(await downloadReport(client, slug, { format: 'json' })) as ReportSnapshot;

const idsOf = (findings: readonly { readonly id: number }[]): number[] =>
  findings.map(({ id }) => id).toSorted((one, other) => one - other);

/** Expects one finding for each weakness in the lists, the totals, the success of the jobs and the report. */
async function expectEachOnce(
  fixture: Access,
  slug: string,
  jobs: readonly string[],
  titles: readonly string[],
): Promise<void> {
  const findings = await listOf(fixture);
  expect(findings.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
  for (const { status } of findings) expect(status).toBe(1);
  const ids = idsOf(findings);
  expect(idsOf(await eventListOf(fixture, slug))).toEqual(ids);
  const { body: asset } = await fixture.client.get(`/v1/assets/${fixture.assetId}`);
  expect([asset.n_findings, idsOf(asset.findings.findings), asset.risk_score]).toEqual([
    ids.length,
    ids,
    riskOf(findings),
  ]);
  for (const uuid of jobs) {
    const { job } = (await fixture.client.get(`/v1/jobs/${uuid}`)).body;
    expect(job.findings.map(({ title }: Listed) => title).toSorted()).toEqual(titles.toSorted());
    const { description } = (await fixture.client.get(`/v1/jobs/${uuid}/success?severity=info`)).body;
    expect(description).toMatch(new RegExp(`: ${ids.length} found by this job \\(`));
    expect(description).not.toContain('from before');
  }
  const report = await reportOf(fixture, slug);
  expect(idsOf(report.findings)).toEqual(ids);
  expect(report.totals).toMatchObject({ findings: ids.length, left_out: 0, open: ids.length, resolved: 0 });
}

const weights: Readonly<Record<string, number>> = { low: 0.05, medium: 0.2, high: 0.45 };

const riskOf = (findings: readonly Listed[]): string =>
  (10 * (1 - findings.reduce((left, { severity }) => left * (1 - (weights[severity] ?? 0)), 1))).toFixed(1);

describe('a job with an event and then a job without one', () => {
  it('record one finding for each weakness in lists, totals, job success and report', async () => {
    const fixture = await createFixture();
    const { id: eventId, slug } = await fixture.newEvent();
    const first = await runJob(fixture.client, site.url, { event_slug: slug });
    const recorded = await eventListOf(fixture, slug);
    expect(recorded.length).toBeGreaterThan(1);
    const titles = recorded.map(({ title }) => title);
    await expectEachOnce(fixture, slug, [first], titles);

    const second = await runJob(fixture.client, site.url);
    await expectEachOnce(fixture, slug, [first, second], titles);
    expect(await listOf(fixture)).toEqual(recorded);
    for (const { event_id } of recorded) expect(event_id).toBe(eventId);
  });

  it('never leave a finding "resolved" in the event report when the other job has just seen it', async () => {
    const fixture = await createFixture();
    const { slug } = await fixture.newEvent();
    await runJob(fixture.client, site.url, { event_slug: slug, ...SOME });
    const nosniff = (await eventListOf(fixture, slug)).find(({ title }) => title.includes('MIME sniffing'));
    site.state = 'fixed';
    await runJob(fixture.client, site.url, { event_slug: slug, ...SOME });
    const statusInReport = async (): Promise<string | undefined> =>
      (await reportOf(fixture, slug)).findings.find(({ id }) => id === nosniff?.id)?.status_name;
    expect(await statusInReport()).toBe('resolved');
    site.state = 'vulnerable';
    await runJob(fixture.client, site.url, SOME);
    expect(await statusInReport()).toBe('open');
  });
});

describe('a job without an event and then jobs with two events', () => {
  it('record one finding for each weakness that belongs to both events', async () => {
    const fixture = await createFixture();
    await runJob(fixture.client, site.url, SOME);
    const recorded = await listOf(fixture);
    const titles = recorded.map(({ title }) => title);
    expect(titles.length).toBeGreaterThan(1);
    const events = [await fixture.newEvent(), await fixture.newEvent()];
    for (const { slug } of events) {
      expect(await eventListOf(fixture, slug)).toEqual([]);
      const uuid = await runJob(fixture.client, site.url, { event_slug: slug, ...SOME });
      await expectEachOnce(fixture, slug, [uuid], titles);
    }
    // `event_id` is null because a job without an event recorded them first.
    for (const { slug } of events) expect(await eventListOf(fixture, slug)).toEqual(recorded);
    for (const { event_id } of recorded) expect(event_id).toBeNull();
  });

  it('record each weakness once when all jobs run at the same time', async () => {
    const fixture = await createFixture();
    const events = [await fixture.newEvent(), await fixture.newEvent()];
    const orders = [{}, ...events.map(({ slug }) => ({ event_slug: slug }))];
    const uuids = await Promise.all(
      orders.map(
        async (order) => (await fixture.client.post('/v1/jobs/launch', { url: site.url, ...order, ...SOME })).body.uuid,
      ),
    );
    for (const uuid of uuids) expect(await waitForJob(fixture.client, uuid)).toBe('FINISHED');
    const titles = [...new Set((await listOf(fixture)).map(({ title }) => title))];
    expect(titles.length).toBeGreaterThan(1);
    for (const { slug } of events) await expectEachOnce(fixture, slug, uuids, titles);
  });
});

it('the link of a finding to an event says when it was first and last seen there', async () => {
  const fixture = await createFixture();
  const { slug, id } = await fixture.newEvent();
  await runJob(fixture.client, site.url, SOME);
  await runJob(fixture.client, site.url, { event_slug: slug, ...SOME });
  await runJob(fixture.client, site.url, { event_slug: slug, ...SOME });
  await runJob(fixture.client, site.url, SOME);
  const links = await query<Record<'created' | 'first_seen' | 'last_seen' | 'seen', Date>>(
    `SELECT f.created, l.first_seen, l.last_seen, f.last_seen AS seen
     FROM event_findings l JOIN findings f ON f.id = l.finding_id WHERE l.event_id = $1`,
    [id],
  );
  expect(links).toHaveLength((await listOf(fixture)).length);
  for (const { created, first_seen, last_seen, seen } of links) {
    const moments = [created, first_seen, last_seen, seen].map((moment) => moment.getTime());
    expect(moments).toEqual([...new Set(moments)].sort((one, other) => one - other));
  }
});
