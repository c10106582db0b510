import { TargetServer } from '../../src/engine/testing/target-server';
import { type RunningApi, startApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { useContract } from '../support/contract';
import { query, testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { isSuccessForCurl, jobOf, pipeline, type PipelineSettings, type Run, withCurl } from '../support/pipeline';

/** With its repository lying open. */
const weak = {
  pages: {
    '/.git/HEAD': { headers: { 'content-type': 'text/plain' }, body: 'ref: refs/heads/main\n' },
    '/.git/config': { headers: { 'content-type': 'text/plain' }, body: '[core]\n\trepositoryformatversion = 0\n' },
  },
};

let target: TargetServer;
let api: RunningApi;
let proxy: DatabaseProxy;
let make: Factories;
const engine = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${target.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};

beforeAll(async () => {
  target = await TargetServer.start({});
  proxy = new DatabaseProxy((await testDatabase()).appUrl);
  await proxy.start();
  const short = { AUTH_CACHE_SECONDS: '0', DATABASE_PATIENCE_MS: '1500' };
  api = await startApi({ ...engine, ...short, DATABASE_URL: proxy.url });
  useContract(api.app);
  make = new Factories(api);
});
afterAll(async () => {
  await api.app.close();
  await proxy.disconnect();
  await target.stop();
});
beforeEach(() => {
  target.site = {};
  target.disturb = () => false;
});

interface Scene extends PipelineSettings {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly url: string;
  readonly assetId: number;
}

/** An organization that has the target among its assets, and a key for its pipelines. */
async function scene(): Promise<Scene> {
  const tenant = await make.organization();
  const { credentials } = await make.member(tenant.id, 'member', { scopes: ['ci'] });
  const { client } = await tenant.as('admin');
  const url = `http://127.0.0.1:${target.port}/`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  return { tenant, client, credentials, service: api.url, url, assetId: id };
}

const statusOf = async ({ client }: Scene, uuid: string): Promise<string> =>
  (await client.get(`/v1/jobs/${uuid}/status`)).body.status;

/** How the script ends, and whether a client that knows less sees the same. */
async function verdict(on: Scene, more: Partial<PipelineSettings> = {}): Promise<{ run: Run; exit: number | null }> {
  const run = pipeline(on.url, { ...on, ...more });
  const exit = await run.exit;
  const question = `success?fail=True&severity=${more.severity ?? 'high'}`;
  expect(await isSuccessForCurl(`${jobOf(run)}/${question}`, on)).toBe(exit === 0);
  return { run, exit };
}

withCurl('a pipeline', () => {
  // Not on the database that is taken away.
  useWorker(engine);

  it.each(['sh', 'bash'])('succeeds for a complete job without findings (%s)', async (shell) => {
    const on = await scene();
    const { run, exit } = await verdict(on, { shell });
    expect([exit, run.errors()]).toEqual([0, '']);
    expect(run.output()).toMatch(/is FINISHED\nassay: No finding of at least high severity stands\.\n$/);
  });

  it('fails for a vulnerable site from the configured severity on', async () => {
    const on = await scene();
    target.site = weak;
    const { run, exit } = await verdict(on);
    expect([exit, run.errors()]).toEqual([
      1,
      expect.stringMatching(/^assay: Findings of at least high severity: 1 seen/),
    ]);
    expect((await verdict(on, { severity: 'cosmic' })).exit).toBe(0);
    target.site = {};
    expect((await verdict(on)).exit).toBe(0);
  });

  it('fails when the target becomes unreachable during the job', async () => {
    const on = await scene();
    let requests = 0;
    target.disturb = (_request, _response, line) => {
      if (++requests > 10) line.destroy();
      return requests > 10;
    };
    const { run, exit } = await verdict(on);
    expect([exit, run.errors()]).toEqual([1, expect.stringContaining('The job ended in ERROR')]);
  });

  it('fails while an earlier finding is open, also when somebody set it to resolved by hand', async () => {
    const on = await scene();
    const draft = { title: 'Elsewhere', severity: 'high', checkId: 'missing-nosniff' };
    const finding = await make.finding(on.tenant.id, { ...draft, checkDefinition: { location: `${on.url}elsewhere` } });
    const { run, exit } = await verdict(on);
    expect([exit, run.errors()]).toEqual([1, expect.stringContaining('found earlier and not confirmed as fixed')]);
    const question = `${jobOf(run)}/success?fail=True&severity=high`;
    for (const [status, green] of [
      [5, false],
      [1, false],
      [7, true],
    ] as const) {
      expect((await on.client.post(`/v1/findings/${finding.id}/status/`, { status })).status).toBe(200);
      expect(await isSuccessForCurl(question, on)).toBe(green);
    }
  });

  it('runs its job in the named event', async () => {
    const on = await scene();
    const { slug } = await make.event(on.tenant.id, { status: 'running' });
    const outside = pipeline(on.url, { ...on, event: slug });
    expect([await outside.exit, outside.errors()]).toEqual([
      2,
      expect.stringContaining('not in the scope of the event'),
    ]);
    await on.client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: on.assetId, in_scope: true });
    expect((await verdict(on, { event: slug })).exit).toBe(0);
  });

  it('fails for a target that may not be tested, and for a caller without permission', async () => {
    const on = await scene();
    const viewer = (await make.member(on.tenant.id, 'viewer', { scopes: ['ci'] })).credentials;
    const wrong = { ...on.credentials, secret: viewer.secret };
    for (const [url, credentials, why] of [
      ['https://www.example.com/', on.credentials, 'may not be tested: No asset covers www.example.com'],
      ['ftp://example.com/', on.credentials, 'the service returned 400: '],
      [on.url, wrong, 'the service returned 401: Valid credentials are needed'],
      [on.url, viewer, 'the service returned 403: '],
    ] as const) {
      const run = pipeline(url, { ...on, credentials });
      expect([await run.exit, run.errors()]).toEqual([2, expect.stringContaining(why)]);
    }
    const stranger = await scene();
    const uuid = (await on.client.post('/v1/jobs/launch', { url: on.url })).body.uuid as string;
    await eventually(async () => expect(await statusOf(on, uuid)).toBe('FINISHED'), 20_000);
    expect(await isSuccessForCurl(`${uuid}/success?fail=True&severity=high`, on)).toBe(true);
    expect(await isSuccessForCurl(`${uuid}/success?fail=True&severity=high`, stranger)).toBe(false);
    expect(await isSuccessForCurl(`${uuid}/status`, stranger)).toBe(false);
  });
});

