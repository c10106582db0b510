import { NameServer } from '../../src/engine/testing/name-server';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, uniqueDomain } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';
import { startProcess } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
/** For the ids of the organizations, which the configuration of the next API and of the worker contains. */
const plainApi = useApi();
const make = new Factories(plainApi);

interface Owner {
  readonly tenant: Tenant;
  readonly client: Client;
  /** A verified domain that resolves to the site. */
  readonly domain: string;
}

let own: Owner;
let other: Owner;
let names: NameServer;

async function createOwner(): Promise<Owner> {
  const tenant = await make.organization();
  const domain = uniqueDomain();
  await make.domain(tenant.id, { value: domain, verified: true });
  const { credentials } = await tenant.as('admin');
  return { tenant, domain, client: new Factories(api).withCredentials(credentials) };
}

beforeAll(async () => {
  await site.start();
  [own, other] = [await createOwner(), await createOwner()];
  names = await NameServer.start({ [own.domain]: { A: ['127.0.0.1'] }, [other.domain]: { A: ['127.0.0.1'] } });
});
afterAll(async () => {
  await site.stop();
  await names.stop();
});
beforeEach(() => {
  site.requestCount = 0;
});

const engine = {
  get EGRESS_ALLOW() {
    const entries = [
      site.endpoint,
      `staging.internal=${site.endpoint}`,
      '10.20.0.0/16:443',
      '[fd00:20::/32]:443',
      '10.22.1.0/24:443',
      '0.0.0.0/0:8443',
      '[::/0]:8443',
    ];
    return entries.map((entry) => `${own.tenant.id}@${entry}`).join(',');
  },
  get DNS_SERVERS() {
    return names.address;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(engine);
useWorker(engine);

const addAsset = async ({ tenant }: Owner, value: string, type: string): Promise<number> =>
  (await make.asset(tenant.id, { value, type })).id;

const checked = async ({ client }: Owner, url: string): Promise<object> =>
  (await client.post('/v1/jobs/check', { url })).body;

const refused = (reason: string) => ({ valid: false, reason: expect.stringContaining(reason) });
const NOT_VERIFIED = 'its owner cannot be verified';

/** The result and the reason of a retest of a finding with a check at this URL, or the refusal to start it. */
async function retested({ tenant, client }: Owner, assetId: number, url: string): Promise<object> {
  const asset = { id: assetId, value: url, tier: null };
  const check = { checkId: 'missing-nosniff', checkDefinition: { location: url } };
  const { id } = await make.finding(tenant.id, { asset, ...check });
  const path = `/v1/findings/${id}/retest`;
  const started = await client.post(path);
  if (started.status !== 202) return started.body;
  await eventually(async () => expect(['finished', 'error']).toContain((await client.get(path)).body.status));
  return (await client.get(path)).body;
}

describe('a target that is allowed for one organization', () => {
  it('can be tested by that organization in a job and a retest, and by no other one', async () => {
    const assets = [await addAsset(other, site.url, 'url'), await addAsset(own, site.url, 'url')] as const;
    expect(await checked(other, site.url)).toMatchObject(refused(NOT_VERIFIED));
    expect((await other.client.post('/v1/jobs/launch', { url: site.url })).status).toBe(422);
    expect(await retested(other, assets[0], site.url)).toMatchObject({
      code: 409,
      description: expect.stringContaining(NOT_VERIFIED),
    });
    expect(site.requestCount).toBe(0);
    expect(await checked(own, site.url)).toMatchObject({ valid: true });
    await runJob(own.client, site.url);
    expect(await retested(own, assets[1], site.url)).toMatchObject({ result: 'still_vulnerable' });
  });

  it('cannot be reached by another organization whose verified domain resolves to it', async () => {
    const urlOf = ({ domain }: Owner): string => `http://${domain}:${site.port}/`;
    const job = await launchJob(other.client, urlOf(other));
    expect(await waitForJob(other.client, job)).toBe('ERROR');
    const { error } = (await other.client.get(`/v1/jobs/${job}`)).body.job;
    expect(error).toContain('its address is not a public address');
    const asset = await addAsset(other, urlOf(other), 'url');
    expect(await retested(other, asset, urlOf(other))).toMatchObject({
      result: 'inconclusive',
      reason: expect.stringContaining('its address is not a public address'),
    });
    expect(site.requestCount).toBe(0);
    await waitForJob(own.client, await launchJob(own.client, urlOf(own)));
    expect(site.requestCount).toBeGreaterThan(0);
  });

  it('can have a name that the DNS does not know', async () => {
    const url = `http://staging.internal:${site.port}/`;
    for (const owner of [own, other]) await addAsset(owner, url, 'url');
    expect(await checked(other, url)).toMatchObject(refused('is not verified'));
    expect(await checked(own, url.replace(`:${site.port}`, ''))).toMatchObject(refused('is not verified'));
    await runJob(own.client, url);
    const names = (await own.client.get(`/v1/organizations/${own.tenant.id}/findings/?per_page=100`)).body.findings;
    expect(JSON.stringify(names)).not.toContain('dns://');
  });
});

describe('a block that is allowed for one organization', () => {
  it.each([
    ['10.20.0.0/16', 'cidr', 'https://10.20.3.4/'],
    ['10.20.4.0/24', 'cidr', 'https://10.20.4.9/'],
    ['10.20.5.5', 'ip', 'https://10.20.5.5/'],
    ['https://10.20.6.6/', 'url', 'https://10.20.6.6/'],
    ['fd00:20:1::/48', 'cidr', 'https://[fd00:20:1::5]/'],
  ])('makes its asset %s (%s) a target of that organization, and of no other one', async (value, type, url) => {
    for (const owner of [own, other]) await addAsset(owner, value, type);
    expect(await checked(own, url)).toMatchObject({ valid: true });
    expect(await checked(other, url)).toMatchObject(refused(NOT_VERIFIED));
    // Only on the port of the entry.
    expect((await own.client.post('/v1/jobs/check', { url: url.replace('https', 'http') })).body.valid).toBe(false);
  });

  it('makes no target of an address in an asset that is larger than the block', async () => {
    const url = 'https://10.22.1.5/';
    await addAsset(own, '10.22.0.0/16', 'cidr');
    expect(await checked(own, url)).toMatchObject(refused(NOT_VERIFIED));
    await addAsset(own, '10.22.1.0/24', 'cidr');
    expect(await checked(own, url)).toMatchObject({ valid: true });
  });

  it.each([
    ['127.0.0.0/16', 'https://127.0.0.1:8443/'],
    ['169.254.0.0/16', 'https://169.254.169.254:8443/'],
    ['100.100.100.0/24', 'https://100.100.100.200:8443/'],
    ['fd00:ec2::/48', 'https://[fd00:ec2::254]:8443/'],
    ['fe80::/48', 'https://[fe80::1]:8443/'],
  ])('makes no target of %s, although it contains it', async (value, url) => {
    await addAsset(own, value, 'cidr');
    expect(await checked(own, url)).toMatchObject(refused(NOT_VERIFIED));
    await addAsset(own, url, 'url');
    expect(await checked(own, url)).toMatchObject(refused(NOT_VERIFIED));
  });
});

describe('the start of a process with EGRESS_ALLOW', () => {
  it.each(['worker', 'api'] as const)(
    'succeeds for the %s although an organization was deleted, whose entries are ignored with a warning',
    async (name) => {
      const partner = await make.integrator();
      const { id } = await make.organization({ integratorId: partner.integratorId });
      const entries = { EGRESS_ALLOW: `${id}@10.20.0.0/16:443`, WEBHOOK_ALLOW: `${id}@10.20.0.5:443` };
      const ports = { PORT: '0', HOST: '127.0.0.1', PORTAL_PORT: 'off' };
      const before = await startProcess(name, { ...entries, ...ports });
      expect((await partner.client.delete(`/v1/organizations/${id}/`)).status).toBe(200);
      const after = await startProcess(name, { ...entries, ...ports });
      for (const running of [before, after]) {
        running.kill('SIGTERM');
        expect(await running.exited).toBe(0);
      }
      const ignored = `but organization ${id} was deleted. The entry is ignored`;
      expect(before.output()).not.toContain(ignored);
      expect(after.output()).toContain(`EGRESS_ALLOW contains ${id}@10.20.0.0/16:443, ${ignored}`);
      expect(after.output()).toContain(`WEBHOOK_ALLOW contains ${id}@10.20.0.5:443, ${ignored}`);
    },
  );

  it('is refused if an organization never existed', async () => {
    const EGRESS_ALLOW = `${own.tenant.id}@10.20.0.0/16:443,2147483647@10.20.0.0/16:443`;
    await expect(startProcess('worker', { EGRESS_ALLOW })).rejects.toThrow(
      /EGRESS_ALLOW contains 2147483647@10\.20\.0\.0\/16:443, but there is no organization 2147483647: correct the number/,
    );
  });

  it('logs each entry in production', async () => {
    const { id } = own.tenant;
    const process = await startProcess('api', {
      NODE_ENV: 'production',
      ENGINE_USER_AGENT: 'Assay of example.com (security@example.com)',
      EGRESS_ALLOW: `${id}@10.20.0.0/16:443,${id}@[fd00::/8]:443`,
      PORT: '0',
      HOST: '127.0.0.1',
    });
    process.kill('SIGTERM');
    await process.exited;
    expect(process.output()).toContain(`EGRESS_ALLOW: organization ${id} may test 10.20.0.0/16:443.`);
    expect(process.output()).toContain(`EGRESS_ALLOW: organization ${id} may test [fd00::/8]:443.`);
  });
});
