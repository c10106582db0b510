import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processCommand, processStart, signal } from './processes';
import { StartRefused } from './start-refused';

/** Increasingly forceful signals, each with its timeout in milliseconds. */
const stopSignals: readonly [NodeJS.Signals, number][] = [
  ['SIGINT', 4_000],
  ['SIGQUIT', 2_000],
  ['SIGKILL', 2_000],
];

/**
 * Stops a server whose parent was killed, because it keeps its cluster locked. The caller holds the instance lock, so no other
 * instance uses this server.
 */
export async function stopAbandonedServer(cluster: string): Promise<void> {
  const lockFile = join(cluster, 'postmaster.pid');
  const pid = readPid(lockFile);
  if (pid === undefined || processStart(pid) === undefined) return;
  const command = processCommand(pid);
  if (command === undefined) return;
  if (!command.includes('postgres') || !command.includes(cluster)) {
    // Another process has this pid now, and PostgreSQL would treat it as a running server.
    rmSync(lockFile);
    return;
  }
  for (const [name, timeoutMs] of stopSignals) {
    signal(pid, name);
    if (await isGoneWithin(pid, timeoutMs)) return;
  }
  throw new StartRefused(
    `PostgreSQL (process ${pid}) is running on the data in ${cluster} and cannot be stopped. Stop it manually.`,
  );
}

function readPid(lockFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(lockFile, 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

async function isGoneWithin(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (processStart(pid) !== undefined) {
    if (Date.now() > deadline) return false;
    await pause(20);
  }
  return true;
}
