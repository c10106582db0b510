import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTHORITY } from '../../src/engine/testing/test-authority';
import { useApi } from '../support/api';
import { Factories, uniqueDomain } from '../support/factories';
import { launchProcess, type RunningProcess } from '../support/processes';
import { FindingTests } from '../support/verdict-states/finding-tests';
import { documentedLimits, KNOWN_LIMITS } from '../support/verdict-states/known-limits';
import { describeWithStateNetwork, StateNetwork } from '../support/verdict-states/network';
import { repairs, reportOf } from '../support/verdict-states/row-report';
import {
  fewOfEachState,
  type JudgedRow,
  judgeAll,
  MISSING_PROGRAMS,
  type Row,
  ROWS,
  sampleOf,
} from '../support/verdict-states/rows';
import { ServiceServers } from '../support/verdict-states/service-servers';
import { StateTargets } from '../support/verdict-states/targets';
import { TlsServers } from '../support/verdict-states/tls-servers';
import { ZoneServers } from '../support/verdict-states/zone-servers';

const AT_ONCE = 12;
const SEED = 1874;
const LEAST_RECOGNIZED = 0.9;

const CHECKS_OF_STATE = 3;

/** `VERDICT_STATES=40` judges forty rows, `VERDICT_STATES=/cache/` those that match, and `VERDICT_STATES=all` all of them. */
const chosen = process.env['VERDICT_STATES'] ?? '';
const [, expression] = /^\/(.*)\/$/.exec(chosen) ?? [];

function chosenRows(): readonly Row[] {
  if (chosen === 'all') return ROWS;
  if (expression !== undefined)
    return ROWS.filter(({ kind, check, state }) => new RegExp(expression).test(`${kind} ${check} ${state}`));
  const few = fewOfEachState(ROWS, CHECKS_OF_STATE, SEED);
  return chosen === '' ? few : sampleOf(few, Number(chosen), SEED);
}

const quick = { ENGINE_REQUESTS_PER_SECOND: '500', ENGINE_PROBE_SPREAD_MS: '300' };

const api = useApi({});
const make = new Factories(api);

it('every known limit that a state stands for is documented', () => {
  const limits = documentedLimits();
  for (const beginning of Object.values(KNOWN_LIMITS))
    expect(limits.filter((limit) => limit.startsWith(beginning))).toHaveLength(1);
  for (const { truth, limit, state } of ROWS)
    expect([state, truth === 'known limit']).toEqual([state, limit !== undefined]);
});

describeWithStateNetwork('targets that hide a weakness', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-states-'));
  let network: StateNetwork;
  let zones: ZoneServers;
  let tls: TlsServers;
  let services: ServiceServers;
  let targets: StateTargets;
  let tests: FindingTests;

  beforeAll(async () => {
    network = await StateNetwork.create();
    zones = await ZoneServers.open(network);
    const domain = uniqueDomain();
    const { addresses, common } = zones;
    common.set('example', { SOA: ['ns.example'], NS: ['ns.example'] });
    common.set('ns.example', { A: [addresses.parent] });
    common.set(domain, { SOA: [`ns.${domain}`], NS: [`ns.${domain}`], A: [addresses.parent] });
    common.set(`ns.${domain}`, { A: [addresses.parent] });
    tls = await TlsServers.start([`*.${domain}`]);
    services = await ServiceServers.start();
    targets = new StateTargets(network, zones, tls, services, domain);
    const tenant = await make.organization();
    await make.domain(tenant.id, { value: domain, verified: true });
    const { slug } = await make.event(tenant.id, { status: 'running' });
    const { client } = await tenant.as('admin');
    const [{ id }] = (await client.get(`/v1/organizations/${tenant.id}/assets/`)).body.assets;
    await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: id, in_scope: true });
    tests = new FindingTests(client, tenant.id, slug);
    writeFileSync(join(folder, 'authority.pem'), AUTHORITY.cert);
  });

  afterAll(async () => {
    await Promise.all([tls?.stop(), services?.stop()]);
    zones?.close();
    network?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Judges rows with a worker in the network that has these settings of the engine. */
  async function judgeWith(settings: Record<string, string>, rows: readonly Row[]): Promise<readonly JudgedRow[]> {
    const workers: RunningProcess[] = [];
    const environment = {
      DNS_SERVERS: zones.addresses.resolver,
      NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
      WORKER_CONCURRENCY: String(AT_ONCE),
      DATABASE_POOL_SIZE: '20',
      WORK_SWEEP_SECONDS: '0.2',
      LOG_LEVEL: 'warn',
      ...settings,
    };
    await launchProcess('worker', environment, (running) => void workers.push(running), network.inside);
    try {
      return await judgeAll(rows, targets, tests, AT_ONCE);
    } finally {
      for (const worker of workers) worker.kill('SIGTERM');
      await Promise.all(workers.map(({ exited }) => exited));
    }
  }

  function expectTruth(rows: readonly JudgedRow[]): void {
    process.stdout.write(`${reportOf(rows)}\n`);
    const names = (judgement: JudgedRow['judgement']) =>
      rows
        .filter((row) => row.judgement === judgement)
        .map(({ kind, check, state }) => `${kind} of ${check}: ${state}`);
    expect(names('false fixed')).toEqual([]);
    expect(names('false alarm')).toEqual([]);
    const repaired = repairs(rows);
    const recognized = repaired.filter(({ result }) => result === 'fixed');
    expect(recognized.length).toBeGreaterThanOrEqual(LEAST_RECOGNIZED * repaired.length);
  }

  it('are never fixed, refuted or green, and repairs are recognized', async () => {
    for (const missing of MISSING_PROGRAMS) process.stdout.write(`${missing}\n`);
    const rows = chosenRows().filter(({ needsSeconds }) => !needsSeconds);
    expectTruth(await judgeWith(quick, rows));
  });

  it('are judged alike with the default settings of the engine', async () => {
    const rows = chosenRows();
    const slow = rows.filter(({ needsSeconds }) => needsSeconds);
    expectTruth(await judgeWith({}, [...slow, ...sampleOf(rows, Math.ceil(rows.length / 10), SEED)]));
  });
});
