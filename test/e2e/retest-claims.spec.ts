import { startWorker, useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly assetId: number;
  readonly findingId: number;
  readonly uuid: string;
  readonly path: string;
}

/** A pending retest. */
async function requestRetest(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const asset = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const finding = await make.finding(tenant.id, {
    asset: { ...asset, tier: null },
    checkId: 'missing-nosniff',
    checkDefinition: { location: site.url },
  });
  const path = `/v1/findings/${finding.id}/retest`;
  const { uuid } = (await client.post(path)).body;
  return { tenant, client, assetId: asset.id, findingId: finding.id, uuid, path };
}

async function withWorker(work: () => Promise<void>): Promise<void> {
  const worker = await startWorker(engine);
  try {
    await work();
  } finally {
    await worker.stop();
  }
}

const expectStatus = ({ client, path }: Fixture, status: string) =>
  eventually(async () => expect((await client.get(path)).body.status).toBe(status));

const reasonOf = async ({ client, path }: Fixture): Promise<string> =>
  (await client.get(`${path}/evidence`)).body.reason;

const statusOf = async ({ client, findingId }: Fixture): Promise<number> =>
  (await client.get(`/v1/findings/${findingId}/`)).body.findings[0].status;

const countRequests = async (work: Promise<void>): Promise<number> => {
  const before = site.requestCount;
  await work;
  return site.requestCount - before;
};

it('a claimed retest is refused when its domain is no longer verified', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id: domainId, value } = await make.domain(tenant.id, { verified: true });
  const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1', [tenant.id]);
  const finding = await make.finding(tenant.id, {
    asset: { id: asset?.id ?? 0, value, tier: null },
    checkId: 'missing-nosniff',
    checkDefinition: { location: `https://${value}/` },
  });
  const path = `/v1/findings/${finding.id}/retest`;
  expect((await client.post(path)).status).toBe(202);
  await query('UPDATE domains SET verified = false WHERE id = $1', [domainId]);
  await withWorker(() =>
    eventually(async () =>
      expect((await client.get(path)).body).toMatchObject({ status: 'finished', result: 'inconclusive' }),
    ),
  );
  const { reason, evidence } = (await client.get(`${path}/evidence`)).body;
  expect(reason).toContain('is not verified');
  expect(evidence).toBeNull();
});

it('a retest whose asset was deleted ends in ERROR without any request', async () => {
  const fixture = await requestRetest();
  expect((await fixture.client.delete(`/v1/assets/${fixture.assetId}`)).status).toBe(200);
  expect(await countRequests(withWorker(() => expectStatus(fixture, 'error')))).toBe(0);
  expect(await reasonOf(fixture)).toContain('asset was deleted');
});

it('a retest that was canceled before it was claimed never runs', async () => {
  const fixture = await requestRetest();
  expect((await fixture.client.post(`${fixture.path}/cancel`)).body.status).toBe('canceled');
  const other = await requestRetest();
  const requests = await countRequests(withWorker(() => expectStatus(other, 'finished')));
  const single = await countRequests(
    withWorker(async () => {
      const third = await requestRetest();
      await expectStatus(third, 'finished');
    }),
  );
  expect(requests).toBe(single);
  expect((await fixture.client.get(fixture.path)).body.status).toBe('canceled');
});

it('a retest of a deleted organization never runs', async () => {
  const partner = await make.integrator();
  const { id } = (await partner.client.post('/v1/organizations/', { name: 'Customer' })).body;
  const asset = await make.asset(id, { value: site.url, type: 'url' });
  const finding = await make.finding(id, {
    asset: { ...asset, tier: null },
    checkId: 'missing-nosniff',
    checkDefinition: { location: site.url },
  });
  const { uuid } = (await partner.client.post(`/v1/findings/${finding.id}/retest`)).body;
  expect((await partner.client.delete(`/v1/organizations/${id}/`)).status).toBe(200);
  expect((await partner.client.get(`/v1/findings/${finding.id}/retest`)).status).toBe(404);
  expect(await query('SELECT state FROM work WHERE reference = $1', [uuid])).toEqual([{ state: 'canceled' }]);
});

