import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** What Linux counts a process's time in. */
const ticksASecond = 100;

export interface Costs {
  /** At its most. */
  readonly megabytes: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

const megabytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

function cpuSecondsOf(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = rest.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / ticksASecond;
}

/** Looks at a process again and again while something goes on; from what Linux says of it. */
export async function costsDuring(pid: number, work: Promise<unknown>): Promise<Costs> {
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
