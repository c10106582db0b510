import { TargetServer } from '../../src/engine/testing/target-server';
import { type RunningApi, startApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { useContract } from '../support/contract';
import { query, testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { isSuccessForCurl, jobOf, pipeline, type PipelineSettings, type Run, withCurl } from '../support/pipeline';

/** A site with a public Git repository. */
const vulnerable = {
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
  const short = { AUTH_CACHE_SECONDS: '0', DATABASE_RETRY_MS: '1500', DATABASE_TIMEOUT_MS: '4000' };
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

interface Fixture extends PipelineSettings {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly url: string;
  readonly assetId: number;
}

/** An organization with the target as an asset, and a key for pipelines. */
async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { credentials } = await make.member(tenant.id, 'member', { scopes: ['ci'] });
  const { client } = await tenant.as('admin');
  const url = `http://127.0.0.1:${target.port}/`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  return { tenant, client, credentials, service: api.url, url, assetId: id };
}

const statusOf = async ({ client }: Fixture, uuid: string): Promise<string> =>
  (await client.get(`/v1/jobs/${uuid}/status`)).body.status;

/** Runs the script, and expects `curl -f` on the same job to agree with its exit code. */
async function runPipeline(
  fixture: Fixture,
  more: Partial<PipelineSettings> = {},
): Promise<{ run: Run; exit: number | null }> {
  const run = pipeline(fixture.url, { ...fixture, ...more });
  const exit = await run.exit;
  const question = `success?fail=True&severity=${more.severity ?? 'high'}`;
  expect(await isSuccessForCurl(`${jobOf(run)}/${question}`, fixture)).toBe(exit === 0);
  return { run, exit };
}

withCurl('a pipeline', () => {
  // Connected directly to the database, not through the proxy.
  useWorker(engine);

  it.each(['sh', 'bash'])('succeeds for a complete job without findings (%s)', async (shell) => {
    const fixture = await createFixture();
    const { run, exit } = await runPipeline(fixture, { shell });
    expect([exit, run.errors()]).toEqual([0, '']);
    expect(run.output()).toMatch(/is FINISHED\nassay: No open finding of at least high severity\.\n$/);
  });

  it('fails for a vulnerable site from the configured severity on', async () => {
    const fixture = await createFixture();
    target.site = vulnerable;
    const { run, exit } = await runPipeline(fixture);
    expect([exit, run.errors()]).toEqual([
      1,
      expect.stringMatching(/^assay: Findings of at least high severity: 1 found by this job/),
    ]);
    expect((await runPipeline(fixture, { severity: 'cosmic' })).exit).toBe(0);
    target.site = {};
    expect((await runPipeline(fixture)).exit).toBe(0);
  });

  it('succeeds when the check that fails it is accepted, and prints who accepted it', async () => {
    const fixture = await createFixture();
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const reason = 'Staging. {"success":false,"description":"x"}';
    const accepted = await fixture.client.put(`/v1/assets/${fixture.assetId}/accepted-checks/no-https-redirect`, {
      reason,
      until,
    });
    const { run, exit } = await runPipeline(fixture, { severity: 'medium' });
    expect([exit, run.errors()]).toEqual([0, '']);
    expect(run.output()).toContain(
      `no-https-redirect on ${fixture.url} until ${until.slice(0, 10)} by ${accepted.body.accepted_by} ('Staging. `,
    );
  });

  it('fails when the target becomes unreachable during the job', async () => {
    const fixture = await createFixture();
    let requests = 0;
    target.disturb = (_request, _response, line) => {
      if (++requests > 10) line.destroy();
      return requests > 10;
    };
    const { run, exit } = await runPipeline(fixture);
    expect([exit, run.errors()]).toEqual([1, expect.stringContaining('The job ended in ERROR')]);
  });

  it('fails while an earlier finding is open, also when a person set it to resolved by hand', async () => {
    const fixture = await createFixture();
    const draft = { title: 'Elsewhere', severity: 'high', checkId: 'missing-nosniff' };
    const finding = await make.finding(fixture.tenant.id, {
      ...draft,
      checkDefinition: { location: `${fixture.url}elsewhere` },
    });
    const { run, exit } = await runPipeline(fixture);
    expect([exit, run.errors()]).toEqual([1, expect.stringContaining('claimed earlier and not confirmed as fixed')]);
    const question = `${jobOf(run)}/success?fail=True&severity=high`;
    for (const [status, succeeds] of [
      [5, false],
      [1, false],
      [7, true],
    ] as const) {
      expect((await fixture.client.post(`/v1/findings/${finding.id}/status/`, { status })).status).toBe(200);
      expect(await isSuccessForCurl(question, fixture)).toBe(succeeds);
    }
  });

  it('runs its job in the named event', async () => {
    const fixture = await createFixture();
    const { slug } = await make.event(fixture.tenant.id, { status: 'running' });
    const outside = pipeline(fixture.url, { ...fixture, event: slug });
    expect([await outside.exit, outside.errors()]).toEqual([
      2,
      expect.stringContaining('not in the scope of the event'),
    ]);
    await fixture.client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: fixture.assetId, in_scope: true });
    expect((await runPipeline(fixture, { event: slug })).exit).toBe(0);
  });

  it('fails for a target that may not be tested, and for a caller without permission', async () => {
    const fixture = await createFixture();
    const viewer = (await make.member(fixture.tenant.id, 'viewer', { scopes: ['ci'] })).credentials;
    const wrong = { ...fixture.credentials, secret: viewer.secret };
    for (const [url, credentials, reason] of [
      ['https://www.example.com/', fixture.credentials, 'may not be tested: No asset covers www.example.com'],
      ['ftp://example.com/', fixture.credentials, 'the service returned 400: '],
      [fixture.url, wrong, 'the service returned 401: Valid credentials are required'],
      [fixture.url, viewer, 'the service returned 403: '],
    ] as const) {
      const run = pipeline(url, { ...fixture, credentials });
      expect([await run.exit, run.errors()]).toEqual([2, expect.stringContaining(reason)]);
    }
    const otherTenant = await createFixture();
    const uuid = (await fixture.client.post('/v1/jobs/launch', { url: fixture.url })).body.uuid as string;
    await eventually(async () => expect(await statusOf(fixture, uuid)).toBe('FINISHED'));
    expect(await isSuccessForCurl(`${uuid}/success?fail=True&severity=high`, fixture)).toBe(true);
    expect(await isSuccessForCurl(`${uuid}/success?fail=True&severity=high`, otherTenant)).toBe(false);
    expect(await isSuccessForCurl(`${uuid}/status`, otherTenant)).toBe(false);
  });
});

