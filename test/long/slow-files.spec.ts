import { CSV_TEMPLATE } from '../../src/scanner-files';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { eventually } from '../support/eventually';
import { startProcess } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const settings = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(settings);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());

const FILE_BYTES = 60 * 1024 * 1024;
const MAX_RATIO = 4;
const MAX_CLAIM_SECONDS = 5;
const TIMES = 5;

/** For each format, the input that takes the most time for each byte, and that lasts as long as the file. */
const WORST: readonly [format: string, start: string, part: string, end: string][] = [
  ['zap-xml', '<OWASPZAPReport><site><alertitem>', '<a/>', '</alertitem></site></OWASPZAPReport>'],
  ['zap-xml, elements outside of results', '<OWASPZAPReport>', '<a/>', '</OWASPZAPReport>'],
  ['burp-xml', '<issues><issue>', '<a/>', '</issue></issues>'],
  ['burp-xml, rows', '<issues>', '<issue/>', '</issues>'],
  ['nessus-xml', '<NessusClientData_v2><ReportItem>', '<a/>', '</ReportItem></NessusClientData_v2>'],
  ['nuclei-jsonl', '{"template-id":"x"}\n', 'x\n', ''],
  ['sarif', '{"version":"2.1.0","runs":[', '{},', '{}]}'],
  ['sarif, rows', '{"version":"2.1.0","runs":[{"results":[', '1,', '1]}]}'],
  ['zap-json', '{"site":[', '{},', '{}]}'],
  ['defectdojo-json', '{"findings":[', '1,', '1]}'],
  ['csv', CSV_TEMPLATE.slice(0, CSV_TEMPLATE.indexOf('\n') + 1), 'a,low\n', ''],
];

const fileOf = (start: string, part: string, end: string): Blob => {
  const piece = part.repeat(Math.ceil(65_536 / part.length));
  const pieces = Array.from({ length: Math.ceil(FILE_BYTES / piece.length) }, () => piece);
  return new Blob([start, ...pieces, end], { type: 'application/octet-stream' });
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

interface Neighbor {
  readonly client: Client;
  readonly organizationId: number;
  readonly host: string;
  readonly startRetest: () => Promise<number>;
}

async function createNeighbor(): Promise<Neighbor> {
  const tenant = await make.organization();
  const { value: host } = await make.asset(tenant.id);
  const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const { client } = await tenant.as('member');
  const startRetest = async (): Promise<number> => {
    const finding = await make.finding(tenant.id, {
      asset: { id: assetId, value: site.url, tier: null },
      checkId: 'missing-nosniff',
      checkDefinition: { location: site.url },
    });
    expect((await client.post(`/v1/findings/${finding.id}/retest`)).status).toBe(202);
    return finding.id;
  };
  return { client, organizationId: tenant.id, host, startRetest };
}

/** From the upload to the end, in seconds. */
async function importTime({ client, organizationId, host }: Neighbor): Promise<number> {
  const line = JSON.stringify({
    'template-id': `rule-${Math.random()}`,
    info: { name: 'Weakness', severity: 'low' },
    'matched-at': `https://${host}/`,
  });
  const started = performance.now();
  const file = new Blob([`${line}\n`], { type: 'application/octet-stream' });
  const { body } = await client.post(`/v1/organizations/${organizationId}/imports`, file);
  await eventually(async () => {
    const [row] = await query<{ status: string }>('SELECT status FROM imports WHERE id = $1', [body.id]);
    expect(row?.status).toBe('FINISHED');
  }, 120_000);
  return (performance.now() - started) / 1_000;
}

/** From the request to the claim, in seconds. */
async function claimTime({ organizationId, startRetest }: Neighbor): Promise<number> {
  const started = performance.now();
  await startRetest();
  await eventually(async () => {
    const rows = await query(
      `SELECT 1 FROM work WHERE kind = 'retest.run' AND organization_id = $1 AND state = 'waiting'`,
      [organizationId],
    );
    expect(rows).toEqual([]);
  }, 120_000);
  return (performance.now() - started) / 1_000;
}

it.each(WORST)('a file of %s that is slow to read delays others little', async (name, start, part, end) => {
  const neighbor = await createNeighbor();
  const uploaders = await Promise.all(
    [1, 2].map(async () => {
      const tenant = await make.organization();
      return { tenant, client: (await tenant.as('member')).client };
    }),
  );
  await startProcess('worker', settings);
  await importTime(neighbor);
  const alone: number[] = [];
  for (let time = 0; time < TIMES; time++) alone.push(await importTime(neighbor));

  const file = fileOf(start, part, end);
  const ids = await Promise.all(
    uploaders.map(async ({ tenant, client }) => {
      const { body, status } = await client.post(`/v1/organizations/${tenant.id}/imports?unknown_assets=add`, file);
      expect(status).toBe(202);
      return body.id as number;
    }),
  );
  const isRead = async (): Promise<boolean> =>
    (await query(`SELECT 1 FROM imports WHERE id = ANY($1) AND status = 'IN_PROGRESS'`, [ids])).length > 0;
  await eventually(async () => expect(await isRead()).toBe(true));
  const [beside, claims]: [number[], number[]] = [[], []];
  let besideSlow = 0;
  for (let time = 0; time < TIMES; time++) {
    claims.push(await claimTime(neighbor));
    beside.push(await importTime(neighbor));
    if (await isRead()) besideSlow += 1;
  }
  for (const [index, id] of ids.entries()) await uploaders[index]?.client.post(`/v1/imports/${id}/cancel`);
  process.stdout.write(
    `${name}: import alone ${median(alone).toFixed(2)} s, beside two such files ${median(beside).toFixed(2)} s; retest claimed within ${Math.max(...claims).toFixed(2)} s; ${besideSlow} of ${TIMES} while they were read\n`,
  );
  expect(median(beside) / median(alone)).toBeLessThan(MAX_RATIO);
  expect(Math.max(...claims)).toBeLessThan(MAX_CLAIM_SECONDS);
});
