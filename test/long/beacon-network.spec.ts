import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificate } from '../../src/engine/testing/certificate';
import { useApi } from '../support/api';
import { BeaconDeployment } from '../support/beacon-deployment';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';
import { describeWithPrivateNetwork, OUTSIDE, PRIVATE } from '../support/private-network';
import type { RunningProcess } from '../support/processes';

const make = new Factories(useApi());

describeWithPrivateNetwork('a private network behind a gateway, two API processes and two workers', () => {
  let deployment: BeaconDeployment;
  let slug: string;
  /** Of the asset with all addresses of the network, and of that with all names. */
  let assetId: number;
  let domainId: number;

  beforeAll(async () => {
    deployment = await BeaconDeployment.start(make);
    domainId = await deployment.createAsset('corp.test', 'domain');
    assetId = await deployment.createAsset('10.77.0.0/24', 'cidr');
    ({ slug } = await make.event(deployment.tenant.id, { status: 'running' }));
  });

  afterAll(() => deployment?.stop());

  const findings = async (): Promise<{ id: number; title: string; status: number; check_id?: string }[]> =>
    (await deployment.client.get(`/v1/organizations/${deployment.tenant.id}/findings/?per_page=100`)).body.findings;

  async function retest(findingId: number) {
    const path = `/v1/findings/${findingId}/retest`;
    const { status, body: refusal } = await deployment.client.post(path);
    expect([status, refusal.description]).toEqual([202, undefined]);
    await eventually(async () =>
      expect(['finished', 'error']).toContain((await deployment.client.get(path)).body.status),
    );
    return (await deployment.client.get(path)).body;
  }

  it('a job finds a weakness of a private name, and a retest confirms its fix, with the beacon in the evidence', async () => {
    await deployment.serveIntranet('vulnerable');
    await runJob(deployment.client, 'http://intranet.corp.test/', { beacon_id: deployment.beacon.id });
    const exposed = (await findings()).find(({ title }) => /\.env|environment/i.test(title));
    expect(exposed).toMatchObject({ status: 1 });
    const { id } = exposed as { id: number };
    expect(await retest(id)).toMatchObject({ result: 'still_vulnerable' });
    await deployment.serveIntranet('fixed');
    const retested = await retest(id);
    expect(retested).toMatchObject({ result: 'fixed', reason: expect.stringContaining('through the beacon') });
    const { body: evidence } = await deployment.client.get(`/v1/findings/${id}/retest/evidence`);
    expect(JSON.stringify(evidence)).toContain(PRIVATE.site);
    expect(JSON.stringify(evidence)).toMatch(new RegExp(`beacon[^}]*\\bid\\b[^}]*${deployment.beacon.id}`));
  });

  it('a Redis server without a password is confirmed, and its fix', async () => {
    await deployment.network.serveRedis(null);
    const location = `tcp://${PRIVATE.redis}:6379`;
    const finding = await recordFinding('open-redis', location);
    expect(await retest(finding)).toMatchObject({ result: 'still_vulnerable' });
    await deployment.network.serveRedis('a long password');
    expect(await retest(finding)).toMatchObject({ result: 'fixed' });
  });

  it('an expired certificate is confirmed, and its replacement', async () => {
    const day = 86_400_000;
    const serveTls = async (until: Date): Promise<void> => {
      const { cert, key } = certificate({ names: [PRIVATE.tls], from: new Date(Date.now() - 400 * day), until });
      writeFileSync(join(deployment.network.folder, 'tls.crt'), cert);
      writeFileSync(join(deployment.network.folder, 'tls.key'), key);
      await deployment.network.serveSite(
        PRIVATE.tls,
        `listen ${PRIVATE.tls}:443 ssl; ssl_certificate tls.crt; ssl_certificate_key tls.key;`,
      );
    };
    await serveTls(new Date(Date.now() - day));
    const finding = await recordFinding('expired-certificate', `https://${PRIVATE.tls}/`);
    expect(await retest(finding)).toMatchObject({ result: 'still_vulnerable' });
    await serveTls(new Date(Date.now() + 300 * day));
    expect(await retest(finding)).toMatchObject({ result: 'fixed' });
  });

  it('nothing outside of the networks of the beacon is reached, by address or by name', async () => {
    const { body } = await deployment.client.post('/v1/jobs/launch', {
      url: `http://${OUTSIDE}/`,
      beacon_id: deployment.beacon.id,
    });
    expect(body).toMatchObject({ code: 422 });
    const uuid = await launchJob(deployment.client, 'http://elsewhere.corp.test/', { beacon_id: deployment.beacon.id });
    expect(await waitForJob(deployment.client, uuid)).toBe('ERROR');
    expect(deployment.network.requestsTo(OUTSIDE)).toEqual([]);
  });

  it.each([OUTSIDE, '127.0.0.1', '169.254.169.254'])(
    'a name that leads to %s later is not followed there, and its finding is not fixed',
    async (address) => {
      await deployment.serveIntranet('vulnerable');
      const name = `rebound-${address}.corp.test`;
      await deployment.network.serveNames({ [name]: PRIVATE.site });
      const finding = await recordFinding('exposed-env', `http://${name}/`, domainId);
      expect(await retest(finding)).toMatchObject({ result: 'still_vulnerable' });
      await deployment.network.serveNames({ [name]: address });
      const retested = await retest(finding);
      expect(retested).toMatchObject({ result: 'inconclusive' });
      expect(deployment.network.requestsTo(OUTSIDE)).toEqual([]);
      await deployment.network.serveNames({ 'intranet.corp.test': PRIVATE.site });
    },
  );

  it('an address and a small block are observed, and another organization sees nothing of them', async () => {
    await deployment.serveIntranet('fixed');
    await deployment.network.serveRedis(null);
    const single = await deployment.createAsset(PRIVATE.site, 'ip');
    const block = await deployment.createAsset('10.77.0.0/29', 'cidr');
    for (const id of [single, block]) {
      const { status, body: begun } = await deployment.client.post(`/v1/assets/${id}/observe`);
      expect([status, begun.description]).toEqual([202, undefined]);
      await eventually(async () => {
        const { body } = await deployment.client.get(`/v1/observations/${begun.uuid}`);
        expect(body).toMatchObject({ status: 'FINISHED', error: null });
      });
    }
    const hostsOf = async (id: number) => (await deployment.client.get(`/v1/assets/${id}/hosts`)).body.hosts;
    const site = { address: PRIVATE.site, ports: [{ port: 80, service: 'http', technologies: [{ name: 'nginx' }] }] };
    const redis = { address: PRIVATE.redis, ports: [{ port: 6379, service: 'redis' }] };
    expect(await hostsOf(single)).toMatchObject([site]);
    const hosts = (await hostsOf(block)).sort((one: typeof site, other: typeof site) =>
      one.address.localeCompare(other.address),
    );
    expect(hosts).toMatchObject([site, redis]);
    const { client: stranger } = await (await make.organization()).as('owner');
    for (const path of ['', '/hosts', '/changes', '/observation'])
      expect((await stranger.get(`/v1/assets/${block}${path}`)).status).toBe(404);
  });

  it('a job whose agent is killed runs again when the agent is back', async () => {
    await deployment.serveIntranet('fixed');
    const before = deployment.network.requestsTo(PRIVATE.site).length;
    const uuid = await launchJob(deployment.client, 'http://intranet.corp.test/', { beacon_id: deployment.beacon.id });
    await eventually(async () => expect(deployment.network.requestsTo(PRIVATE.site).length).toBeGreaterThan(before));
    await deployment.network.stop('agent');
    await deployment.startAgent();
    expect(await waitForJob(deployment.client, uuid)).toBe('FINISHED');
  });

  it('an API process that is killed is replaced by the other one within 15 seconds, and jobs finish', async () => {
    const uuid = await launchJob(deployment.client, 'http://intranet.corp.test/', { beacon_id: deployment.beacon.id });
    const [first] = deployment.apis as [RunningProcess];
    first.kill('SIGKILL');
    await first.exited;
    await deployment.untilConnected(true);
    expect(await waitForJob(deployment.client, uuid)).toBe('FINISHED');
  });

  async function recordFinding(checkId: string, location: string, asset = assetId): Promise<number> {
    const { status, body } = await deployment.client.post(`/v1/events/${slug}/findings/`, {
      title: checkId,
      severity: 'high',
      asset_id: asset,
      check: { id: checkId, location },
    });
    expect([status, body.description]).toEqual([201, expect.anything()]);
    return body.id;
  }
});
