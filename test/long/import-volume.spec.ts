import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { useApi } from '../support/api';
import { basic, type Credentials } from '../support/client';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { startApiProcess, startProcess } from '../support/processes';

const api = useApi();
const make = new Factories(api);
const onLinux = process.platform === 'linux' ? it : it.skip;

const ROWS = 100_000;
const MAX_GROWTH_MEGABYTES = 150;
const MAX_P99_RATIO = 2;
/** How long the worker imports, and then pauses, so that both are measured under the same load of other programs. */
const WINDOW_MS = 1_500;

const TEXT = 'The server shows more than it has to. '.repeat(10);

/** Results of 500 rules on 200 pages, with texts of their usual length. */
const nucleiFile = (host: string): Blob =>
  new Blob(
    Array.from({ length: ROWS }, (_, number) => {
      const result = {
        'template-id': `rule-${Math.floor(number / 200)}`,
        info: { name: `Weakness ${number}`, severity: 'low', description: TEXT },
        host: `https://${host}`,
        'matched-at': `https://${host}/${number % 200}/page`,
        timestamp: '2026-01-31T12:00:00Z',
      };
      return `${JSON.stringify(result)}\n`;
    }),
    { type: 'application/octet-stream' },
  );

/** 1,000 alerts with 100 instances each. */
const zapFile = (host: string): Blob => {
  const instance = (number: number): string =>
    `<instance><uri>https://${host}/${number}/page</uri><method>GET</method><param>p</param><evidence>seen ${number}</evidence></instance>`;
  const instances = Array.from({ length: 100 }, (_, number) => instance(number)).join('\n');
  const alert = (rule: number): string =>
    `<alertitem><pluginid>${rule}</pluginid><alertRef>${rule}</alertRef><name>Weakness ${rule}</name><riskcode>1</riskcode><desc>${TEXT}</desc><instances>${instances}</instances></alertitem>\n`;
  const parts = [
    `<?xml version="1.0"?><OWASPZAPReport version="2.14.0"><site name="https://${host}" host="${host}" port="443" ssl="true"><alerts>`,
    ...Array.from({ length: ROWS / 100 }, (_, number) => alert(20_000 + number)),
    '</alerts></site></OWASPZAPReport>',
  ];
  return new Blob(parts, { type: 'application/octet-stream' });
};

const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** From here on, VmHWM is the maximum since this call. */
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? 0;

interface Request {
  readonly name: string;
  readonly url: string;
  readonly credentials: Credentials;
  readonly body?: string;
}

/** The times of each request, one after the other, for so long. */
async function requestAll(requests: readonly Request[], forMs: number, times: Map<string, number[]>): Promise<void> {
  for (const end = performance.now() + forMs; performance.now() < end;) {
    for (const { name, url, credentials, body } of requests) {
      const headers = { authorization: basic(credentials), 'content-type': 'application/json' };
      const started = performance.now();
      const response = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body });
      await response.text();
      times.set(name, [...(times.get(name) ?? []), performance.now() - started]);
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      await delay(5);
    }
  }
}

onLinux.each([
  ['nuclei-jsonl', nucleiFile],
  ['zap-xml', zapFile],
])('100,000 results of %s are imported with constant memory, and slow down others little', async (format, fileFor) => {
  const server = await startApiProcess();
  const other = await make.organization();
  for (let number = 0; number < 30; number++) await make.finding(other.id);
  const viewer = await other.as('viewer');
  const tenant = await make.organization();
  const { value: host } = await make.asset(tenant.id);
  const { id: own } = await make.finding(tenant.id);
  const { client, credentials } = await tenant.as('member');
  const requests: Request[] = [
    {
      name: 'list of another organization',
      credentials: viewer.credentials,
      url: `organizations/${other.id}/findings/`,
    },
    { name: 'list of the same organization', credentials, url: `organizations/${tenant.id}/findings/` },
    { name: 'one finding', credentials, url: `findings/${own}/` },
    { name: 'comment on a finding', credentials, url: `findings/${own}/comments`, body: '{"comment":"Seen."}' },
  ].map((request) => ({ ...request, url: `${server.url}/v1/${request.url}` }));
  const worker = await startProcess('worker', { WORK_SWEEP_SECONDS: '1' });
  const pid = worker.child.pid ?? 0;
  await requestAll(requests, 2_000, new Map());
  const idleMegabytes = memoryOf(pid, 'VmRSS');
  resetPeak(pid);

  const { body, status } = await client.post(`/v1/organizations/${tenant.id}/imports`, fileFor(host));
  expect(status).toBe(202);
  const statusOf = async (): Promise<string> =>
    (await query<{ status: string }>('SELECT status FROM imports WHERE id = $1', [body.id]))[0]?.status ?? 'gone';
  const [idle, busy] = [new Map<string, number[]>(), new Map<string, number[]>()];
  let seconds = 0;
  while (['PENDING', 'IN_PROGRESS'].includes(await statusOf())) {
    const started = performance.now();
    await requestAll(requests, WINDOW_MS, busy);
    seconds += (performance.now() - started) / 1_000;
    worker.kill('SIGSTOP');
    try {
      await requestAll(requests, WINDOW_MS, idle);
    } finally {
      worker.kill('SIGCONT');
    }
  }
  const growth = memoryOf(pid, 'VmHWM') - idleMegabytes;
  const imported = (await client.get(`/v1/imports/${body.id}`)).body;

  const rowOf = (name: string, before: readonly number[], during: readonly number[]): string => {
    const [p50, p99] = [0.5, 0.99].map((share) => {
      const [one, two] = [percentile(before, share), percentile(during, share)];
      return `${one.toFixed(1)} -> ${two.toFixed(1)} ms (${(two / one).toFixed(2)})`;
    });
    return `| ${name} | ${p50} | ${p99} |`;
  };
  const [allIdle, allBusy] = [[...idle.values()].flat(), [...busy.values()].flat()];
  process.stdout.write(
    [
      `${format}: about ${(ROWS / seconds).toFixed(0)} rows a second; worker ${idleMegabytes.toFixed(0)} MB, and at most ${growth.toFixed(0)} MB more`,
      `| request | p50, idle and during the import | p99 |`,
      ...requests.map(({ name }) => rowOf(name, idle.get(name) ?? [], busy.get(name) ?? [])),
      rowOf('all', allIdle, allBusy),
      '',
    ].join('\n'),
  );
  expect(imported).toMatchObject({ status: 'FINISHED', rows: { new: ROWS, refused: 0 } });
  expect(growth).toBeLessThan(MAX_GROWTH_MEGABYTES);
  expect(percentile(allBusy, 0.99) / percentile(allIdle, 0.99)).toBeLessThan(MAX_P99_RATIO);
});