describe('a retest while a worker runs it', () => {
  afterEach(() => site.release());

  async function waitUntilHeld(fixture: Fixture): Promise<void> {
    await expectStatus(fixture, 'in_progress');
    await eventually(async () => expect(site.heldRequests).toBe(1));
  }

  it('keeps its asset from being deleted, and can be canceled; its result is dropped', async () => {
    site.hold();
    const fixture = await requestRetest();
    await withWorker(async () => {
      await waitUntilHeld(fixture);
      expect((await fixture.client.delete(`/v1/assets/${fixture.assetId}`)).status).toBe(409);
      expect((await fixture.client.post(`${fixture.path}/verdict`, { result: 'fixed' })).status).toBe(409);
      expect((await fixture.client.post(`${fixture.path}/cancel`)).body.status).toBe('canceled');
      site.release();
      expect((await fixture.client.delete(`/v1/assets/${fixture.assetId}`)).status).toBe(200);
    });
    expect((await fixture.client.get(fixture.path)).body).toMatchObject({ status: 'canceled', result: null });
    expect(await statusOf(fixture)).toBe(1);
  });

  it('has its result dropped when its asset is deleted with its beacon', async () => {
    site.hold();
    const fixture = await requestRetest();
    await query('UPDATE findings SET status = 5 WHERE id = $1', [fixture.findingId]);
    await withWorker(async () => {
      await waitUntilHeld(fixture);
      await query('DELETE FROM assets WHERE id = $1', [fixture.assetId]);
      site.release();
      await expectStatus(fixture, 'error');
    });
    expect(await reasonOf(fixture)).toContain('asset was deleted');
    expect(await statusOf(fixture)).toBe(5);
  });

  it('has its late result dropped when the retest has already ended', async () => {
    site.hold();
    const fixture = await requestRetest();
    await withWorker(async () => {
      await waitUntilHeld(fixture);
      await query(
        `UPDATE retests SET status = 'finished', result = 'inconclusive', reason = 'Ended elsewhere.', finished = now()
         WHERE uuid = $1`,
        [fixture.uuid],
      );
      site.release();
      await eventually(async () =>
        expect(await query('SELECT state FROM work WHERE reference = $1', [fixture.uuid])).toEqual([{ state: 'done' }]),
      );
    });
    expect((await fixture.client.get(fixture.path)).body.result).toBe('inconclusive');
    expect(await reasonOf(fixture)).toBe('Ended elsewhere.');
  });

  it('ends either canceled or completed when it is canceled exactly at its end', async () => {
    const fixtures: Fixture[] = [];
    for (let count = 0; count < 10; count++) fixtures.push(await requestRetest());
    await withWorker(async () => {
      await Promise.all(
        fixtures.map(async (fixture, index) => {
          await eventually(async () =>
            expect((await fixture.client.get(fixture.path)).body.status).not.toBe('pending'),
          );
          const answers = await Promise.all([
            fixture.client.post(`${fixture.path}/cancel`),
            fixture.client.post(`${fixture.path}/verdict`, { result: 'fixed' }),
            ...(index % 2 === 0 ? [fixture.client.post(`${fixture.path}/cancel`)] : []),
          ]);
          expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
          const { status } = (await fixture.client.get(fixture.path)).body;
          expect(status).toBe(answers.some((answer) => answer.body.status === 'canceled') ? 'canceled' : 'finished');
        }),
      );
    });
    const ends = await query<{ count: number }>(
      `SELECT count(*)::int AS count FROM audit_logs WHERE operation = 'retest.end' AND resource_id = ANY($1) GROUP BY resource_id`,
      [fixtures.map(({ uuid }) => uuid)],
    );
    expect(ends.every(({ count }) => count === 1)).toBe(true);
  });

  it('is taken over by another worker and ends once when its worker dies', async () => {
    const fixture = await requestRetest();
    await query(
      `UPDATE work SET state = 'running', attempt = 1, lease_until = now() - interval '1 second' WHERE reference = $1`,
      [fixture.uuid],
    );
    await query(`UPDATE retests SET status = 'in_progress', started = now() WHERE uuid = $1`, [fixture.uuid]);
    await withWorker(() => expectStatus(fixture, 'finished'));
    expect((await fixture.client.get(fixture.path)).body.result).toBe('still_vulnerable');
    const ends = await query(`SELECT 1 FROM audit_logs WHERE operation = 'retest.end' AND resource_id = $1`, [
      fixture.uuid,
    ]);
    expect(ends).toHaveLength(1);
  });

  it('ends in ERROR with a reason when its worker dies in the last attempt', async () => {
    const fixture = await requestRetest();
    await query(
      `UPDATE work SET state = 'running', attempt = 5, failures = 4, lease_until = now() - interval '1 second' WHERE reference = $1`,
      [fixture.uuid],
    );
    await withWorker(() => expectStatus(fixture, 'error'));
    expect((await fixture.client.get(fixture.path)).body.result).toBeNull();
    expect(await reasonOf(fixture)).toContain('Start it again');
    expect((await fixture.client.post(fixture.path)).status).toBe(202);
  });
});
