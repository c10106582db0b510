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

interface Scene {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly assetId: number;
  readonly findingId: number;
  readonly uuid: string;
  readonly path: string;
}

/** A retest that is accepted, and that nobody works on yet. */
async function accepted(): Promise<Scene> {
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

const ended = ({ client, path }: Scene, status: string) =>
  eventually(async () => expect((await client.get(path)).body.status).toBe(status));

const reasonOf = async ({ client, path }: Scene): Promise<string> => (await client.get(`${path}/evidence`)).body.reason;

const statusOf = async ({ client, findingId }: Scene): Promise<number> =>
  (await client.get(`/v1/findings/${findingId}/`)).body.findings[0].status;

const asked = async (work: Promise<void>): Promise<number> => {
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
  const scene = await accepted();
  expect((await scene.client.delete(`/v1/assets/${scene.assetId}`)).status).toBe(200);
  expect(await asked(withWorker(() => ended(scene, 'error')))).toBe(0);
  expect(await reasonOf(scene)).toContain('asset was deleted');
});

it('a retest that was canceled before it was claimed never runs', async () => {
  const scene = await accepted();
  expect((await scene.client.post(`${scene.path}/cancel`)).body.status).toBe('canceled');
  const other = await accepted();
  const requests = await asked(withWorker(() => ended(other, 'finished')));
  const single = await asked(
    withWorker(async () => {
      const third = await accepted();
      await ended(third, 'finished');
    }),
  );
  expect(requests).toBe(single);
  expect((await scene.client.get(scene.path)).body.status).toBe('canceled');
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

  async function underWay(scene: Scene): Promise<void> {
    await ended(scene, 'in_progress');
    await eventually(async () => expect(site.heldRequests).toBe(1));
  }

  it('keeps its asset from being deleted, and can be canceled; its result is dropped', async () => {
    site.hold();
    const scene = await accepted();
    await withWorker(async () => {
      await underWay(scene);
      expect((await scene.client.delete(`/v1/assets/${scene.assetId}`)).status).toBe(409);
      expect((await scene.client.post(`${scene.path}/verdict`, { result: 'fixed' })).status).toBe(409);
      expect((await scene.client.post(`${scene.path}/cancel`)).body.status).toBe('canceled');
      site.release();
      expect((await scene.client.delete(`/v1/assets/${scene.assetId}`)).status).toBe(200);
    });
    expect((await scene.client.get(scene.path)).body).toMatchObject({ status: 'canceled', result: null });
    expect(await statusOf(scene)).toBe(1);
  });

  it('has its result dropped when its asset is deleted with its beacon', async () => {
    site.hold();
    const scene = await accepted();
    await query('UPDATE findings SET status = 5 WHERE id = $1', [scene.findingId]);
    await withWorker(async () => {
      await underWay(scene);
      await query('DELETE FROM assets WHERE id = $1', [scene.assetId]);
      site.release();
      await ended(scene, 'error');
    });
    expect(await reasonOf(scene)).toContain('asset was deleted');
    expect(await statusOf(scene)).toBe(5);
  });

  it('has its late result dropped when the retest has already ended', async () => {
    site.hold();
    const scene = await accepted();
    await withWorker(async () => {
      await underWay(scene);
      await query(
        `UPDATE retests SET status = 'finished', result = 'inconclusive', reason = 'Ended elsewhere.', finished = now()
         WHERE uuid = $1`,
        [scene.uuid],
      );
      site.release();
      await eventually(async () =>
        expect(await query('SELECT state FROM work WHERE reference = $1', [scene.uuid])).toEqual([{ state: 'done' }]),
      );
    });
    expect((await scene.client.get(scene.path)).body.result).toBe('inconclusive');
    expect(await reasonOf(scene)).toBe('Ended elsewhere.');
  });

  it('ends either canceled or completed when it is canceled exactly at its end', async () => {
    const scenes: Scene[] = [];
    for (let count = 0; count < 10; count++) scenes.push(await accepted());
    await withWorker(async () => {
      await Promise.all(
        scenes.map(async (scene, index) => {
          await eventually(async () => expect((await scene.client.get(scene.path)).body.status).not.toBe('pending'));
          const answers = await Promise.all([
            scene.client.post(`${scene.path}/cancel`),
            scene.client.post(`${scene.path}/verdict`, { result: 'fixed' }),
            ...(index % 2 === 0 ? [scene.client.post(`${scene.path}/cancel`)] : []),
          ]);
          expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
          const { status } = (await scene.client.get(scene.path)).body;
          expect(status).toBe(answers.some((answer) => answer.body.status === 'canceled') ? 'canceled' : 'finished');
        }),
      );
    });
    const ends = await query<{ count: number }>(
      `SELECT count(*)::int AS count FROM audit_logs WHERE operation = 'retest.end' AND resource_id = ANY($1) GROUP BY resource_id`,
      [scenes.map(({ uuid }) => uuid)],
    );
    expect(ends.every(({ count }) => count === 1)).toBe(true);
  });

  it('is taken over by another worker and ends once when its worker dies', async () => {
    const scene = await accepted();
    await query(
      `UPDATE work SET state = 'running', attempt = 1, lease_until = now() - interval '1 second' WHERE reference = $1`,
      [scene.uuid],
    );
    await query(`UPDATE retests SET status = 'in_progress', started = now() WHERE uuid = $1`, [scene.uuid]);
    await withWorker(() => ended(scene, 'finished'));
    expect((await scene.client.get(scene.path)).body.result).toBe('still_vulnerable');
    const ends = await query(`SELECT 1 FROM audit_logs WHERE operation = 'retest.end' AND resource_id = $1`, [
      scene.uuid,
    ]);
    expect(ends).toHaveLength(1);
  });

  it('ends in ERROR with a reason when its worker dies in the last attempt', async () => {
    const scene = await accepted();
    await query(
      `UPDATE work SET state = 'running', attempt = 5, failures = 4, lease_until = now() - interval '1 second' WHERE reference = $1`,
      [scene.uuid],
    );
    await withWorker(() => ended(scene, 'error'));
    expect((await scene.client.get(scene.path)).body.result).toBeNull();
    expect(await reasonOf(scene)).toContain('Start it again');
    expect((await scene.client.post(scene.path)).status).toBe(202);
  });
});
