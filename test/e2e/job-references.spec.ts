import { TargetServer } from '../../src/engine/testing/target-server';
import { JOB_KIND } from '../../src/modules/jobs/domain/job-kind';
import { useApi, useWorker } from '../support/api';
import type { Client, Credentials } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { pipeline, type PipelineSettings, withCurl } from '../support/pipeline';

const text = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });
const GIT = {
  '/.git/HEAD': text('ref: refs/heads/main\n'),
  '/.git/config': text('[core]\n\trepositoryformatversion = 0\n'),
};
const ENV = { '/.env': text('APP_KEY=base64:c2VjcmV0c2VjcmV0c2VjcmV0\nDB_PASSWORD=hunter2hunter2\n') };
const CHECKS = ['exposed-git', 'exposed-env'];

let main: TargetServer;
let preview: TargetServer;
const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${main.port},127.0.0.1:${preview.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
beforeAll(async () => {
  [main, preview] = [await TargetServer.start({}), await TargetServer.start({})];
});
afterAll(() => Promise.all([main.stop(), preview.stop()]));
const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

interface Team {
  readonly tenant: Tenant;
  readonly admin: Client;
  /** Of the main branch, named by the reference. */
  readonly main: Client;
  readonly mainKey: string;
  readonly credentials: Credentials;
  /** Of pull requests. */
  readonly pull: Client;
  readonly asset: number;
  readonly previewAsset: number;
}

async function team(): Promise<Team> {
  const tenant = await make.organization();
  const [main_, pull] = [
    await make.member(tenant.id, 'member', { scopes: ['ci'] }),
    await make.member(tenant.id, 'member', { scopes: ['ci'] }),
  ];
  const { client: admin } = await tenant.as('admin');
  const { id } = await make.asset(tenant.id, { value: `http://127.0.0.1:${main.port}/`, type: 'url' });
  const other = await make.asset(tenant.id, { value: `http://127.0.0.1:${preview.port}/`, type: 'url' });
  const mainKey = main_.credentials.accessKey;
  const { credentials } = main_;
  return {
    tenant,
    admin,
    main: main_.client,
    mainKey,
    credentials,
    pull: pull.client,
    asset: id,
    previewAsset: other.id,
  };
}

async function scan(client: Client, target: TargetServer, checks = CHECKS): Promise<string> {
  const { body } = await client.post('/v1/jobs/launch', { url: `http://127.0.0.1:${target.port}/`, checks });
  const uuid = body.uuid as string;
  await eventually(async () =>
    expect((await client.get(`/v1/jobs/${uuid}/status`)).body).toEqual({ status: 'FINISHED' }),
  );
  return uuid;
}
const gate = async (client: Client, uuid: string, more: string) =>
  (await client.get(`/v1/jobs/${uuid}/success?${more}`)).body as {
    success: boolean;
    description: string;
    failing_findings: { title: string; check: string }[];
  };
const save = ({ admin, asset, mainKey }: Team, keys = [mainKey]) =>
  admin.put(`/v1/assets/${asset}/references/main`, { access_keys: keys });
const record = (client: Client, uuid: string) => client.post(`/v1/jobs/${uuid}/reference`, { reference: 'main' });

beforeEach(() => {
  [main.site, preview.site] = [{ pages: GIT }, { pages: GIT }];
});

describe('a pipeline with fail_on=new', () => {
  it('fails only for what the recorded job did not have, on a preview with another origin', async () => {
    const one = await team();
    const inPreview = `fail_on=new&reference=${one.asset}/main`;
    const pulled = await scan(one.pull, preview);
    const unknown = await gate(one.pull, pulled, inPreview);
    expect([unknown.success, unknown.description]).toEqual([
      false,
      expect.stringMatching(/^The asset of the job has no/),
    ]);
    await save(one);
    const empty = await gate(one.pull, pulled, inPreview);
    expect([empty.success, empty.description]).toEqual([false, expect.stringContaining('has no recorded job')]);

    const uuid = await scan(one.main, main);
    expect(await gate(one.main, uuid, 'fail_on=new')).toMatchObject({ success: false });
    expect((await record(one.main, uuid)).status).toBe(200);
    expect(await gate(one.main, uuid, 'fail_on=new')).toMatchObject({
      success: true,
      description: expect.stringMatching(/^No other open finding/) as string,
    });
    expect(await gate(one.pull, pulled, inPreview)).toMatchObject({ success: true, failing_findings: [] });
    // Its own asset has no reference of this name, and the default is to fail for all.
    for (const more of ['fail_on=new', 'fail_on=all&reference=main', `reference=${one.asset}/main`, ''])
      expect(await gate(one.pull, pulled, more)).toMatchObject({ success: false });
    for (const more of ['fail_on=newest', 'fail_on=new&reference=a%20b', 'fail_on='])
      expect((await one.pull.get(`/v1/jobs/${pulled}/success?${more}`)).status).toBe(400);

    const stranger = await team();
    await save(stranger);
    const foreign = await scan(stranger.pull, preview);
    const theirs = await gate(stranger.pull, foreign, inPreview);
    expect([theirs.success, theirs.description]).toEqual([false, expect.stringContaining('has no reference main')]);

    preview.site = { pages: { ...GIT, ...ENV } };
    const worse = await gate(one.pull, await scan(one.pull, preview), inPreview);
    expect([worse.success, worse.failing_findings.map(({ check }) => check)]).toEqual([false, ['exposed-env']]);
    expect(worse.description).toContain(`Known findings of the reference main (job ${uuid}) do not count: 1.`);
  });

  it('fails for a finding that was fixed since, or is more severe than recorded', async () => {
    const one = await team();
    await save(one);
    const uuid = await scan(one.main, main);
    await record(one.main, uuid);
    const pulled = await scan(one.pull, preview);
    const isGreen = async () => (await gate(one.pull, pulled, `fail_on=new&reference=${one.asset}/main`)).success;
    expect(await isGreen()).toBe(true);
    const severityOf = (change: string): Promise<unknown> =>
      query(
        `UPDATE job_references SET findings = (
           SELECT jsonb_agg(jsonb_set(f, '{severity}', to_jsonb((f ->> 'severity')::int ${change}))) FROM jsonb_array_elements(findings) f)
         WHERE asset_id = $1`,
        [one.asset],
      );
    await severityOf('- 1');
    expect(await isGreen()).toBe(false);
    await severityOf('+ 1');
    expect(await isGreen()).toBe(true);

    main.site = {};
    await scan(one.main, main);
    expect(await isGreen()).toBe(false);
    // It came back on the main branch, where it was recorded: a later job decides.
    main.site = { pages: GIT };
    const again = await scan(one.main, main);
    expect(await isGreen()).toBe(false);
    await record(one.main, again);
    expect(await isGreen()).toBe(true);
  });

  it('fails for a check that the recorded job did not run or could not complete', async () => {
    const one = await team();
    await save(one);
    await record(one.main, await scan(one.main, main, ['exposed-env']));
    const pulled = await scan(one.pull, preview);
    const inPreview = `fail_on=new&reference=${one.asset}/main`;
    expect(await gate(one.pull, pulled, inPreview)).toMatchObject({ success: false });
    await record(one.main, await scan(one.main, main));
    expect(await gate(one.pull, pulled, inPreview)).toMatchObject({ success: true });
    // The result of the job is the same without the recorded one.
    await query(`DELETE FROM jobs WHERE asset_id = $1`, [one.asset]);
    expect(await gate(one.pull, pulled, inPreview)).toMatchObject({ success: true });
    await one.admin.delete(`/v1/assets/${one.asset}`);
    expect(await gate(one.pull, pulled, inPreview)).toMatchObject({ success: false });
  });
});

withCurl('the script with ASSAY_FAIL_ON=new', () => {
  it('records a job, compares with it, and never succeeds without what it is told to do', async () => {
    const one = await team();
    await save(one);
    const url = `http://127.0.0.1:${main.port}/`;
    const run = async (more: Partial<PipelineSettings>) => {
      const settings = { service: api.url, credentials: one.credentials, checks: CHECKS.join(' '), severity: 'medium' };
      const script = pipeline(url, { ...settings, ...more });
      return [await script.exit, script.output() + script.errors()] as const;
    };
    expect(await run({ record: 'main' })).toEqual([1, expect.stringContaining('Recorded as the reference.')]);
    expect(await run({ failOn: 'new' })).toEqual([0, expect.stringContaining('do not count: 1.')]);
    expect(await run({ failOn: 'new', reference: 'other' })).toEqual([
      1,
      expect.stringContaining('no reference other'),
    ]);
    expect(await run({ record: 'other' })).toEqual([2, expect.stringContaining('not recorded as other')]);
    expect(await run({ failOn: 'newest' })).toEqual([2, expect.stringContaining('must be all or new')]);
    expect(await run({ failOn: 'new', reference: 'a b' })).toEqual([2, expect.stringContaining('names of references')]);
  });
});

describe('a reference', () => {
  it('is written by the keys that an admin named alone, and by no earlier or unfinished job', async () => {
    const one = await team();
    const earlier = await scan(one.main, main);
    expect((await record(one.main, earlier)).status).toBe(404);
    await save(one);
    const refused = await record(one.pull, earlier);
    expect([refused.status, refused.body.description]).toEqual([
      403,
      expect.stringContaining('does not name this key'),
    ]);
    expect((await record(one.admin, earlier)).status).toBe(403);
    const later = await scan(one.main, main);
    expect((await record(one.main, later)).body.description).toBe('Recorded as the reference.');
    expect((await record(one.main, earlier)).body.description).toContain('A later job is recorded already');
    const list = await one.pull.get(`/v1/assets/${one.asset}/references/`);
    expect(list.status).toBe(403);
    const { body } = await one.admin.get(`/v1/assets/${one.asset}/references/`);
    expect(body).toMatchObject({
      references: [{ name: 'main', access_keys: [one.mainKey], job_uuid: later, recorded_by: one.mainKey }],
    });
    const waiting = await one.main.post('/v1/jobs/launch', { url: `http://127.0.0.1:${preview.port}/` });
    await query(`UPDATE jobs SET status = 'CANCELED' WHERE uuid = $1`, [waiting.body.uuid]);
    await query(`DELETE FROM work WHERE kind = $1 AND reference = $2`, [JOB_KIND, waiting.body.uuid]);
    expect((await record(one.main, waiting.body.uuid as string)).status).toBe(409);
    // What was recorded stays when other keys are named, and no longer named ones lose the right at once.
    await save(one, []);
    expect((await record(one.main, later)).status).toBe(403);
    const kept = await one.admin.get(`/v1/assets/${one.asset}/references/`);
    expect(kept.body).toMatchObject({ references: [{ access_keys: [], job_uuid: later }] });
    const entries = await query<{ operation: string; metadata: object }>(
      `SELECT operation, metadata FROM audit_logs WHERE organization_id = $1 AND operation LIKE '%reference' AND status = 'success' ORDER BY id`,
      [one.tenant.id],
    );
    expect(entries.map(({ operation }) => operation)).toEqual([
      'asset.save_reference',
      'job.record_reference',
      'job.record_reference',
      'asset.save_reference',
    ]);
    expect(entries[0]?.metadata).toMatchObject({ reference: 'main', from: null, to: [one.mainKey] });
  });

  it('has a plain name, valid keys, and at most 19 others on its asset', async () => {
    const one = await team();
    const path = `/v1/assets/${one.asset}/references`;
    for (const name of ['a%20b', '-a', 'x'.repeat(101)])
      expect((await one.admin.put(`${path}/${name}`, { access_keys: [] })).status).toBe(400);
    for (const keys of [
      ['as_secret'],
      ['ak_a', 'ak_a'],
      ['ak_'],
      'ak_a',
      Array.from({ length: 21 }, (_, at) => `ak_${at}`),
    ])
      expect((await one.admin.put(`${path}/main`, { access_keys: keys })).status).toBe(400);
    const many = await Promise.all(
      Array.from({ length: 25 }, (_, at) => one.admin.put(`${path}/r-${at}`, { access_keys: ['ak_a'] })),
    );
    const statuses = many.map(({ status }) => status).toSorted();
    expect([statuses.filter((status) => status === 200).length, new Set(statuses)]).toEqual([20, new Set([200, 422])]);
    const { body } = await one.admin.get(`${path}/`);
    const [first] = (body as { references: { name: string }[] }).references;
    expect((await one.admin.put(`${path}/${first?.name}`, { access_keys: [] })).status).toBe(200);
    expect((await one.admin.delete(`${path}/${first?.name}`)).status).toBe(200);
    expect((await one.admin.delete(`${path}/${first?.name}`)).status).toBe(404);
    expect((await one.admin.put(`${path}/main`, { access_keys: [] })).status).toBe(200);
  });
});
