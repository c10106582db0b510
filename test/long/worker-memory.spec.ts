import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { startProcess } from '../support/processes';
import { requestRetest, requestRetestOf, untilFinished } from '../support/retests';
import { VulnerableSite } from '../support/vulnerable-site';

/** The unit of CPU time in /proc. */
const ticksPerSecond = 100;

interface ResourceUsage {
  readonly maxMegabytes: number;
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

async function maxMegabytesUntil(signal: AbortSignal, pid: number): Promise<number> {
  let megabytes = 0;
  while (!signal.aborted) {
    megabytes = Math.max(megabytes, megabytesOf(pid));
    await delay(250);
  }
  return megabytes;
}

/** Samples /proc while a promise is pending. */
async function resourceUsageDuring(pid: number, work: Promise<unknown>): Promise<ResourceUsage> {
  const [startedAt, cpuBefore] = [performance.now(), cpuSecondsOf(pid)];
  const finished = new AbortController();
  const [maxMegabytes] = await Promise.all([
    maxMegabytesUntil(finished.signal, pid),
    work.finally(() => finished.abort()),
  ]);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { maxMegabytes, cpuSeconds: cpuSecondsOf(pid) - cpuBefore, seconds };
}

const row = (state: string, { maxMegabytes, cpuSeconds, seconds }: ResourceUsage): string =>
  `| ${state} | ${maxMegabytes.toFixed(0)} MB | ${((100 * cpuSeconds) / seconds).toFixed(1)} % of a core | ${seconds.toFixed(0)} |`;

const targets = 50;
const delayMs = 5_000;

const sites = Array.from({ length: targets }, (_, index) => new VulnerableSite(`127.0.2.${index + 1}`, delayMs));
const engineSettings = { EGRESS_ALLOW: sites.map(({ endpoint }) => endpoint).join(',') };
const api = useApi(engineSettings);
const make = new Factories(api);
const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux(
  `a worker uses less than 300 MB while it runs ${targets} retests at once, of targets that respond after ${delayMs / 1_000} s`,
  async () => {
    await Promise.all(sites.map((site) => site.start()));
    const worker = await startProcess('worker', { ...engineSettings, WORKER_CONCURRENCY: String(targets) });
    try {
      const pid = worker.child.pid ?? 0;
      const idle = await resourceUsageDuring(pid, delay(20_000));
      // The first retest ends with its first probe; the second needs several probes to confirm the fix.
      const first = await Promise.all(sites.map((site) => requestRetestOf(make, site)));
      await Promise.all(first.map((retest) => untilFinished(retest)));
      for (const site of sites) site.state = 'fixed';
      const retests = await Promise.all(first.map((retest) => requestRetest(retest)));
      const busy = await resourceUsageDuring(pid, Promise.all(retests.map((retest) => untilFinished(retest))));
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
      const rows = await query<{ attempt: number }>(
        `SELECT attempt FROM work WHERE kind = 'retest.run' AND reference = ANY($1)`,
        [retests.map(({ uuid }) => uuid)],
      );
      expect(rows).toEqual(retests.map(() => ({ attempt: 1 })));
      expect(busy.maxMegabytes).toBeLessThan(300);
    } finally {
      worker.kill('SIGTERM');
      await worker.exited;
      await Promise.all(sites.map((site) => site.stop()));
    }
  },
);
