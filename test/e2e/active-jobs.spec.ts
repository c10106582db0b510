import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { Factories, type Tenant } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';

interface Received {
  readonly url: string;
  readonly job: string | undefined;
}

/** A shop whose search writes what it is given into its page, until it is fixed. */
class Shop {
  readonly received: Received[] = [];
  isFixed = false;
  private server: Server | undefined;
  port = 0;

  async start(): Promise<void> {
    this.server = createServer(({ url = '/', headers }, response) => {
      const job = headers['x-assay-job'];
      this.received.push({ url, job: typeof job === 'string' ? job : undefined });
      const { pathname, searchParams } = new URL(url, 'http://shop.test');
      response.setHeader('content-type', 'text/html');
      if (pathname === '/') return response.end(page('<a href="/search?q=tea">tea</a> <a href="/item?id=7">7</a>'));
      if (pathname === '/item') return response.end(page('<p>An item of the shop</p>'));
      if (pathname !== '/search') return response.writeHead(404).end(page('<p>Not found</p>'));
      const q = searchParams.get('q') ?? '';
      return response.end(page(`<p>Nothing for ${this.isFixed ? escaped(q) : q}</p>`));
    });
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}

const escaped = (text: string): string => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const page = (body: string): string => `<!doctype html><title>A shop</title><h1>A shop</h1>${body}`;

const shop = new Shop();
beforeAll(() => shop.start());
afterAll(() => shop.stop());
beforeEach(() => {
  shop.isFixed = false;
  shop.received.length = 0;
});

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${shop.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};

const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);

const ACTIVE = { depth: 'active', checks: ['reflected-input', 'missing-nosniff'] };

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly url: string;
  readonly asset: string;
}

async function createFixture(activeTests = 'read_only'): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const url = `http://127.0.0.1:${shop.port}/`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  const asset = `/v1/assets/${id}`;
  const admin = await tenant.as('admin');
  const changed = await admin.client.patch(asset, { active_tests: activeTests });
  expect(changed.status).toBe(200);
  return { tenant, client, url, asset };
}

const openTitles = async ({ client, tenant }: Fixture) =>
  (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100&status=1`)).body.findings.map(
    ({ title }: { title: string }) => title,
  );

describe('an active job', () => {
  it('finds a weakness at an insertion point, confirms its fix, and finds it again', async () => {
    const fixture = await createFixture();
    const { client, url } = fixture;
    const uuid = await runJob(client, url, ACTIVE);
    const { job } = (await client.get(`/v1/jobs/${uuid}`)).body;
    expect(job).toMatchObject({ depth: 'active', status: 'FINISHED' });
    expect(job.active).toEqual({
      pages: expect.any(Number),
      shapes: expect.any(Number),
      points: 2,
      tested: 2,
      reason: null,
    });
    expect(await openTitles(fixture)).toContainEqual(expect.stringMatching(/input/i));
    shop.isFixed = true;
    await runJob(client, url, ACTIVE);
    expect(await openTitles(fixture)).not.toContainEqual(expect.stringMatching(/input/i));
    shop.isFixed = false;
    await runJob(client, url, ACTIVE);
    expect(await openTitles(fixture)).toContainEqual(expect.stringMatching(/input/i));
  });

  it('is refused where the asset does not allow it, with what to do', async () => {
    const { client, url, asset, tenant } = await createFixture('off');
    const refused = await client.post('/v1/jobs/launch', { url, ...ACTIVE });
    expect(refused.status).toBe(422);
    expect(refused.body.description).toBe(
      `The job cannot be launched. Active tests are off for ${url}: an admin can allow them on the page of the asset, or by its active_tests.`,
    );
    expect((await client.post('/v1/jobs/check', { url, ...ACTIVE })).body).toMatchObject({
      valid: false,
      reason: expect.stringMatching(/^Active tests are off/),
    });
    expect((await client.post('/v1/jobs/check', { url })).body.valid).toBe(true);
    expect((await client.patch(asset, { active_tests: 'read_only' })).status).toBe(403);
    expect((await client.patch(asset, { requests_per_second: 20 })).status).toBe(403);
    const admin = await tenant.as('admin');
    const full = await admin.client.patch(asset, { active_tests: 'full' });
    expect(full.status).toBe(422);
    expect(full.body.description).toMatch(/^active_tests full .* not available yet: allow read_only\.$/);
    expect((await client.get(asset)).body).toMatchObject({ active_tests: 'off', requests_per_second: null });
    expect(shop.received).toEqual([]);
  });

  it('sends nothing when the consent is withdrawn before it begins', async () => {
    const { client, url, asset, tenant } = await createFixture();
    const admin = await tenant.as('admin');
    const uuid = await launchJob(client, url, ACTIVE);
    await admin.client.patch(asset, { active_tests: 'off' });
    // It may have begun before.
    if ((await waitForJob(client, uuid)) === 'FINISHED') return;
    expect((await client.get(`/v1/jobs/${uuid}`)).body.job.error).toMatch(
      /^It may no longer run\. Active tests are off/,
    );
    expect(shop.received).toEqual([]);
  });
});

it('each request of an active job names the job, and its list is kept', async () => {
  const { client, url } = await createFixture();
  const uuid = await runJob(client, url, ACTIVE);
  expect(new Set(shop.received.map(({ job }) => job))).toEqual(new Set([uuid]));
  const { status, text, headers } = await client.get(`/v1/jobs/${uuid}/requests`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  const [header, ...lines] = text.trimEnd().split('\n');
  expect(header).toBe('time\tmethod\tURL\tstatus\tms');
  expect(lines.filter((line) => line.includes('\tGET\t')).length).toBeGreaterThanOrEqual(shop.received.length - 1);
  expect(lines[0]).toMatch(/^20\S+Z\tGET\thttp:\/\/127\.0\.0\.1:\d+\/\S*\t\d{3}\t\d+$/);
  const standard = await runJob(client, url, { checks: ['missing-nosniff'] });
  expect(shop.received.at(-1)?.job).toBeUndefined();
  expect((await client.get(`/v1/jobs/${standard}/requests`)).status).toBe(404);
});
