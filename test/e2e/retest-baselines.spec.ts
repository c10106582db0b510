import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());
beforeEach(() => {
  site.state = 'exposed';
  site.isRedesigned = false;
});

interface RecordedFinding {
  readonly client: Client;
  readonly id: number;
  readonly slug: string;
  /** Records the finding again, and waits for its initial verification. */
  recordAgain(): Promise<void>;
}

/** Records a finding with the check `exposed-git` in the current state of the site. */
async function recordFinding(): Promise<RecordedFinding> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const { slug } = await make.event(tenant.id, { status: 'running' });
  await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
  const check = { id: 'exposed-git', location: site.url };
  const body = { title: 'A Git repository is public', severity: 'high', asset_id: assetId, check };
  let times = 0;
  const record = async (): Promise<number> => {
    const { id } = (await client.post(`/v1/events/${slug}/findings/`, body)).body;
    times++;
    await eventually(async () => {
      const looks = await query<{ metadata: { seen: boolean } }>(
        `SELECT metadata FROM audit_logs WHERE operation = 'finding.baseline' AND resource_id = $1`,
        [String(id)],
      );
      expect(looks.map(({ metadata }) => metadata.seen)).toEqual(Array.from({ length: times }, () => true));
    });
    return id;
  };
  return { client, id: await record(), slug, recordAgain: async () => void (await record()) };
}

const baselineOf = ({ id }: RecordedFinding): Promise<object[]> =>
  query('SELECT baseline FROM finding_baselines WHERE finding_id = $1', [id]);

async function retest({ client, id }: RecordedFinding, state: VulnerableSite['state']) {
  site.state = state;
  const path = `/v1/findings/${id}/retest`;
  expect((await client.post(path)).status).toBe(202);
  await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
  const { result, reason } = (await client.get(path)).body;
  return { result, reason };
}

const stillVulnerable = { result: 'still_vulnerable', reason: expect.stringContaining('/.git/HEAD is public') };
const fixed = {
  result: 'fixed',
  reason: expect.stringContaining('/.git/HEAD, /.git/config, /.git/index, /.git/logs/HEAD: not there'),
};

describe('the response of a target during an outage of its front page', () => {
  it.each(['outage', 'gone'] as const)(
    'does not replace the baseline when a retest sees the weakness (%s), so that the fix is recognized later',
    async (state) => {
      const finding = await recordFinding();
      const before = await baselineOf(finding);
      expect(before).toHaveLength(1);
      expect(await retest(finding, state)).toEqual(stillVulnerable);
      expect(await baselineOf(finding)).toEqual(before);
      expect(await retest(finding, 'removed')).toEqual(fixed);
    },
  );

  it('does not replace the baseline when the finding is recorded again', async () => {
    const finding = await recordFinding();
    const before = await baselineOf(finding);
    site.state = 'outage';
    await finding.recordAgain();
    expect(await baselineOf(finding)).toEqual(before);
    expect(await retest(finding, 'removed')).toEqual(fixed);
  });

  it('does not replace the baseline when a job sees the weakness', async () => {
    const finding = await recordFinding();
    const before = await baselineOf(finding);
    site.state = 'outage';
    const { client, slug, id } = finding;
    const { uuid } = (await client.post('/v1/jobs/launch', { url: site.url, event_slug: slug })).body;
    await eventually(async () =>
      expect(['FINISHED', 'ERROR']).toContain((await client.get(`/v1/jobs/${uuid}/status`)).body.status),
    );
    expect(await query(`SELECT outcome FROM job_findings WHERE finding_id = $1`, [id])).toEqual([{ outcome: 'seen' }]);
    expect(await baselineOf(finding)).toEqual(before);
    expect(await retest(finding, 'removed')).toEqual(fixed);
  });

  it('does not become the first baseline; the next retest on the healthy site provides it', async () => {
    site.state = 'outage';
    const finding = await recordFinding();
    expect(await baselineOf(finding)).toEqual([]);
    expect(await retest(finding, 'outage')).toEqual(stillVulnerable);
    expect(await retest(finding, 'exposed')).toEqual(stillVulnerable);
    expect(await baselineOf(finding)).toHaveLength(1);
    expect(await retest(finding, 'removed')).toEqual(fixed);
  });
});

it('a target that was redesigned while vulnerable is compared with its new page', async () => {
  const finding = await recordFinding();
  site.isRedesigned = true;
  expect(await retest(finding, 'exposed')).toEqual(stillVulnerable);
  expect(await retest(finding, 'removed')).toEqual(fixed);
});
