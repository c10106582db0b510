import { LibraryLoader } from '../../src/modules/checks';
import { NameServer, type Zone } from '../../src/engine/testing/name-server';
import { type RunningWorker, startWorker, useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique, uniqueDomain } from '../support/factories';
import { launchJob, runJob, waitForJob } from '../support/jobs';
import { requestRetest, untilFinished } from '../support/retests';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
/** An organization verifies each name. */
const elsewhere = Array.from({ length: 7 }, uniqueDomain);
const settings = { EGRESS_ALLOW: `${site.endpoint},127.0.0.1:80`, ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(settings);
const make = new Factories(api);
const target = 'shop.github.io';
let worker: RunningWorker;
let names: NameServer;

beforeAll(async () => {
  await site.start();
  const here = { A: ['127.0.0.1'] };
  const named = elsewhere.map((name) => [name, { CNAME: [target], ...here }] as const);
  names = await NameServer.start({ ...Object.fromEntries(named), [target]: here });
  worker = await startWorker({ ...settings, DNS_SERVERS: names.address });
});
afterAll(async () => {
  await worker.stop();
  await names.stop();
  await site.stop();
});

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly assetId: number;
  readonly usual: string;
  readonly wide: string;
  readonly refusal: string;
}

/** A name that someone else hosts, which was never observed. */
async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const name = elsewhere.pop() ?? '';
  await make.domain(tenant.id, { value: name, verified: true });
  const sql = 'SELECT id FROM assets WHERE organization_id = $1 AND value = $2';
  const [asset] = await query<{ id: number }>(sql, [tenant.id, name]);
  return {
    tenant,
    client: (await tenant.as('admin')).client,
    assetId: asset?.id ?? 0,
    usual: `http://${name}/`,
    wide: `http://${name}:${site.port}/`,
    refusal: `${name} is hosted elsewhere, at ${target} (GitHub Pages), and port ${site.port} is not one of a site.`,
  };
}

const observed = ({ tenant, assetId }: Fixture, hostedTarget = target) =>
  query(
    `INSERT INTO observed_assets (asset_id, organization_id, hosted_by, hosted_target, observed)
     VALUES ($1, $2, 'GitHub Pages', $3, now())
     ON CONFLICT (asset_id, organization_id) DO UPDATE SET hosted_target = excluded.hosted_target`,
    [assetId, tenant.id, hostedTarget],
  );

const confirm = async ({ client, assetId }: Fixture, fields: object = { permitted_target: target }) => {
  const answer = await client.patch(`/v1/assets/${assetId}/observation`, fields);
  if (answer.status !== 200) throw new Error(answer.text);
};

async function endOf(client: Client, uuid: string) {
  await waitForJob(client, uuid);
  return (await client.get(`/v1/jobs/${uuid}`)).body.job;
}

describe('a job on a host that someone else runs', () => {
  it('is refused on other ports than 80 and 443 until an admin confirms its target', async () => {
    const fixture = await createFixture();
    const { client, usual, wide, refusal } = fixture;
    await observed(fixture);
    const refused = await client.post('/v1/jobs/launch', { url: wide });
    expect([refused.status, refused.body.description]).toEqual([422, expect.stringContaining(refusal)]);
    expect((await client.post('/v1/jobs/check', { url: wide })).body).toMatchObject({ valid: false });
    expect((await client.post('/v1/jobs/check', { url: usual })).body).toMatchObject({ valid: true });
    for (const field of ['permitted_target', 'own_target']) {
      await confirm(fixture, { [field]: target });
      expect((await client.post('/v1/jobs/check', { url: wide })).body).toMatchObject({ valid: true });
      await confirm(fixture, { [field]: null });
    }
    expect((await client.post('/v1/jobs/check', { url: wide })).body).toMatchObject({ valid: false });
  });

  it('sends nothing to another port of a host that was never observed, and runs when its target is confirmed', async () => {
    const fixture = await createFixture();
    const { client, wide, refusal } = fixture;
    const before = site.requestCount;
    const job = await endOf(client, await launchJob(client, wide, { checks: ['missing-nosniff'] }));
    expect(job).toMatchObject({ status: 'ERROR', error: expect.stringContaining(refusal) });
    expect(site.requestCount).toBe(before);
    await observed(fixture);
    await confirm(fixture);
    const confirmed = await endOf(client, await launchJob(client, wide, { checks: ['missing-nosniff'] }));
    expect(confirmed).toMatchObject({ status: 'FINISHED', hosted_by: null, hosted_target: null });
  });

  it('leaves out checks that are not passive, and says so', async () => {
    const fixture = await createFixture();
    const { client, usual } = fixture;
    const id = unique('tries').replace(' ', '-');
    const source = `id: ${id}
info: {name: Tries, severity: low, tags: intrusive}
http:
  - path: ["{{BaseURL}}"]
    matchers: [{type: word, words: [never-there]}]
`;
    await api.app.get(LibraryLoader).load([{ name: `${id}.yaml`, source }], { via: 'test' });
    const checks = [`http:${id}`, 'missing-nosniff'];
    const coverageOf = async (uuid: string) => {
      const [row] = await query<{ coverage: { check: string; outcome: string; reason: string }[] }>(
        'SELECT coverage FROM jobs WHERE uuid = $1',
        [uuid],
      );
      return row?.coverage.find(({ check }) => check === `http:${id}`);
    };
    const limited = await launchJob(client, usual, { checks });
    expect(await endOf(client, limited)).toMatchObject({ hosted_by: 'GitHub Pages', hosted_target: target });
    const reason = `the host is hosted elsewhere, at ${target} (GitHub Pages), and the check is not passive: it is tagged intrusive.`;
    expect(await coverageOf(limited)).toMatchObject({
      outcome: 'not_applicable',
      reason: expect.stringContaining(reason),
    });

    // A decision about another target does not count.
    await observed(fixture, 'old.github.io');
    await confirm(fixture, { own_target: 'old.github.io' });
    const other = await launchJob(client, usual, { checks });
    await endOf(client, other);
    expect(await coverageOf(other)).toMatchObject({ outcome: 'not_applicable' });

    await observed(fixture);
    await confirm(fixture);
    const permitted = await launchJob(client, usual, { checks });
    expect(await endOf(client, permitted)).toMatchObject({ hosted_by: null, hosted_target: null });
    expect(await coverageOf(permitted)).toMatchObject({ outcome: 'inconclusive' });
  });
});

