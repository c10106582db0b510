import { checkById, verifyEvidence } from '../../src/engine';
import { statementText } from '../../src/apps/cli/statement-text';
import { BeaconWaits } from '../../src/modules/retests';
import { SigningKeysService } from '../../src/modules/evidence';
import { type RunningWorker, startWorker, useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';
import { type PrivateNetwork, PrivateNetworks } from '../support/linked-networks';
import { VulnerableSite } from '../support/vulnerable-site';

const engine = { ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
const make = new Factories(api);
const networks = new PrivateNetworks();
const [site, other] = [new VulnerableSite(), new VulnerableSite()];
const waits = { connectMs: 20_000, pollMs: 10 };
let worker: RunningWorker;

beforeAll(async () => {
  await Promise.all([site.start(), other.start()]);
  worker = await startWorker(engine);
  for (const app of [api.app, worker.context]) networks.useIn(app);
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([site.stop(), other.stop()]);
});
beforeEach(() => {
  site.state = 'vulnerable';
  other.state = 'vulnerable';
  setWaits(waits);
});

const setWaits = (changed: Partial<BeaconWaits>): void => {
  Object.assign(worker.context.get(BeaconWaits, { strict: false }), changed);
};

const ADDRESS = '10.20.0.5';
const URL = `http://${ADDRESS}/`;
const CHECK = { checkId: 'missing-nosniff', checkDefinition: { location: URL } };

interface Office {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly beacon: { readonly id: number; readonly name: string };
  readonly network: PrivateNetwork;
  readonly assetId: number;
}

/** A beacon with a web server at an address of its network, which is an asset. */
async function office(server = site, at?: Tenant): Promise<Office> {
  const tenant = at ?? (await make.organization());
  const { client } = await tenant.as('admin');
  const name = unique('office').replace(' ', '-');
  const { id } = await make.beacon(tenant.id, { name });
  const network = networks.of(id);
  network.ports.set(`${ADDRESS}:80`, server.port);
  const asset = await make.asset(tenant.id, { value: ADDRESS, type: 'ip', beaconId: id });
  return { tenant, client, beacon: { id, name }, network, assetId: asset.id };
}

/** A finding of `missing-nosniff` at the address behind the beacon. */
const findingAt = async ({ tenant, beacon, assetId }: Pick<Office, 'tenant' | 'assetId'> & Partial<Office>) =>
  make.finding(tenant.id, {
    asset: { id: assetId, value: ADDRESS, tier: null, beaconId: beacon?.id ?? null },
    ...CHECK,
  });

async function retest(client: Client, findingId: number) {
  const path = `/v1/findings/${findingId}/retest`;
  const started = await client.post(path);
  expect(started.status).toBe(202);
  await eventually(async () => expect(['finished', 'error']).toContain((await client.get(path)).body.status));
  return (await client.get(path)).body;
}

const statusesOf = async ({ id }: Tenant): Promise<Record<number, number>> => {
  const rows = await query<{ beacon: number | null; status: number }>(
    `SELECT beacon_id AS beacon, status FROM findings WHERE organization_id = $1 AND check_id = 'missing-nosniff'`,
    [id],
  );
  return Object.fromEntries(rows.map(({ beacon, status }) => [beacon ?? 0, status]));
};

const jobOf = async (client: Client, uuid: string) => (await client.get(`/v1/jobs/${uuid}`)).body.job;

describe('a job through a beacon', () => {
  it('finds a weakness, and confirms the fix through the same beacon', async () => {
    const { tenant, client, beacon, network } = await office();
    const uuid = await runJob(client, URL, { beacon_id: beacon.id });
    expect((await jobOf(client, uuid)).beacon_id).toBe(beacon.id);
    expect((await client.get('/v1/jobs')).body.jobs[0].beacon_id).toBe(beacon.id);
    expect(await statusesOf(tenant)).toEqual({ [beacon.id]: 1 });
    site.state = 'fixed';
    await runJob(client, URL, { beacon_id: beacon.id });
    expect(await statusesOf(tenant)).toEqual({ [beacon.id]: 5 });
    expect(new Set(network.dialled)).toEqual(new Set([`${ADDRESS}:80`]));
    const comments = await query<{ comment: string }>(
      'SELECT comment FROM finding_history WHERE organization_id = $1 AND comment IS NOT NULL',
      [tenant.id],
    );
    expect(comments.map(({ comment }) => comment)).toContainEqual(
      expect.stringContaining(`tested it again through the beacon ${beacon.name} and confirmed`),
    );
  });

  it('needs no proof file for active tests', async () => {
    const { client, beacon, network, assetId } = await office();
    const { body: asset } = await client.patch(`/v1/assets/${assetId}`, { active_tests: 'read_only' });
    expect(asset).toMatchObject({ active_tests: 'read_only', proof_file: null });
    const active = { beacon_id: beacon.id, depth: 'active', checks: ['reflected-input'] };
    const { active: shown } = await jobOf(client, await runJob(client, URL, active));
    expect(shown).toMatchObject({ reason: null, warning: null });
    expect(new Set(network.dialled)).toEqual(new Set([`${ADDRESS}:80`]));
  });

  it('never changes findings of the same address behind another beacon or on the Internet', async () => {
    const one = await office(site);
    const two = await office(other, one.tenant);
    const { client, tenant } = one;
    const direct = await make.asset(tenant.id, { value: ADDRESS, type: 'ip' });
    await findingAt({ tenant, assetId: direct.id });
    await runJob(client, URL, { beacon_id: one.beacon.id });
    await runJob(client, URL, { beacon_id: two.beacon.id });
    const all = { [one.beacon.id]: 1, [two.beacon.id]: 1, 0: 1 };
    expect(await statusesOf(tenant)).toEqual(all);

    site.state = 'fixed';
    const uuid = await runJob(client, URL, { beacon_id: one.beacon.id });
    expect(await statusesOf(tenant)).toEqual({ ...all, [one.beacon.id]: 5 });
    // The open findings behind the other beacon do not stop the pipeline of this one.
    expect((await client.get(`/v1/jobs/${uuid}/success?severity=low`)).body.description).not.toContain('nosniff');
    expect(one.network.dialled.length).toBeGreaterThan(0);

    site.state = 'vulnerable';
    await runJob(client, URL, { beacon_id: one.beacon.id });
    const seen = await query<{ beacon: number | null; seen: number }>(
      `SELECT beacon_id AS beacon, times_seen AS seen FROM findings WHERE organization_id = $1 AND check_id = 'missing-nosniff'`,
      [tenant.id],
    );
    expect(Object.fromEntries(seen.map((row) => [row.beacon ?? 0, row.seen]))).toEqual({
      [one.beacon.id]: 2,
      [two.beacon.id]: 1,
      0: 1,
    });
  });

  it('does not count findings without a check behind other beacons', async () => {
    const one = await office();
    const two = await office(other, one.tenant);
    const asset = { id: two.assetId, value: ADDRESS, tier: null, beaconId: two.beacon.id };
    await make.finding(one.tenant.id, { asset, severity: 'critical', title: 'Weak password' });
    site.state = 'fixed';
    const { client } = one;
    const descriptionOf = async (beaconId: number): Promise<string> => {
      const uuid = await runJob(client, URL, { beacon_id: beaconId });
      return (await client.get(`/v1/jobs/${uuid}/success?severity=high`)).body.description;
    };
    expect(await descriptionOf(one.beacon.id)).not.toContain('Weak password');
    expect(await descriptionOf(two.beacon.id)).toContain('Weak password');
  });

  it('does not fail because of a check that an admin accepted behind this beacon, but fails behind another', async () => {
    const one = await office();
    const two = await office(other, one.tenant);
    const { client } = one;
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const accepted = await client.put(`/v1/assets/${one.assetId}/accepted-checks/missing-nosniff`, {
      reason: 'An internal page',
      until,
    });
    expect(accepted.status).toBe(200);
    const acceptedOf = async (beaconId: number): Promise<boolean> => {
      const uuid = await runJob(client, URL, { beacon_id: beaconId });
      const { findings } = await jobOf(client, uuid);
      const title = checkById('missing-nosniff')?.title;
      return findings.find((one: { title: string }) => one.title === title).accepted;
    };
    expect(await acceptedOf(one.beacon.id)).toBe(true);
    expect(await acceptedOf(two.beacon.id)).toBe(false);
  });

  it('resolves names behind the beacon, and dials no answer outside of its blocks', async () => {
    const { tenant, client, beacon, network } = await office();
    await make.asset(tenant.id, { value: 'wiki.corp.example', beaconId: beacon.id });
    network.names.set('wiki.corp.example', ['10.99.0.1', ADDRESS]);
    network.ports.set('10.99.0.1:80', other.port);
    await runJob(client, 'http://wiki.corp.example/', { beacon_id: beacon.id });
    expect(new Set(network.dialled)).toEqual(new Set([`${ADDRESS}:80`]));
    network.names.set('wiki.corp.example', ['10.99.0.1']);
    const uuid = await launchJob(client, 'http://wiki.corp.example/', { beacon_id: beacon.id });
    expect(await waitForJob(client, uuid)).toBe('ERROR');
    const { error } = await jobOf(client, uuid);
    expect(error).toContain(`through the beacon ${beacon.name}: nothing could be tested`);
    expect(error).toContain('outside the blocks of the beacon');
    expect(network.dialled).not.toContain('10.99.0.1:80');
  });

  it('tests a public address only under a name whose domain is verified', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const beacon = await make.beacon(tenant.id, { allowed_cidrs: ['203.0.114.0/24'] });
    const network = networks.of(beacon.id);
    network.ports.set('203.0.114.7:80', site.port);
    const { value: verified } = await make.domain(tenant.id, { verified: true });
    const { value: unverified } = await make.domain(tenant.id);
    for (const host of [verified, unverified]) {
      network.names.set(host, ['203.0.114.7']);
      await make.asset(tenant.id, { value: host, beaconId: beacon.id });
    }
    const refused = await launchJob(client, `http://${unverified}/`, { beacon_id: beacon.id });
    expect(await waitForJob(client, refused)).toBe('ERROR');
    expect((await jobOf(client, refused)).error).toContain('its domain is not verified: verify the domain');
    expect(network.dialled).toEqual([]);
    await runJob(client, `http://${verified}/`, { beacon_id: beacon.id });
    expect(network.dialled).toContain('203.0.114.7:80');
  });

  it('runs again as a whole when the link is lost', async () => {
    const { tenant, client, beacon, network } = await office();
    site.holdAfter(3);
    const uuid = await launchJob(client, URL, { beacon_id: beacon.id });
    await eventually(async () => expect(site.heldRequests).toBeGreaterThan(0));
    network.loseLinks();
    site.release();
    expect(await waitForJob(client, uuid)).toBe('FINISHED');
    expect(network.opened).toBe(2);
    // In one attempt of the work: a retry of the work would count as a failure of the service.
    expect(await query('SELECT attempt, failures FROM work WHERE reference = $1', [uuid])).toEqual([
      { attempt: 1, failures: 0 },
    ]);
    expect(await statusesOf(tenant)).toEqual({ [beacon.id]: 1 });
  });

  it('ends in ERROR when the beacon does not come back', async () => {
    const { tenant, client, beacon, network } = await office();
    await runJob(client, URL, { beacon_id: beacon.id });
    site.state = 'fixed';
    setWaits({ connectMs: 100 });
    site.holdAfter(3);
    const uuid = await launchJob(client, URL, { beacon_id: beacon.id });
    await eventually(async () => expect(site.heldRequests).toBeGreaterThan(0));
    network.disconnect();
    site.release();
    expect(await waitForJob(client, uuid)).toBe('ERROR');
    expect((await jobOf(client, uuid)).error).toBe(
      `The beacon ${beacon.name} disconnected during the test and did not come back within 0.1 seconds.`,
    );
    expect((await client.get(`/v1/jobs/${uuid}/success`)).body.success).toBe(false);
    expect(await statusesOf(tenant)).toEqual({ [beacon.id]: 1 });
  });

  it('waits for a beacon that is not connected when a worker starts it', async () => {
    const { client, beacon, network } = await office();
    let asked = 0;
    Object.defineProperty(network, 'isConnected', { get: () => ++asked === 1 || asked > 4 });
    const uuid = await runJob(client, URL, { beacon_id: beacon.id });
    expect(asked).toBeGreaterThan(4);
    expect((await jobOf(client, uuid)).status).toBe('FINISHED');
  });

  it('ends in ERROR when the link is lost in each of three runs', async () => {
    const { client, beacon, network } = await office();
    network.onStream = () => network.loseLinks();
    const uuid = await launchJob(client, URL, { beacon_id: beacon.id });
    expect(await waitForJob(client, uuid)).toBe('ERROR');
    expect((await jobOf(client, uuid)).error).toContain('disconnected during each of 3 runs of the test');
    expect(network.opened).toBe(3);
  });

  it('ends in ERROR at once when the beacon is deleted', async () => {
    const { tenant, client, beacon, network } = await office();
    site.holdAfter(3);
    const uuid = await launchJob(client, URL, { beacon_id: beacon.id });
    await eventually(async () => expect(site.heldRequests).toBeGreaterThan(0));
    expect((await client.delete(`/v1/organizations/${tenant.id}/beacons/${beacon.id}`)).status).toBe(204);
    network.disconnect();
    site.release();
    expect(await waitForJob(client, uuid)).toBe('ERROR');
    expect(await jobOf(client, uuid)).toMatchObject({
      beacon_id: beacon.id,
      error: `The beacon ${beacon.name} was deleted during the test.`,
    });
  });
});

describe('a retest through a beacon', () => {
  it('is vulnerable, and fixed after the repair, with the beacon in the reason and in the signed evidence', async () => {
    const at = await office();
    const { client, beacon } = at;
    const { id } = await findingAt(at);
    const vulnerable = await retest(client, id);
    const through = `through the beacon ${beacon.name}: `;
    expect(vulnerable).toMatchObject({ result: 'still_vulnerable', beacon_id: beacon.id });
    expect(vulnerable.reason).toContain(through);
    site.state = 'fixed';
    const fixed = await retest(client, id);
    expect(fixed).toMatchObject({ result: 'fixed', beacon_id: beacon.id, reason: expect.stringContaining(through) });

    const document = (await client.get(`/v1/findings/${id}/retest/evidence`)).body;
    const stated = { id: beacon.id, name: beacon.name, agent_version: '1.2.3' };
    expect(document.evidence.beacon).toEqual(stated);
    const listed = await api.app.get(SigningKeysService).list();
    const keys = listed.map(({ id: key, publicKey: pem }) => ({ id: key, pem }));
    const verified = verifyEvidence(document, keys);
    if (!verified.authentic) throw new Error(verified.reason);
    expect(statementText(verified.evidence, verified.key)).toContain(
      `Beacon:   ${beacon.name} (${beacon.id}), version 1.2.3 of its agent\n`,
    );
    const forged = { ...document, evidence: { ...document.evidence, beacon: { ...stated, id: 1 } } };
    expect(verifyEvidence(forged, keys).authentic).toBe(false);
  });

  it('uses the beacon of the asset of each finding, also in bulk', async () => {
    const one = await office(site);
    const two = await office(other, one.tenant);
    const findings = [await findingAt(one), await findingAt(two)];
    const { client } = one;
    for (const { id } of findings) await retest(client, id);
    site.state = 'fixed';
    const ids = findings.map(({ id }) => id);
    expect((await client.post('/v1/findings/bulk', { finding_ids: ids, action: { retest: true } })).status).toBe(200);
    await eventually(async () => {
      const results = await Promise.all(ids.map((id) => client.get(`/v1/findings/${id}/retest`)));
      expect(results.map(({ body }) => body.result)).toEqual(['fixed', 'still_vulnerable']);
    });
    expect(await statusesOf(one.tenant)).toEqual({ [one.beacon.id]: 5, [two.beacon.id]: 1 });
  });

  it('is inconclusive when the response is cut off in a body without a length', async () => {
    const at = await office();
    const { id } = await findingAt(at);
    await retest(at.client, id);
    site.state = 'fixed';
    at.network.onStream = (stream) => {
      const { push } = stream;
      stream.push = (chunk: Buffer | null) => {
        if (chunk === null) return push.call(stream, chunk);
        const text = chunk.toString('latin1');
        const end = text.indexOf('</h1>');
        if (end < 0) return push.call(stream, chunk);
        const half = text.slice(0, end).replace(/transfer-encoding: chunked\r\n|content-length: \d+\r\n/i, '');
        const more = push.call(stream, Buffer.from(half, 'latin1'));
        setImmediate(() => stream.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' })));
        return more;
      };
    };
    const cut = await retest(at.client, id);
    expect(cut.result).toBe('inconclusive');
    expect(cut.reason).toContain('reset');
    expect(await statusesOf(at.tenant)).toEqual({ [at.beacon.id]: 1 });
  });

  it('is inconclusive when the beacon disconnects and does not come back', async () => {
    const at = await office();
    const { client, network, beacon } = at;
    const { id } = await findingAt(at);
    await retest(client, id);
    site.state = 'fixed';
    setWaits({ connectMs: 100 });
    const before = site.requestCount;
    site.holdAfter(5);
    const over = retest(client, id);
    await eventually(async () => expect(site.heldRequests).toBeGreaterThan(0));
    network.disconnect();
    site.release();
    expect(await over).toMatchObject({
      result: 'inconclusive',
      reason: `The beacon ${beacon.name} disconnected during the test and did not come back within 0.1 seconds.`,
    });
    expect(site.requestCount).toBeGreaterThan(before);
    expect(await statusesOf(at.tenant)).toEqual({ [beacon.id]: 1 });
    const refused = await client.post(`/v1/findings/${id}/retest`);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`The beacon ${beacon.name} is not connected: start its agent`);
  });

  it('is inconclusive when the beacon is deleted during the test', async () => {
    const at = await office();
    const { client, network, beacon, tenant } = at;
    const { id } = await findingAt(at);
    await retest(client, id);
    site.state = 'fixed';
    site.holdAfter(5);
    const over = retest(client, id);
    await eventually(async () => expect(site.heldRequests).toBeGreaterThan(0));
    await client.delete(`/v1/organizations/${tenant.id}/beacons/${beacon.id}`);
    network.loseLinks();
    site.release();
    expect(await over).toMatchObject({
      result: 'inconclusive',
      beacon_id: beacon.id,
      reason: `The beacon ${beacon.name} was deleted during the test.`,
    });
    expect(await statusesOf(tenant)).toEqual({ [beacon.id]: 1 });
    // Without an asset there is no way to the target, and the finding stays what it is.
    expect((await client.post(`/v1/findings/${id}/retest`)).status).toBe(409);
  });
});

describe('a finding that is recorded with a check behind a beacon', () => {
  it('is verified through the beacon, and is not the finding of the same address elsewhere', async () => {
    const at = await office();
    const { tenant, client, beacon, network } = at;
    const direct = await make.asset(tenant.id, { value: ADDRESS, type: 'ip' });
    const { slug } = await make.event(tenant.id, { status: 'running' });
    for (const asset_id of [at.assetId, direct.id])
      await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id, in_scope: true });
    const record = (asset_id: number) =>
      client.post(`/v1/events/${slug}/findings/`, {
        title: 'No nosniff',
        asset_id,
        severity: 'low',
        check: { id: 'missing-nosniff', location: URL },
      });
    const behind = await record(at.assetId);
    expect(behind.status).toBe(201);
    expect((await record(direct.id)).body.id).not.toBe(behind.body.id);
    await eventually(async () => {
      const rows = await query<{ id: number }>(
        'SELECT finding_id AS id FROM finding_baselines WHERE organization_id = $1',
        [tenant.id],
      );
      expect(rows).toEqual([{ id: behind.body.id }]);
    });
    expect(network.dialled).toContain(`${ADDRESS}:80`);
    await eventually(async () => {
      const entries = await query<{ seen: boolean; reason: string }>(
        `SELECT (metadata ->> 'seen')::boolean AS seen, metadata ->> 'reason' AS reason FROM audit_logs
         WHERE organization_id = $1 AND operation = 'finding.baseline' ORDER BY metadata ->> 'seen'`,
        [tenant.id],
      );
      expect(entries).toEqual([
        { seen: false, reason: expect.stringContaining('its owner cannot be verified') },
        { seen: true, reason: expect.stringContaining(`through the beacon ${beacon.name}: `) },
      ]);
    });
  });

  it('appears in reports with the name of its beacon', async () => {
    const at = await office();
    const uuid = await runJob(at.client, URL, { beacon_id: at.beacon.id });
    const report = (await at.client.get(`/v1/jobs/${uuid}/report?format=json`)).body;
    expect(report.job.beacon).toEqual(at.beacon);
    expect(report.findings[0].beacon).toEqual(at.beacon);
    const csv = (await at.client.get(`/v1/jobs/${uuid}/report?format=csv`)).text;
    expect(csv).toContain(at.beacon.name);
  });
});
