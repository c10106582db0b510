import { Agent, get } from 'node:http';
import { useApi } from '../support/api';
import { type Credentials, basic } from '../support/client';
import { Factories, type Tenant } from '../support/factories';
import { startApiProcess } from '../support/processes';

/** The default of docs/limits.md, which other tests raise. */
const READS = 600;
const KEYS = 4;
const FLOODING_CLIENTS = 120;
/** Together they send more than the limits of all keys allow. */
const READS_OF_EACH = 25;

const api = useApi();
const make = new Factories(api);

interface Read {
  readonly status: number;
  readonly ms: number;
}

const percentile = (reads: readonly Read[], share: number): number =>
  reads.map(({ ms }) => ms).toSorted((one, other) => one - other)[Math.ceil(reads.length * share) - 1] ?? 0;

it('with the default limits, reads of one tenant do not wait behind the flood of another', async () => {
  const { url } = await startApiProcess({
    LIMIT_READS_PER_MINUTE: String(READS),
    // A client may open more connections than it has requests.
    CONNECTIONS_PER_ADDRESS: '1000',
    LOG_LEVEL: 'warn',
  });
  const read = async (agent: Agent, id: number, credentials: Credentials): Promise<Read> => {
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const headers = { authorization: basic(credentials) };
      get(`${url}/v1/organizations/${id}/findings/`, { agent, headers }, (response) => {
        response
          .resume()
          .once('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - began }));
      }).once('error', reject);
    });
  };
  const withFindings = async (): Promise<{ tenant: Tenant; credentials: Credentials }> => {
    const tenant = await make.organization();
    for (let count = 0; count < 50; count++) await make.finding(tenant.id);
    return { tenant, credentials: (await tenant.as('member')).credentials };
  };
  const [flooding, other] = [await withFindings(), await withFindings()];
  const [agent, otherAgent] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  const readOther = (): Promise<Read> => read(otherAgent, other.tenant.id, other.credentials);
  const alone: Read[] = [];
  for (let count = 0; count < 100; count++) alone.push(await readOther());

  const keys = [flooding.credentials];
  while (keys.length < KEYS) keys.push((await flooding.tenant.as('viewer')).credentials);
  const numbers = Array.from({ length: FLOODING_CLIENTS }, (_, number) => number);
  const readFlooding = (number: number): Promise<Read> =>
    read(agent, flooding.tenant.id, keys[number % KEYS] ?? flooding.credentials);
  // Opens the connections, which takes a second. A new client would wait for its own behind them.
  const flood: Read[] = await Promise.all(numbers.map(readFlooding));
  let running = FLOODING_CLIENTS;
  const client = async (number: number): Promise<void> => {
    for (let turn = 1; turn < READS_OF_EACH; turn++) flood.push(await readFlooding(number));
    running -= 1;
  };
  const flooded = Promise.all(numbers.map(client));
  const beside: Read[] = [];
  const everyoneIsRunning = (): boolean => running === FLOODING_CLIENTS;
  while (everyoneIsRunning()) beside.push(await readOther());
  await flooded;

  const served = flood.filter(({ status }) => status === 200);
  const ms = (reads: readonly Read[]): string =>
    `p50 ${percentile(reads, 0.5).toFixed(0)} ms, p99 ${percentile(reads, 0.99).toFixed(0)} ms`;
  process.stdout.write(
    `alone: ${ms(alone)}; beside the flood: ${ms(beside)} (${beside.length} reads); of the flood: ${ms(served)}\n`,
  );
  expect(served).toHaveLength(KEYS * READS);
  expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(new Set(beside.map(({ status }) => status))).toEqual(new Set([200]));
  expect(beside.length).toBeGreaterThan(10);
  expect(2 * percentile(beside, 0.5)).toBeLessThan(percentile(served, 0.5));
  expect(percentile(beside, 0.99)).toBeLessThan(percentile(served, 0.99));
});