withCurl('a pipeline whose job is not claimed by a worker', () => {
  /** Long enough to launch a job on a busy machine: the script counts whole seconds from its start. */
  const shortLimit = 8;

  /** Starts the script and waits until it polls its pending job. */
  async function startPipeline(fixture: Fixture, seconds?: number): Promise<Run> {
    const run = pipeline(fixture.url, { ...fixture, seconds });
    await eventually(async () => expect(run.output()).toContain('is PENDING'));
    return run;
  }

  it('fails and cancels the job when its time limit is over', async () => {
    const fixture = await createFixture();
    const run = await startPipeline(fixture, shortLimit);
    expect([await run.exit, run.errors()]).toEqual([
      2,
      expect.stringContaining(`timeout after ${shortLimit} seconds; the job is PENDING`),
    ]);
    expect(await statusOf(fixture, jobOf(run))).toBe('CANCELED');
    expect(await isSuccessForCurl(`${jobOf(run)}/success?fail=True`, fixture)).toBe(false);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('cancels the job when it is stopped by %s', async (signal) => {
    const fixture = await createFixture();
    const run = await startPipeline(fixture);
    run.child.kill(signal);
    expect([await run.exit, run.errors()]).toEqual([2, expect.stringContaining('stopped by a signal')]);
    expect(await statusOf(fixture, jobOf(run))).toBe('CANCELED');
  });

  it('fails when the job is canceled', async () => {
    const fixture = await createFixture();
    const run = await startPipeline(fixture);
    expect((await fixture.client.post(`/v1/jobs/${jobOf(run)}/cancel`)).status).toBe(200);
    expect([await run.exit, run.errors()]).toEqual([1, expect.stringContaining('The job ended in CANCELED')]);
  });

  it('fails when its key is revoked during the job', async () => {
    const fixture = await createFixture();
    const run = await startPipeline(fixture);
    await query('UPDATE api_keys SET revoked = now() WHERE access_key = $1', [fixture.credentials.accessKey]);
    expect([await run.exit, run.errors()]).toEqual([2, expect.stringContaining('the service returned 401')]);
    expect(await isSuccessForCurl(`${jobOf(run)}/status`, fixture)).toBe(false);
  });

  it('fails when the database stays unreachable', async () => {
    const fixture = await createFixture();
    const run = await startPipeline(fixture, shortLimit);
    await proxy.disconnect();
    try {
      expect(await isSuccessForCurl(`${jobOf(run)}/success?fail=True`, fixture)).toBe(false);
      expect([await run.exit, run.errors()]).toEqual([2, expect.stringContaining('seconds; the job is PENDING')]);
      expect(run.errors()).toContain('the service returned 503: The database is temporarily unavailable');
    } finally {
      await proxy.restore();
    }
  });

  describe('that survives a short outage of the database', () => {
    let run: Run;
    let fixture: Fixture;
    beforeAll(async () => {
      fixture = await createFixture();
      run = await startPipeline(fixture);
      await proxy.disconnect();
      await eventually(async () => expect(run.errors()).toContain('503'));
      await proxy.restore();
    });
    useWorker(engine);

    it('succeeds when the job succeeds', async () => {
      expect([await run.exit, await statusOf(fixture, jobOf(run))]).toEqual([0, 'FINISHED']);
    });
  });
});
