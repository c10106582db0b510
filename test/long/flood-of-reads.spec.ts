import { useApi } from '../support/api';
import { type Credentials, basic } from '../support/client';
import { eventually } from '../support/eventually';
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
  const read = async (id: number, credentials: Credentials): Promise<Read> => {
    const began = performance.now();
    const response = await fetch(`${url}/v1/organizations/${id}/findings/`, {
      headers: { authorization: basic(credentials) },
    });
    await response.text();
    return { status: response.status, ms: performance.now() - began };
  };
  const withFindings = async (): Promise<{ tenant: Tenant; credentials: Credentials }> => {
    const tenant = await make.organization();
    for (let count = 0; count < 50; count++) await make.finding(tenant.id);
    return { tenant, credentials: (await tenant.as('member')).credentials };
  };
  const [flooding, other] = [await withFindings(), await withFindings()];
  const readOther = (): Promise<Read> => read(other.tenant.id, other.credentials);
  const alone: Read[] = [];
  for (let count = 0; count < 100; count++) alone.push(await readOther());

  const flood: Read[] = [];
  let running = FLOODING_CLIENTS;
  const keys = [flooding.credentials];
  while (keys.length < KEYS) keys.push((await flooding.tenant.as('viewer')).credentials);
  const client = async (number: number): Promise<void> => {
    const key = keys[number % KEYS] ?? flooding.credentials;
    for (let turn = 0; turn < READS_OF_EACH; turn++) flood.push(await read(flooding.tenant.id, key));
    running -= 1;
  };
  const flooded = Promise.all(Array.from({ length: FLOODING_CLIENTS }, (_, number) => client(number)));
  // The connections are open.
  await eventually(async () => expect(flood.length).toBeGreaterThan(FLOODING_CLIENTS), 60_000);
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
