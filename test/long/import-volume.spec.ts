import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { startProcess } from '../support/processes';

const api = useApi();
const make = new Factories(api);
const onLinux = process.platform === 'linux' ? it : it.skip;

const ROWS = 100_000;
/** Garbage between two collections, which does not depend on the size of the file: about 180 MB were measured. */
const MAX_GROWTH_MEGABYTES = 250;

const megabytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** 100,000 results of 500 rules on 200 pages, with texts of their usual length. */
const scannerFile = (host: string): Blob =>
  new Blob(
    Array.from({ length: ROWS }, (_, number) => {
      const url = `https://${host}/${number % 200}/page`;
      return `${JSON.stringify({
        'template-id': `rule-${Math.floor(number / 200)}`,
        info: {
          name: `Weakness ${number}`,
          severity: 'low',
          description: 'The server shows more than it has to. '.repeat(10),
        },
        host: `https://${host}`,
        'matched-at': url,
        timestamp: '2026-01-31T12:00:00Z',
      })}\n`;
    }),
    { type: 'application/x-ndjson' },
  );

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? 0;

const times = (count: number): (() => boolean) => {
  let left = count;
  return () => left-- > 0;
};

/** The times of reads of another tenant, one after the other, while `isGoing`. */
async function readTimes(client: Client, path: string, isGoing: () => boolean): Promise<number[]> {
  const taken: number[] = [];
  while (isGoing()) {
    const started = performance.now();
    const { status } = await client.get(path);
    taken.push(performance.now() - started);
    if (status !== 200) throw new Error(`A read was answered with ${status}.`);
    await delay(20);
  }
  return taken;
}

onLinux(
  'a file with 100,000 results is imported with constant memory, while others read as fast as before',
  async () => {
    const reader = await make.organization();
    for (let number = 0; number < 30; number++) await make.finding(reader.id);
    const other = (await reader.as('viewer')).client;
    const list = `/v1/organizations/${reader.id}/findings/`;
    const tenant = await make.organization();
    const { value: host } = await make.asset(tenant.id);
    const { client } = await tenant.as('member');
    const worker = await startProcess('worker', { WORK_SWEEP_SECONDS: '1' });
    const pid = worker.child.pid ?? 0;
    try {
      await readTimes(other, list, times(50));
      const idleTimes = await readTimes(other, list, times(300));
      const idleMegabytes = megabytesOf(pid);
      const started = performance.now();
      const { body } = await client.post(`/v1/organizations/${tenant.id}/imports`, scannerFile(host));
      let status = 'PENDING';
      let megabytes = 0;
      const watching = (async () => {
        while (status === 'PENDING' || status === 'IN_PROGRESS') {
          megabytes = Math.max(megabytes, megabytesOf(pid));
          const [row] = await query<{ status: string }>('SELECT status FROM imports WHERE id = $1', [body.id]);
          status = row?.status ?? 'gone';
          await delay(250);
        }
      })();
      const busyTimes = await readTimes(other, list, () => status === 'PENDING' || status === 'IN_PROGRESS');
      await watching;
      const seconds = (performance.now() - started) / 1_000;
      const imported = (await client.get(`/v1/imports/${body.id}`)).body;
      const [idle, busy] = [percentile(idleTimes, 0.99), percentile(busyTimes, 0.99)];
      process.stdout.write(
        [
          `| rows a second | worker idle | worker while importing | p99 idle | p99 while importing |`,
          `| ${(ROWS / seconds).toFixed(0)} | ${idleMegabytes.toFixed(0)} MB | ${megabytes.toFixed(0)} MB | ${idle.toFixed(1)} ms | ${busy.toFixed(1)} ms |`,
          '',
        ].join('\n'),
      );
      expect(imported).toMatchObject({ status: 'FINISHED', rows: { new: ROWS, refused: 0 } });
      expect(megabytes - idleMegabytes).toBeLessThan(MAX_GROWTH_MEGABYTES);
      // On a machine whose cores are busy with other programs the ratio says little: the table above has the values.
      expect(percentile(busyTimes, 0.5)).toBeLessThan(10 * percentile(idleTimes, 0.5));
    } finally {
      worker.kill('SIGTERM');
      await worker.exited;
    }
  },
);