describe('a finding on the DNS of a host without an address', () => {
  const alias = 'app.cloud.test';
  const zoneOf = (name: string, records: Zone[string]): Zone => ({
    [name]: { SOA: ['ns1.dns.test hostmaster.dns.test 1'], ...records },
  });

  /** Found by a job; the retests begin when the worker asks the DNS. */
  async function findWeakness(checkId: string, records: (name: string) => Zone) {
    const fixture = await createFixture();
    const { tenant, client, usual } = fixture;
    const name = new URL(usual).hostname;
    const publish = (zone: Zone): void => {
      names.zone = { ...names.zone, ...zone };
    };
    publish(records(name));
    await runJob(client, usual, { checks: [checkId] });
    const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/`)).body;
    const path = `/v1/findings/${findings[0].id}/retest`;
    const retest = async () => {
      await untilFinished(await requestRetest({ client, path }));
      return (await client.get(path)).body;
    };
    return { ...fixture, name, publish, retest };
  }

  it('is retested while its alias leads to nothing and after the alias is deleted', async () => {
    const dangling = (name: string): Zone => zoneOf(name, { CNAME: [alias] });
    const { name, publish, retest } = await findWeakness('dangling-cname', dangling);
    expect(await retest()).toMatchObject({ result: 'still_vulnerable' });
    publish(zoneOf(name, {}));
    expect(await retest()).toMatchObject({ result: 'fixed' });
  });

  it('is retested for a domain that has mail and no site', async () => {
    const MX = ['10 mail.cloud.test'];
    const { name, publish, retest } = await findWeakness('missing-spf', (own) => zoneOf(own, { MX }));
    expect(await retest()).toMatchObject({ result: 'still_vulnerable' });
    publish(zoneOf(name, { MX, TXT: ['v=spf1 -all'] }));
    expect(await retest()).toMatchObject({ result: 'fixed' });
  });

  it('is retested although the service that its alias leads to is run by someone else', async () => {
    const dangling = (name: string): Zone => zoneOf(name, { CNAME: [alias] });
    const fixture = await findWeakness('dangling-cname', dangling);
    await observed(fixture);
    expect(await fixture.retest()).toMatchObject({ result: 'still_vulnerable' });
  });
});

describe('a finding on a host that someone else runs', () => {
  it('is not retested with a check that is not passive until an admin confirms its target', async () => {
    const fixture = await createFixture();
    const { tenant, client, assetId, usual } = fixture;
    const { slug } = await make.event(tenant.id, { status: 'running' });
    await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
    const http = `
id: signs-in
info: { name: Signs in }
http:
  - method: POST
    path: ['{{BaseURL}}']
    matchers: [{ type: word, words: [welcome] }]
`;
    const draft = { title: 'A default password', severity: 'high', asset_id: assetId };
    const check = { http, location: usual, allow_unsafe: true };
    const { id } = (await client.post(`/v1/events/${slug}/findings/`, { ...draft, check })).body;
    const path = `/v1/findings/${id}/retest`;
    const reason = `the check is not passive: it sends POST.`;
    // The worker asks the DNS, because the host was never observed.
    await eventually(async () => {
      const sql = 'SELECT verification_reason AS why FROM findings WHERE id = $1';
      expect(await query(sql, [id])).toEqual([{ why: expect.stringContaining(reason) }]);
    });
    await observed(fixture);
    const refused = await client.post(path);
    expect([refused.status, refused.body.description]).toEqual([409, expect.stringContaining(reason)]);
    await confirm(fixture);
    expect((await client.post(path)).status).toBe(202);
  });
});
