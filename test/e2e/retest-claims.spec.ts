import { startWorker, useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { WeakSite } from '../support/weak-site';

const site = new WeakSite();
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
  const before = site.asked;
  await work;
  return site.asked - before;
};

it('the launch rule is asked again when a worker claims it: the domain is no longer verified', async () => {
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

it('one whose asset was deleted meanwhile ends in error, and nothing is sent', async () => {
  const scene = await accepted();
  expect((await scene.client.delete(`/v1/assets/${scene.assetId}`)).status).toBe(200);
  expect(await asked(withWorker(() => ended(scene, 'error')))).toBe(0);
  expect(await reasonOf(scene)).toContain('asset was deleted');
});

it('one that was canceled before anybody claimed it is never run', async () => {
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

it('one of a deleted organization is never run', async () => {
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

describe('while a worker is at it', () => {
  afterEach(() => site.letGo());

  async function underWay(scene: Scene): Promise<void> {
    await ended(scene, 'in_progress');
    await eventually(async () => expect(site.waiting).toBe(1));
  }

  it('its asset cannot be deleted, and it can be canceled: what was found is dropped', async () => {
    site.hold();
    const scene = await accepted();
    await withWorker(async () => {
      await underWay(scene);
      expect((await scene.client.delete(`/v1/assets/${scene.assetId}`)).status).toBe(409);
      expect((await scene.client.post(`${scene.path}/verdict`, { result: 'fixed' })).status).toBe(409);
      expect((await scene.client.post(`${scene.path}/cancel`)).body.status).toBe('canceled');
      site.letGo();
      expect((await scene.client.delete(`/v1/assets/${scene.assetId}`)).status).toBe(200);
    });
    expect((await scene.client.get(scene.path)).body).toMatchObject({ status: 'canceled', result: null });
    expect(await statusOf(scene)).toBe(1);
  });

  it('and its asset goes all the same, with its beacon, the result is dropped', async () => {
    site.hold();
    const scene = await accepted();
    await query('UPDATE findings SET status = 5 WHERE id = $1', [scene.findingId]);
    await withWorker(async () => {
      await underWay(scene);
      await query('DELETE FROM assets WHERE id = $1', [scene.assetId]);
      site.letGo();
      await ended(scene, 'error');
    });
    expect(await reasonOf(scene)).toContain('asset was deleted');
    expect(await statusOf(scene)).toBe(5);
  });

  it('and it is over before its work is, its result is dropped', async () => {
    site.hold();
    const scene = await accepted();
    await withWorker(async () => {
      await underWay(scene);
      await query(
        `UPDATE retests SET status = 'finished', result = 'inconclusive', reason = 'Ended elsewhere.', finished = now()
         WHERE uuid = $1`,
        [scene.uuid],
      );
      site.letGo();
      await eventually(async () =>
        expect(await query('SELECT state FROM work WHERE reference = $1', [scene.uuid])).toEqual([{ state: 'done' }]),
      );
    });
    expect((await scene.client.get(scene.path)).body.result).toBe('inconclusive');
    expect(await reasonOf(scene)).toBe('Ended elsewhere.');
  });

  it('and somebody cancels in the moment of its end, it ends in one of the two ways', async () => {
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

  it('and dies, another takes it over and ends it once', async () => {
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

  it('and dies in the last attempt too, it ends in error, in words', async () => {
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
