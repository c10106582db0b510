import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { errorCode } from './error-code';

/**
 * The start time of a process, or undefined if no process has this pid. Pids are reused, so a pid alone does not identify the owner
 * of a lock. A zombie counts as exited, because a container without an init process keeps zombies forever.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform === 'linux') return startFromProc(pid);
  if (process.platform === 'win32') return exists(pid) ? 'unknown' : undefined;
  const [state, ...began] = ps(pid, 'stat=,lstart=').split(/\s+/);
  return !state || state.startsWith('Z') ? undefined : began.join(' ');
}

/** The command line of a process; undefined if it is unknown. */
export function processCommand(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') return ps(pid, 'command=') || undefined;
  return readProc(pid, 'cmdline')?.replaceAll('\0', ' ');
}

/** Sends a signal. A process that has already exited is not an error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

function startFromProc(pid: number): string | undefined {
  // The second field, the name in brackets, may contain spaces and brackets.
  const [state, ...rest] = readProc(pid, 'stat')?.split(') ').at(-1)?.split(' ') ?? [];
  return state === undefined || state === 'Z' || state === 'X' ? undefined : rest[18];
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function ps(pid: number, columns: string): string {
  try {
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
