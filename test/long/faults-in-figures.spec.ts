import { setTimeout as delay } from 'node:timers/promises';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { type Costs, costsDuring } from '../support/process-costs';
import { type RunningProcess, startProcess } from '../support/processes';
import { WeakSite } from '../support/weak-site';

const targets = 50;
const answerMs = 5_000;
const kills = 9;

const site = new WeakSite();
const slowSites = Array.from({ length: targets }, (_, index) => new WeakSite(`127.0.2.${index + 1}`, answerMs));
const engine = { EGRESS_ALLOW: [site, ...slowSites].map(({ endpoint }) => endpoint).join(',') };
const api = useApi(engine);
const make = new Factories(api);
const onLinux = process.platform === 'linux' ? it : it.skip;

beforeAll(() => site.start());
afterAll(() => site.stop());

interface Retest {
  readonly client: Client;
  readonly path: string;
  readonly uuid: string;
}

async function accepted({ url }: WeakSite): Promise<Retest> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const asset = await make.asset(tenant.id, { value: url, type: 'url' });
  const check = { checkId: 'missing-nosniff', checkDefinition: { location: url } };
  const { id } = await make.finding(tenant.id, { asset: { ...asset, tier: null }, ...check });
  return started({ client, path: `/v1/findings/${id}/retest` });
}

const started = async ({ client, path }: Omit<Retest, 'uuid'>): Promise<Retest> => ({
  client,
  path,
  uuid: (await client.post(path)).body.uuid,
});

const finished = ({ client, path }: Retest): Promise<void> =>
  eventually(async () => expect((await client.get(path)).body.status).toBe('finished'), 300_000);

async function end(worker: RunningProcess): Promise<void> {
  worker.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
}

it('the work of a killed worker runs again, with the defaults', async () => {
  const seconds: number[] = [];
  let worker = await startProcess('worker', engine);
  for (let times = 0; times < kills; times++) {
    site.hold();
    const retest = await accepted(site);
    await eventually(async () => expect(site.waiting).toBe(1));
    const next = await startProcess('worker', engine);
    worker.kill('SIGKILL');
    const killed = performance.now();
    await eventually(async () => expect(site.waiting).toBe(2), 30_000);
    seconds.push((performance.now() - killed) / 1_000);
    site.letGo();
    await finished(retest);
    worker = next;
  }
  await end(worker);
  const sorted = seconds.toSorted((one, other) => one - other).map((one) => one.toFixed(1));
  process.stdout.write(`Seconds until it runs again: median ${sorted[kills >> 1]}, all ${sorted.join(', ')}\n`);
  expect(Math.max(...seconds)).toBeLessThan(15);
});

onLinux(`${targets} retests at once of targets that take ${answerMs / 1_000} s to answer`, async () => {
  await Promise.all(slowSites.map((slow) => slow.start()));
  const worker = await startProcess('worker', { ...engine, WORKER_CONCURRENCY: String(targets) });
  const pid = worker.child.pid ?? 0;
  const idle = await costsDuring(pid, delay(20_000));
  // The first of each is over when it has seen the weakness; the second has to see several times that it is gone.
  const first = await Promise.all(slowSites.map((slow) => accepted(slow)));
  await Promise.all(first.map((retest) => finished(retest)));
  for (const slow of slowSites) slow.mood = 'mended';
  const retests = await Promise.all(first.map((retest) => started(retest)));
  const busy = await costsDuring(pid, Promise.all(retests.map((retest) => finished(retest))));
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
});

const row = (what: string, { megabytes, cpuSeconds, seconds }: Costs): string =>
  `| ${what} | ${megabytes.toFixed(0)} MB | ${((100 * cpuSeconds) / seconds).toFixed(1)} % of a core | ${seconds.toFixed(0)} |`;