withCurl('a pipeline whose job nobody works on', () => {
  /** A run that has launched its job, and waits. */
  async function waiting(on: Scene, seconds?: number): Promise<Run> {
    const run = pipeline(on.url, { ...on, seconds });
    await eventually(async () => expect(run.output()).toContain('is PENDING'));
    return run;
  }

  it('fails and cancels the job when its time limit is over', async () => {
    const on = await scene();
    const run = await waiting(on, 2);
    expect([await run.exit, run.errors()]).toEqual([
      2,
      expect.stringContaining('timeout after 2 seconds; the job is PENDING'),
    ]);
    expect(await statusOf(on, jobOf(run))).toBe('CANCELED');
    expect(await isSuccessForCurl(`${jobOf(run)}/success?fail=True`, on)).toBe(false);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('cancels the job when it is stopped by %s', async (signal) => {
    const on = await scene();
    const run = await waiting(on);
    run.child.kill(signal);
    expect([await run.exit, run.errors()]).toEqual([2, expect.stringContaining('stopped by a signal')]);
    expect(await statusOf(on, jobOf(run))).toBe('CANCELED');
  });

  it('fails when the job is canceled', async () => {
    const on = await scene();
    const run = await waiting(on);
    expect((await on.client.post(`/v1/jobs/${jobOf(run)}/cancel`)).status).toBe(200);
    expect([await run.exit, run.errors()]).toEqual([1, expect.stringContaining('The job ended in CANCELED')]);
  });

  it('fails when its key is revoked during the job', async () => {
    const on = await scene();
    const run = await waiting(on);
    await query('UPDATE api_keys SET revoked = now() WHERE access_key = $1', [on.credentials.accessKey]);
    expect([await run.exit, run.errors()]).toEqual([2, expect.stringContaining('the service returned 401')]);
    expect(await isSuccessForCurl(`${jobOf(run)}/status`, on)).toBe(false);
  });

  it('fails when the database stays unreachable', async () => {
    const on = await scene();
    const run = await waiting(on, 4);
    await proxy.disconnect();
    try {
      expect(await isSuccessForCurl(`${jobOf(run)}/success?fail=True`, on)).toBe(false);
      expect([await run.exit, run.errors()]).toEqual([2, expect.stringContaining('seconds; the job is PENDING')]);
      expect(run.errors()).toContain('the service returned 503: The database cannot be reached');
    } finally {
      await proxy.restore();
    }
  });

  describe('while the database is unreachable for a time', () => {
    let run: Run;
    let on: Scene;
    beforeAll(async () => {
      on = await scene();
      run = await waiting(on);
      await proxy.disconnect();
      await eventually(async () => expect(run.errors()).toContain('503'));
      await proxy.restore();
    });
    useWorker(engine);

    it('succeeds if the job does', async () => {
      expect([await run.exit, await statusOf(on, jobOf(run))]).toEqual([0, 'FINISHED']);
    });
  });
});
