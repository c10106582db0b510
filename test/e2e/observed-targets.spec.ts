import { createServer } from 'node:http';
import { COMMON_PORTS, isSilentPort } from '../../src/engine';
import { LibraryLoader } from '../../src/modules/checks';
import { DEFAULT_PORTS } from '../../src/modules/discovery';
import { NameServer } from '../../src/engine/testing/name-server';
import { type RunningWorker, startWorker, useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, uniqueDomain } from '../support/factories';
import { FakeBeaconLinks, FakeNetwork } from '../support/fake-beacon-links';
import { runJob } from '../support/jobs';
import { requestRetestOf } from '../support/retests';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const elsewhere = uniqueDomain();
const own = uniqueDomain();
const inner = uniqueDomain();
const wide = uniqueDomain();
const settings = {
  EGRESS_ALLOW: `${site.endpoint},127.0.0.2:${site.port},127.0.0.1:80,127.0.0.1:443`,
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '20',
};
const api = useApi(settings);
const make = new Factories(api);
const links = new FakeBeaconLinks();
let worker: RunningWorker;
let names: NameServer;

beforeAll(async () => {
  await site.start();
  const here = { A: ['127.0.0.1'] };
  names = await NameServer.start({
    [elsewhere]: { CNAME: ['shop.github.io'], ...here },
    'shop.github.io': here,
    [own]: { A: ['10.99.0.1'] },
    [wide]: { A: ['127.0.0.1', '10.99.0.1'], AAAA: ['2001:db8::7'] },
    [inner]: { CNAME: [`www.${inner}`], ...here },
    [`www.${inner}`]: here,
  });
  worker = await startWorker({ ...settings, DNS_SERVERS: names.address });
  links.installIn(api.app);
  links.installIn(worker.context);
});
afterAll(async () => {
  await worker.stop();
  await names.stop();
  await site.stop();
});

interface Observed {
  readonly observation: Answer['body'];
  readonly asset: Answer['body'];
  readonly hosts: Answer['body'][];
  readonly state: Answer['body'];
  readonly watched: number[];
}

async function observe(client: Client, assetId: number): Promise<Observed> {
  const path = `/v1/assets/${assetId}`;
  const started = await client.post(`${path}/observe`);
  if (started.status !== 202) throw new Error(started.text);
  let observation: Answer['body'];
  await eventually(async () => {
    observation = (await client.get(`/v1/observations/${started.body.uuid}`)).body;
    expect(['FINISHED', 'ERROR']).toContain(observation.status);
  });
  const [row] = await query<{ watched: number[] }>('SELECT watched FROM observed_assets WHERE asset_id = $1', [
    assetId,
  ]);
  return {
    observation,
    asset: (await client.get(path)).body,
    hosts: (await client.get(`${path}/hosts`)).body.hosts,
    state: (await client.get(`${path}/observation`)).body,
    watched: (row?.watched ?? []).sort((one, other) => one - other),
  };
}

async function assetOf(tenant: Tenant, name: string): Promise<number> {
  await make.domain(tenant.id, { value: name, verified: true });
  const [asset] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1 AND value = $2', [
    tenant.id,
    name,
  ]);
  return asset?.id ?? 0;
}

describe('an observation of a public address', () => {
  it('tries only the ports that the operator allows', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { id } = await make.asset(tenant.id, { value: '127.0.0.1', type: 'ip' });
    const { observation, asset, watched } = await observe(client, id);
    expect(observation).toMatchObject({ status: 'FINISHED', hosts: 1, open_ports: 1 });
    expect(asset).toMatchObject({ ip: '127.0.0.1', ports: [site.port], services: ['http'] });
    expect(watched).toEqual([80, 443, site.port].sort((one, other) => one - other));
  });
});

