import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { type RunningProcess, startProcess } from '../support/processes';
import { VulnerableSite } from '../support/vulnerable-site';

/** The unit of CPU time in /proc. */
const ticksPerSecond = 100;

interface Costs {
  /** The maximum. */
  readonly megabytes: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

const megabytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

function cpuSecondsOf(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = rest.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / ticksPerSecond;
}

/** Samples /proc while a promise is pending. */
async function costsDuring(pid: number, work: Promise<unknown>): Promise<Costs> {
  const [began, cpuBefore] = [performance.now(), cpuSecondsOf(pid)];
  let megabytes = 0;
  const over = new AbortController();
  const end = work.finally(() => over.abort());
  while (!over.signal.aborted) {
    megabytes = Math.max(megabytes, megabytesOf(pid));
    await delay(250);
  }
  await end;
  const seconds = (performance.now() - began) / 1_000;
  return { megabytes, cpuSeconds: cpuSecondsOf(pid) - cpuBefore, seconds };
}

const targets = 50;
const answerMs = 5_000;
const kills = 9;

const site = new VulnerableSite();
const slowSites = Array.from({ length: targets }, (_, index) => new VulnerableSite(`127.0.2.${index + 1}`, answerMs));
const engineSettings = { EGRESS_ALLOW: [site, ...slowSites].map(({ endpoint }) => endpoint).join(',') };
const api = useApi(engineSettings);
const make = new Factories(api);
const onLinux = process.platform === 'linux' ? it : it.skip;

beforeAll(() => site.start());
afterAll(() => site.stop());

interface Retest {
  readonly client: Client;
  readonly path: string;
  readonly uuid: string;
}

async function requestRetestOf({ url }: VulnerableSite): Promise<Retest> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const asset = await make.asset(tenant.id, { value: url, type: 'url' });
  const check = { checkId: 'missing-nosniff', checkDefinition: { location: url } };
  const { id } = await make.finding(tenant.id, { asset: { ...asset, tier: null }, ...check });
  return requestRetest({ client, path: `/v1/findings/${id}/retest` });
}

const requestRetest = async ({ client, path }: Omit<Retest, 'uuid'>): Promise<Retest> => ({
  client,
  path,
  uuid: (await client.post(path)).body.uuid,
});

const untilFinished = ({ client, path }: Retest): Promise<void> =>
  eventually(async () => expect((await client.get(path)).body.status).toBe('finished'), 300_000);

async function end(worker: RunningProcess): Promise<void> {
  worker.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
}

it('another worker takes over a retest within 15 s after its worker was killed, with the default settings', async () => {
  const seconds: number[] = [];
  let worker = await startProcess('worker', engineSettings);
  for (let times = 0; times < kills; times++) {
    site.hold();
    const retest = await requestRetestOf(site);
    await eventually(async () => expect(site.heldRequests).toBe(1));
    const next = await startProcess('worker', engineSettings);
    worker.kill('SIGKILL');
    const killed = performance.now();
    await eventually(async () => expect(site.heldRequests).toBe(2), 30_000);
    seconds.push((performance.now() - killed) / 1_000);
    site.release();
    await untilFinished(retest);
    worker = next;
  }
  await end(worker);
  const sorted = seconds.toSorted((one, other) => one - other).map((one) => one.toFixed(1));
  process.stdout.write(
    `Seconds until another worker runs the retest: median ${sorted[kills >> 1]}, all ${sorted.join(', ')}\n`,
  );
  expect(Math.max(...seconds)).toBeLessThan(15);
});

onLinux(
  `a worker runs ${targets} retests of targets that take ${answerMs / 1_000} s to answer in less than 300 MB`,
  async () => {
    await Promise.all(slowSites.map((slow) => slow.start()));
    const worker = await startProcess('worker', { ...engineSettings, WORKER_CONCURRENCY: String(targets) });
    const pid = worker.child.pid ?? 0;
    const idle = await costsDuring(pid, delay(20_000));
    // The first retest ends with its first probe; the second needs several probes to confirm the fix.
    const first = await Promise.all(slowSites.map((slow) => requestRetestOf(slow)));
    await Promise.all(first.map((retest) => untilFinished(retest)));
    for (const slow of slowSites) slow.state = 'fixed';
    const retests = await Promise.all(first.map((retest) => requestRetest(retest)));
    const busy = await costsDuring(pid, Promise.all(retests.map((retest) => untilFinished(retest))));
    process.stdout.write(
      [
        '',
        '| Worker | Memory | CPU | Seconds |',
        '| --- | ---: | ---: | ---: |',
        row('idle', idle),
        row('busy', busy),
        '',
        '',
      ].join('\n'),
    );
    const rows = await query<{ attempt: number }>('SELECT attempt FROM work WHERE reference = ANY($1)', [
      retests.map(({ uuid }) => uuid),
    ]);
    expect(rows).toEqual(retests.map(() => ({ attempt: 1 })));
    expect(busy.megabytes).toBeLessThan(300);
    await end(worker);
    await Promise.all(slowSites.map((slow) => slow.stop()));
  },
);

const row = (what: string, { megabytes, cpuSeconds, seconds }: Costs): string =>
  `| ${what} | ${megabytes.toFixed(0)} MB | ${((100 * cpuSeconds) / seconds).toFixed(1)} % of a core | ${seconds.toFixed(0)} |`;
