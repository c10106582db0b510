import type { ServerResponse } from 'node:http';
import { type RunningWorker, startWorker, useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { useDnsServer } from '../support/dns-server';
import { challengeOf, recordOf } from '../support/domains';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';
import { signedInAs, usePortal } from '../support/portal';
import { Shop } from '../support/shop';

const [first, second, elsewhere] = [new Shop(), new Shop('127.0.0.2'), new Shop('127.0.0.3')] as const;
const shops = [first, second, elsewhere];
/** Nothing listens there. */
const SILENT = '127.0.0.4';

const dns = useDnsServer();

const settings = (bound = '') => ({
  DNS_SERVERS: dns.settings.DNS_SERVERS,
  EGRESS_ALLOW: [1, 2, 3, 4].map((last) => `127.0.0.${last}:${first.port}`).join(',') + bound,
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
});

beforeAll(async () => {
  await first.start();
  await Promise.all([second.start(first.port), elsewhere.start(first.port)]);
});
afterAll(() => Promise.all(shops.map((shop) => shop.stop())));
beforeEach(() => shops.forEach((shop) => shop.reset()));

const api = useApi({
  get DNS_SERVERS() {
    return settings().DNS_SERVERS;
  },
  get EGRESS_ALLOW() {
    return settings().EGRESS_ALLOW;
  },
});
const portal = usePortal(api);
const make = new Factories(api);

let bound: Tenant;
let worker: RunningWorker;
beforeAll(async () => {
  bound = await make.organization();
  worker = await startWorker(settings(`,${bound.id}@127.0.0.1:${first.port}`));
});
afterAll(() => worker.stop());

const ACTIVE = { depth: 'active', checks: ['reflected-input'] };

interface Fixture {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly host: string;
  readonly url: string;
  readonly assetId: number;
  readonly asset: { readonly proof_file: { readonly path: string; readonly body: string } };
}

/** A name with these addresses in a verified domain, whose asset allows active tests. */
async function createFixture(addresses: readonly string[], at?: Tenant): Promise<Fixture> {
  const tenant = at ?? (await make.organization());
  const { value: host, token } = await make.domain(tenant.id, { verified: true });
  dns.publish(challengeOf(host), recordOf(token));
  dns.setReply(host, { a: addresses });
  const { client: admin } = await tenant.as('admin');
  const { assets } = (await admin.get(`/v1/organizations/${tenant.id}/assets/`)).body;
  const { id: assetId } = assets.find(({ value }: { value: string }) => value === host);
  const { status, body: asset } = await admin.patch(`/v1/assets/${assetId}`, { active_tests: 'read_only' });
  expect(status).toBe(200);
  return { tenant, admin, host, url: `http://${host}:${first.port}/`, assetId, asset };
}

const jobOf = async ({ admin }: Fixture, uuid: string) => (await admin.get(`/v1/jobs/${uuid}`)).body.job;

const addressesOf = async (uuid: string) =>
  (await query<{ addresses: object }>('SELECT addresses FROM jobs WHERE uuid = $1', [uuid]))[0]?.addresses;

const testedBy = (uuid: string) =>
  query('SELECT 1 FROM job_points t JOIN jobs j ON j.id = t.job_id WHERE j.uuid = $1', [uuid]);

const pathsAt = (shop: Shop): string[] => shop.received.map(({ url }) => url);

async function launchUntilItTests({ admin, url }: Fixture): Promise<string> {
  for (const shop of shops) shop.delayMs = 30;
  const uuid = await launchJob(admin, url, ACTIVE);
  await eventually(async () => expect((await testedBy(uuid)).length).toBeGreaterThan(0), 60_000);
  return uuid;
}

const loseWorker = (uuid: string) =>
  query(
    `UPDATE work SET attempt = attempt + 1, lease_until = now() - interval '1 second' WHERE reference = $1 AND state = 'running'`,
    [uuid],
  );

/** Runs a job that must fail, and returns the reason. */
async function failedJob(fixture: Fixture): Promise<string> {
  const uuid = await launchJob(fixture.admin, fixture.url, ACTIVE);
  expect(await waitForJob(fixture.admin, uuid)).toBe('ERROR');
  return (await jobOf(fixture, uuid)).error;
}

describe('the addresses of an active job', () => {
  it('are those of its start, each with the proof file, and the same after another worker has taken it over', async () => {
    const fixture = await createFixture(['127.0.0.1', '127.0.0.2', SILENT]);
    for (const shop of [first, second]) shop.publish(fixture.asset);
    const uuid = await launchUntilItTests(fixture);
    // The owner of the other address would serve the file as well.
    elsewhere.publish(fixture.asset);
    dns.setReply(fixture.host, { a: ['127.0.0.3', '127.0.0.2'] });
    const before = first.received.length;
    await loseWorker(uuid);
    for (const shop of shops) shop.delayMs = 0;
    expect(await waitForJob(fixture.admin, uuid)).toBe('FINISHED');
    const { active } = await jobOf(fixture, uuid);
    expect(active).toMatchObject({ tested: active.points, reason: null, warning: null });
    expect(await addressesOf(uuid)).toEqual({ [fixture.host]: ['127.0.0.1', '127.0.0.2'] });
    expect(first.received.length - before).toBeLessThan(20);
    expect(second.received.filter(({ url }) => url.startsWith('/search?')).length).toBeGreaterThan(10);
    expect(elsewhere.received).toEqual([]);
    const secret = fixture.asset.proof_file.body;
    expect(JSON.stringify([first.received, second.received])).not.toContain(secret);
  });

  it('end the job incomplete when the name has none of them anymore, and nothing is sent to others', async () => {
    const fixture = await createFixture(['127.0.0.1']);
    for (const shop of [first, elsewhere]) shop.publish(fixture.asset);
    const uuid = await launchUntilItTests(fixture);
    dns.setReply(fixture.host, { a: ['127.0.0.3'] });
    expect(await waitForJob(fixture.admin, uuid)).toBe('FINISHED');
    const { active, incomplete_checks: incomplete } = await jobOf(fixture, uuid);
    expect(active.reason).toBe('none of the addresses that the job began with is among those of the host now');
    expect(active.tested).toBeLessThan(active.points);
    expect(incomplete).toMatchObject([{ id: 'reflected-input' }]);
    expect(elsewhere.received).toEqual([]);
  });

  it('end the job with the reason when none of them answers at its start', async () => {
    const fixture = await createFixture([SILENT]);
    expect(await failedJob(fixture)).toBe(
      `No active test was sent: none of the addresses of ${fixture.host} answers: ${SILENT} (the connection was refused).`,
    );
  });
});

describe('a test that repeats an experiment', () => {
  /** A finding that an active job has found on a proved address; then the name leads elsewhere. */
  async function movedFinding() {
    const fixture = await createFixture(['127.0.0.1']);
    first.publish(fixture.asset);
    await runJob(fixture.admin, fixture.url, ACTIVE);
    const { findings } = (await fixture.admin.get(`/v1/organizations/${fixture.tenant.id}/findings/`)).body;
    dns.setReply(fixture.host, { a: ['127.0.0.3'] });
    return { fixture, path: `/v1/findings/${findings[0].id}/retest` };
  }

  async function retested({ admin }: Fixture, path: string) {
    expect((await admin.post(path)).status).toBe(202);
    await eventually(async () => expect((await admin.get(path)).body.status).toBe('finished'), 30_000);
    return (await admin.get(path)).body;
  }

  it('sends only the question for the proof file to an address without it, and then tests it', async () => {
    const { fixture, path } = await movedFinding();
    expect(await retested(fixture, path)).toMatchObject({
      result: 'inconclusive',
      reason: expect.stringContaining('the address 127.0.0.3 does not give the proof file'),
    });
    expect(pathsAt(elsewhere)).toEqual([fixture.asset.proof_file.path]);
    elsewhere.publish(fixture.asset);
    expect(await retested(fixture, path)).toMatchObject({ result: 'still_vulnerable' });
  });

  it('tests the old address too, if it gives the proof file', async () => {
    const { fixture, path } = await movedFinding();
    elsewhere.publish(fixture.asset);
    elsewhere.isFixed = true;
    expect(await retested(fixture, path)).toMatchObject({
      result: 'still_vulnerable',
      reason: expect.stringContaining('This is at 127.0.0.1, where it was seen before'),
    });
    first.wellKnown = (_path, response) => response.writeHead(404).end();
    expect(await retested(fixture, path)).toMatchObject({
      result: 'inconclusive',
      reason: expect.stringContaining('it answers as before, and no active test may be sent there'),
    });
    first.wellKnown = null;
    first.isFixed = true;
    expect(await retested(fixture, path)).toMatchObject({
      result: 'fixed',
      reason: expect.stringContaining('to each of 2 addresses'),
    });
  });

  it('a standard job repeats no experiment at an address without the proof file', async () => {
    const { fixture } = await movedFinding();
    elsewhere.isFixed = true;
    await runJob(fixture.admin, fixture.url, { checks: ['reflected-input'] });
    expect(pathsAt(elsewhere)).not.toContainEqual(expect.stringMatching(/\/search\?q=(?!assay-input|tea)/));
    expect(pathsAt(elsewhere)).toContain(fixture.asset.proof_file.path);
  });

  const ways: Readonly<Record<string, (fixture: Fixture, path: string) => Promise<unknown>>> = {
    retest: async ({ admin }, path) => {
      // Without the consent it is refused at once.
      if ((await admin.post(path)).status !== 202) return;
      await eventually(async () => expect((await admin.get(path)).body.status).toBe('finished'), 30_000);
    },
    job: ({ admin, url }) => runJob(admin, url, { checks: ['reflected-input'] }),
  };
  const rules: readonly (readonly [string, (fixture: Fixture) => unknown, isFixed: boolean])[] = [
    ['at a proved address with the consent', ({ asset }) => elsewhere.publish(asset), true],
    ['at an address without the proof file', () => undefined, false],
    [
      'without the consent',
      async ({ admin, assetId, asset }) => {
        elsewhere.publish(asset);
        await admin.patch(`/v1/assets/${assetId}`, { active_tests: 'off' });
      },
      false,
    ],
  ];
  it.each(rules.flatMap((rule) => Object.keys(ways).map((way) => [way, ...rule] as const)))(
    'is fixed by a %s only at a proved address with the consent: %s',
    async (way, _where, change, isFixed) => {
      const { fixture, path } = await movedFinding();
      elsewhere.isFixed = true;
      await change(fixture);
      const { port } = first;
      // Otherwise the weakness is still there.
      await first.stop();
      try {
        await ways[way]?.(fixture, path);
      } finally {
        await first.start(port);
      }
      const { findings } = (await fixture.admin.get(path.replace('retest', ''))).body;
      expect(findings[0].status === 5).toBe(isFixed);
    },
  );
});

describe('without the proof file', () => {
  it('of one of two addresses the job ends before it tests anything, and names the address and the path', async () => {
    const fixture = await createFixture(['127.0.0.1', '127.0.0.2']);
    first.publish(fixture.asset);
    const { path } = fixture.asset.proof_file;
    expect(await failedJob(fixture)).toBe(
      `No active test was sent: the address 127.0.0.2 does not give the proof file ${path}: it responds with 404. The page of the asset shows the file.`,
    );
    expect(pathsAt(second)).toEqual([path]);
    expect(pathsAt(first)).toEqual([path, expect.stringMatching(/^\/\.well-known\/assay-[\w-]{36}\.txt$/)]);
  });

  it.each<[string, (response: ServerResponse, path: string, body: string) => unknown, RegExp]>([
    ['a redirect', (response, _, body) => response.writeHead(302, { location: '/' }).end(body), /responds with 302/],
    ['a page that is not found', (response, _, body) => response.writeHead(404).end(body), /responds with 404/],
    ['a text around it', (response, _, body) => response.end(`${body} <p>`), /contains something else/],
    [
      'no answer',
      (response) => response.destroy(),
      /does not give the proof file \S+: the connection was (closed|reset)/,
    ],
    ['its own path', (response, path) => response.end(path), /contains something else/],
  ])('but with %s the job ends', async (_what, respond, reason) => {
    const fixture = await createFixture(['127.0.0.1']);
    const { path, body } = fixture.asset.proof_file;
    first.wellKnown = (asked, response) =>
      asked === path ? respond(response, path, body) : response.writeHead(404).end();
    expect(await failedJob(fixture)).toMatch(reason);
    expect(pathsAt(first)).toEqual([path]);
  });

  it('but with an address that gives its text for every path the job ends', async () => {
    const fixture = await createFixture(['127.0.0.1']);
    first.wellKnown = (_path, response) => response.end(fixture.asset.proof_file.body);
    expect(await failedJob(fixture)).toMatch(/it gives the same for a path that does not exist/);
  });

  it('jobs run on an address that the operator allows to the organization', async () => {
    const fixture = await createFixture(['127.0.0.1'], bound);
    await runJob(fixture.admin, fixture.url, ACTIVE);
    expect(pathsAt(first)).not.toContainEqual(expect.stringContaining('.well-known/assay-'));
    dns.setReply(fixture.host, { a: ['127.0.0.2'] });
    expect(await failedJob(fixture)).toMatch(/the address 127\.0\.0\.2 does not give/);
  });

  it('jobs of an older consent run with a warning for 30 days, and a consent that is given again has no such time', async () => {
    const fixture = await createFixture(['127.0.0.1']);
    const setDue = (due: string) => query('UPDATE assets SET proof_due = $2 WHERE id = $1', [fixture.assetId, due]);
    await setDue('2999-01-31T12:00:00Z');
    const { active } = await jobOf(fixture, await runJob(fixture.admin, fixture.url, ACTIVE));
    expect(active.warning).toMatch(
      /^the address 127\.0\.0\.1 does not give the proof file \/\S+: it responds with 404\. From 2999-01-31 on, no active test is sent without it\.$/,
    );
    const browser = await signedInAs(api, portal, await fixture.tenant.as('viewer'));
    const page = `/o/${fixture.tenant.id}/assets/${fixture.assetId}`;
    expect((await browser.get(page)).text).toMatch(/Warning: from .*2999.* on, no active test is sent without it/);
    const path = `/v1/assets/${fixture.assetId}`;
    expect((await fixture.admin.get(path)).body.proof_file.due).toBe('2999-01-31T12:00:00.000Z');
    await setDue('2020-01-31');
    expect(await failedJob(fixture)).toMatch(/responds with 404/);
    await setDue('2999-01-31');
    const same = await fixture.admin.patch(path, { active_tests: 'read_only' });
    expect(same.body.proof_file).toMatchObject({ body: fixture.asset.proof_file.body, due: expect.any(String) });
    expect((await fixture.admin.patch(path, { active_tests: 'off' })).body.proof_file).toBeNull();
    const again = await fixture.admin.patch(path, { active_tests: 'read_only' });
    expect(again.body.proof_file).toEqual({ ...fixture.asset.proof_file, due: null });
    expect(await failedJob(fixture)).toMatch(/responds with 404/);
  });
});

it('the page of an asset shows what each address must serve', async () => {
  const { tenant, assetId, asset } = await createFixture(['127.0.0.1']);
  const { path, body } = asset.proof_file;
  expect([path, body]).toEqual([`/.well-known/assay-${assetId}.txt`, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  const browser = await signedInAs(api, portal, await tenant.as('viewer'));
  const { text } = await browser.get(`/o/${tenant.id}/assets/${assetId}`);
  expect(text).toContain(`<code>${path}</code>`);
  expect(text).toContain(`<code>${body}</code>`);
});