describe('an observation of a name', () => {
  it('tries only 80 and 443 where someone else runs the host, until an admin confirms its target', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const id = await assetOf(tenant, elsewhere);
    const path = `/v1/assets/${id}/observation`;
    const before = await observe(client, id);
    expect(before.state).toMatchObject({ hosted_by: 'GitHub Pages', hosted_target: 'shop.github.io', limited: true });
    expect(before.watched).toEqual([80, 443]);
    expect(before.state).toMatchObject({ addresses: ['127.0.0.1'], aliases: ['shop.github.io'] });
    expect((await client.patch(path, { permitted_target: 'shop.github.io' })).status).toBe(200);
    const after = await observe(client, id);
    expect(after.state).toMatchObject({ hosted_by: 'GitHub Pages', limited: false });
    expect(after.watched).toEqual([80, 443, 8080, 8443]);
    // The confirmation is about the host, which has another asset.
    const page = await make.asset(tenant.id, { value: `http://${elsewhere}/a`, type: 'url' });
    const ofPage = await observe(client, page.id);
    expect(ofPage.state).toMatchObject({ limited: false, permitted_target: null });
    expect(ofPage.watched).toEqual([80, 443, 8080, 8443]);
  });

  it('ends the decisions of an admin when the target has changed', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const id = await assetOf(tenant, inner);
    await query(
      `INSERT INTO observed_assets (asset_id, organization_id, hosted_by, hosted_target, own_target, permitted_target)
       VALUES ($1, $2, 'Heroku', 'a.herokuapp.com', 'a.herokuapp.com', 'a.herokuapp.com')`,
      [id, tenant.id],
    );
    const page = await make.asset(tenant.id, { value: `http://${inner}/a`, type: 'url' });
    await query(
      `INSERT INTO observed_assets (asset_id, organization_id, hosted_by, hosted_target, own_target)
       VALUES ($1, $2, 'Heroku', 'a.herokuapp.com', 'a.herokuapp.com')`,
      [page.id, tenant.id],
    );
    const { state } = await observe(client, id);
    expect(state).toMatchObject({ hosted_by: null, hosted_target: null, own_target: null, permitted_target: null });
    // That of another asset of the host would count again if the target returned.
    expect((await client.get(`/v1/assets/${page.id}/observation`)).body).toMatchObject({ own_target: null });
  });

  it('says how many of its addresses were looked at', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { observation, state, hosts } = await observe(client, await assetOf(tenant, wide));
    expect(observation).toMatchObject({
      status: 'FINISHED',
      note: expect.stringContaining('1 of the 3 addresses of the name were looked at.'),
    });
    expect(state.addresses).toEqual(['10.99.0.1', '127.0.0.1', '2001:db8::7']);
    expect(hosts).toHaveLength(1);
  });

  it('ends in ERROR with the reason where the egress rules forbid its address', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { observation, state } = await observe(client, await assetOf(tenant, own));
    expect(observation.status).toBe('ERROR');
    expect(observation.error).toContain('its address is not a public address');
    expect(state.reason).toBe(observation.error);
  });
});

describe('a loaded template with a tag for detection', () => {
  it('names a technology by the start page, which is requested once', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { id } = await make.asset(tenant.id, { value: site.url, type: 'url' });
    const name = `acme-${tenant.id}`;
    const template = `id: ${name}
info: {name: Acme Site - Detect, severity: info, tags: "${name},tech", metadata: {vendor: acme}}
http:
  - path: ["{{BaseURL}}"]
    matchers: [{type: word, words: ["<h1>A site</h1>"]}]
`;
    const before = await observe(client, id);
    const requests = site.requestCount;
    await observe(client, id);
    const usual = site.requestCount - requests;
    await api.app.get(LibraryLoader).load([{ name: `${name}.yaml`, source: template }], { via: 'test' });
    const { asset } = await observe(client, id);
    expect(site.requestCount - requests).toBe(2 * usual);
    const source = `template ${name} on ${site.url}`;
    const acme = { name: 'Acme Site', vendor: 'acme', version: '', source };
    expect(before.asset.technologies).not.toContainEqual(expect.objectContaining({ name: 'Acme Site' }));
    expect(asset.technologies).toContainEqual(expect.objectContaining(acme));
  });
});

