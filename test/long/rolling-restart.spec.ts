import { inspect } from 'node:util';
import { useApi } from '../support/api';
import { type ApisBehindGateway, startTwoBehind, TwoProcesses } from '../support/behind-gateway';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person, type Tenant, unique } from '../support/factories';
import { installedGateways } from '../support/gateways';
import { type Browser, signedInAs } from '../support/portal';
import { VulnerableSite } from '../support/vulnerable-site';

/** How often each process is restarted. */
const ROUNDS = Number(process.env['RESTART_ROUNDS'] ?? 3);
const CLIENTS = 12;

const site = new VulnerableSite();
const settings = {
  EGRESS_ALLOW: site.endpoint,
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '20',
  WORK_SWEEP_SECONDS: '0.5',
  DATABASE_POOL_SIZE: '5',
  // Other programs may use the machine.
  DATABASE_TIMEOUT_MS: '30000',
};
const api = useApi(settings);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());

describe.each(installedGateways)('a rolling restart behind %s as docs/deployment.md configures it', (name) => {
  let behind: ApisBehindGateway;
  let workers: TwoProcesses;
  let tenant: Tenant;
  let owner: Person;
  let browser: Browser;

  beforeAll(async () => {
    behind = await startTwoBehind(name, settings);
    workers = new TwoProcesses('worker', [settings, settings]);
    await workers.start();
    tenant = await make.organization();
    owner = await tenant.as('owner');
    browser = await signedInAs(api, { url: behind.gateway.portalUrl }, owner);
  });
  afterAll(async () => {
    await workers.end('SIGKILL');
    await behind.stop();
  });

  /** Requests that a process has answered. */
  const answered = (at: number): number => (behind.apis.running[at]?.output() ?? '').split('"request_id"').length - 1;

  it('of the API processes and the workers fails no request and loses no work', async () => {
    const through = new Factories({ app: api.app, port: behind.gateway.port, url: behind.gateway.url });
    const client = through.withCredentials(owner.credentials);
    const asset = await make.asset(tenant.id, { value: site.url, type: 'url' });
    const failures: string[] = [];
    const retests: string[] = [];
    let requests = 0;
    let created = 0;
    const over = new AbortController();
    const expectStatus = async (what: string, status: number, sent: Promise<{ status: number; text: string }>) => {
      const answer = await sent.catch((error: Error) => ({ status: 0, text: inspect(error.cause ?? error) }));
      requests += 1;
      if (answer.status !== status) failures.push(`${what}: ${answer.status} ${answer.text.slice(0, 120)}`);
      return answer.status === status;
    };
    const load = async (number: number): Promise<void> => {
      for (let turn = 0; !over.signal.aborted; turn++) {
        await expectStatus('list', 200, client.get(`/v1/organizations/${tenant.id}/findings/`));
        const body = { organization_id: tenant.id, asset_value: `x${number}-${turn}.example`, asset_type: 'domain' };
        if (await expectStatus('create', 201, client.post('/v1/assets/', body))) created += 1;
        await expectStatus('page', 200, browser.get(`/o/${tenant.id}/findings`));
        if (turn % 20 === 0) {
          const { id } = await make.finding(tenant.id, {
            asset: { id: asset.id, value: site.url, tier: null },
            title: unique('Retested'),
            checkId: 'missing-nosniff',
            checkDefinition: { location: site.url },
          });
          const path = `/v1/findings/${id}/retest`;
          if (await expectStatus('retest', 202, client.post(path))) retests.push(path);
        }
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, number) => load(number));
    const codes: (number | null)[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++)
        for (const at of [0, 1]) {
          codes.push(await behind.apis.restart(at));
          // The gateway uses the new process.
          await eventually(async () => expect(answered(at)).toBeGreaterThan(50));
          codes.push(await workers.restart(at));
        }
    } finally {
      over.abort();
      await Promise.all(clients);
    }
    process.stdout.write(`${name}: ${requests} requests, ${codes.length} restarts, ${failures.length} failures\n`);
    expect([...new Set(failures)].slice(0, 20)).toEqual([]);
    expect(codes).toEqual(codes.map(() => 0));
    for (const path of retests)
      await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
    const [counts] = await query<{ assets: number; entries: number }>(
      `SELECT (SELECT count(*)::int FROM assets WHERE organization_id = $1) AS assets,
         (SELECT count(*)::int FROM audit_logs WHERE organization_id = $1 AND operation = 'asset.create' AND status = 'success') AS entries`,
      [tenant.id],
    );
    // One was created before.
    expect(counts).toEqual({ assets: created + 1, entries: created + 1 });
  });
});
