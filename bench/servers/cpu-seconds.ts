import { readdirSync, readFileSync } from 'node:fs';

/** The unit of CPU time in /proc on Linux. */
const TICKS_PER_SECOND = 100;

/** The fields of /proc/PID/stat after the name of the program: the state is the first. */
const statOf = (pid: number | string): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];

const sum = (fields: readonly string[]): number =>
  fields.reduce((all, field) => all + Number(field), 0) / TICKS_PER_SECOND;

export const cpuSecondsOf = (pid: number | string): number => sum(statOf(pid).slice(11, 13));

/** Of a process, of its children, and of those of them that have ended. */
export function cpuSecondsOfFamily(parent: number): number {
  const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === parent);
  return sum(statOf(parent).slice(11, 15)) + children.reduce((all, pid) => all + cpuOrNone(pid), 0);
}

/** A process may end while it is looked at. */
const cpuOrNone = (pid: string): number => orNone(() => cpuSecondsOf(pid)) ?? 0;

export const parentOf = (pid: string): number | undefined => orNone(() => Number(statOf(pid)[1]));

function orNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