describe('a job', () => {
  it('shows what runs on its asset, which was never observed, and closes no port of one that was', async () => {
    const server = createServer((_request, response) => response.setHeader('server', 'nginx/1.28.0').end('A page'));
    await new Promise<void>((resolve) => server.listen(site.port, '127.0.0.2', resolve));
    try {
      const tenant = await make.organization();
      const { client } = await tenant.as('member');
      const url = `http://127.0.0.2:${site.port}/`;
      const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
      await runJob(client, url, { checks: ['missing-nosniff'] });
      const shown = async () => (await client.get(`/v1/assets/${id}`)).body;
      const technology = { name: 'nginx', version: '1.28.0', source: `server header of ${url}` };
      expect(await shown()).toMatchObject({ ports: [site.port], services: ['http'], technologies: [technology] });
      expect((await client.get(`/v1/assets/${id}/changes`)).body.changes).toEqual([]);
      const other = await make.organization();
      const foreign = (await other.as('owner')).client;
      expect((await foreign.get(`/v1/assets/${id}/hosts`)).status).toBe(404);

      await observe(client, id);
      await query(
        `INSERT INTO observed_ports (host_id, port, organization_id, state, first_seen, last_seen)
         SELECT id, 22, organization_id, 'open', now(), now() FROM observed_hosts WHERE asset_id = $1`,
        [id],
      );
      await runJob(client, url, { checks: ['missing-nosniff'] });
      await runJob(client, url, { checks: ['missing-nosniff'] });
      expect(await shown()).toMatchObject({ ports: [22, site.port] });

      // The next observation would forget a port that it does not try.
      await query(`UPDATE observed_assets SET watched = '{22}' WHERE asset_id = $1`, [id]);
      const ports = `FROM observed_ports WHERE host_id IN (SELECT id FROM observed_hosts WHERE asset_id = $1)`;
      await query(`DELETE ${ports} AND port <> 22`, [id]);
      await runJob(client, url, { checks: ['missing-nosniff'] });
      expect(await query(`SELECT port ${ports}`, [id])).toEqual([{ port: 22 }]);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('a retest', () => {
  it('shows what runs on its asset, without another request', async () => {
    const { client, path } = await requestRetestOf(make, site);
    await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'), 120_000);
    const requests = site.requestCount;
    const [finding] = await query<{ id: number }>('SELECT asset_id AS id FROM findings WHERE id = $1', [
      path.split('/')[3],
    ]);
    const id = finding?.id;
    await eventually(async () =>
      expect((await client.get(`/v1/assets/${id}`)).body).toMatchObject({ ports: [site.port], services: ['http'] }),
    );
    expect(site.requestCount).toBe(requests);
  });
});

describe('an observation behind a beacon', () => {
  async function behindBeacon(network: FakeNetwork) {
    const tenant = await make.organization();
    const { id: beaconId } = await make.beacon(tenant.id);
    links.connect(beaconId, network);
    const { id } = await make.asset(tenant.id, { value: '10.20.0.9', type: 'ip', beaconId });
    return { client: (await tenant.as('admin')).client, id, network, tenant, beaconId };
  }

  it('tries the usual ports of its address and of no other, and none of printers and controllers', async () => {
    const { client, id, network } = await behindBeacon(new FakeNetwork('10.20.0.9:6379'));
    const { observation, asset } = await observe(client, id);
    expect(observation).toMatchObject({ status: 'FINISHED', hosts: 1, open_ports: 1 });
    expect(asset).toMatchObject({ ip: '10.20.0.9', ports: [6379] });
    expect(network.addresses).toEqual(['10.20.0.9']);
    const dialled = new Set(network.dials.map(({ port }) => port));
    expect([...dialled].filter((port) => !COMMON_PORTS.includes(port) || isSilentPort(port))).toEqual([]);
    expect(dialled.size).toBe(COMMON_PORTS.length);
  });

  it('tries the ports that an admin has chosen besides the usual ones', async () => {
    const { client, id, network } = await behindBeacon(new FakeNetwork());
    await client.patch(`/v1/assets/${id}/observation`, { observe_ports: '22,1000-1003' });
    await observe(client, id);
    expect(new Set(network.dials.map(({ port }) => port))).toEqual(new Set([...COMMON_PORTS, 1000, 1001, 1002, 1003]));
  });

  it('looks at the host of a block that takes a connection on all ports, and at addresses that a firewall refuses on few', async () => {
    const network = new FakeNetwork('10.20.0.3:22');
    const { client, tenant, beaconId } = await behindBeacon(network);
    const { id } = await make.asset(tenant.id, { value: '10.20.0.0/29', type: 'cidr', beaconId });
    const { observation, hosts } = await observe(client, id);
    expect(observation).toMatchObject({ status: 'FINISHED', hosts: 1, open_ports: 1 });
    expect(hosts).toMatchObject([{ address: '10.20.0.3', ports: [{ port: 22 }] }]);
    const portsOf = (address: string) =>
      new Set(network.dials.filter((dial) => dial.address === address).map(({ port }) => port));
    expect(portsOf('10.20.0.3')).toEqual(new Set(COMMON_PORTS));
    for (const last of [1, 2, 4, 5, 6]) expect(portsOf(`10.20.0.${last}`)).toEqual(new Set(DEFAULT_PORTS));
    expect(network.addresses).toHaveLength(6);
    expect(network.peakConnections).toBeLessThanOrEqual(32);
  });

  it('is refused while no agent is connected', async () => {
    const network = new FakeNetwork();
    const { client, id } = await behindBeacon(network);
    network.disconnect();
    const answer = await client.post(`/v1/assets/${id}/observe`);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('is not connected')]);
  });

  it('ends soon after its beacon was deleted', async () => {
    const network = new FakeNetwork();
    network.isSilent = true;
    const tenant = await make.organization();
    const { id: beaconId } = await make.beacon(tenant.id);
    links.connect(beaconId, network);
    const { id } = await make.asset(tenant.id, { value: '10.20.0.9', type: 'ip', beaconId });
    const { client } = await tenant.as('admin');
    const { uuid } = (await client.post(`/v1/assets/${id}/observe`)).body;
    await eventually(async () => expect(network.dials.length).toBeGreaterThan(0));
    expect((await client.delete(`/v1/organizations/${tenant.id}/beacons/${beaconId}`)).status).toBe(204);
    await eventually(async () => {
      expect(await query(`SELECT 1 FROM work WHERE reference = $1 AND state = 'running'`, [uuid])).toEqual([]);
    });
  });
});
