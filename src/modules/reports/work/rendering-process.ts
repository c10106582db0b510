import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { inTurns } from '../../../kernel/in-turns';
import type { ReportSnapshot } from '../domain/report-snapshot';
import { ReportGenerationError } from '../domain/report.errors';

export interface ProcessLimits {
  /** Resident memory. Where the system has no /proc it limits the JavaScript heap alone. */
  readonly megabytes: number;
  readonly milliseconds: number;
}

/** The exit code of `render-report.ts` when its stdout has a sentence for the user instead of a report. */
const REFUSED = 3;

const PROGRAM = join(__dirname, '../rendering/render-report.js');
const usualLimits: ProcessLimits = { megabytes: 1_536, milliseconds: 300_000 };
const MEMORY_CHECK_MS = 100;
/** On a busy machine it gets a third of the time that other processes get. With 10 it would be a tenth. */
const NICENESS = 5;

/**
 * Renders a report in a process of its own: rendering takes the processor for many seconds while this process has leases to
 * renew, the typesetter is native code that can only be stopped by ending its process, and the memory is freed at once.
 */
@Injectable()
export class RenderingProcess {
  render(snapshot: ReportSnapshot, signal: AbortSignal): Promise<Buffer> {
    return renderInProcess(PROGRAM, snapshot, signal, usualLimits);
  }
}

export async function renderInProcess(
  path: string,
  snapshot: ReportSnapshot,
  signal: AbortSignal,
  { megabytes, milliseconds }: ProcessLimits,
): Promise<Buffer> {
  signal.throwIfAborted();
  const child = spawn(...commandFor(path, megabytes, milliseconds), {
    env: environment,
    stdio: 'pipe',
    killSignal: 'SIGKILL',
    signal,
  });
  let exceeded: string | undefined;
  const stop = (resource: string): void => {
    exceeded ??= resource;
    child.kill('SIGKILL');
  };
  const timeout = setTimeout(() => stop('time'), milliseconds);
  const memoryCheck = setInterval(() => {
    if (residentMegabytes(child.pid) > megabytes) stop('memory');
  }, MEMORY_CHECK_MS);
  const ended = new Promise<string | number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => resolve(killedBy ?? code));
  });
  lowerPriority(child.pid);
  // The program may end before it has read everything. Its exit code explains more than the broken pipe.
  child.stdin.on('error', () => undefined);
  const sent = pipeline(piecesOf(snapshot), child.stdin).catch(() => undefined);
  try {
    const [content, errors, end] = await Promise.all([buffer(child.stdout), text(child.stderr), ended, sent]);
    if (end === 0 && content.length > 0) return content;
    if (end === REFUSED) throw new ReportGenerationError(content.toString());
    if (errors.includes('JavaScript heap out of memory')) exceeded ??= 'memory';
    if (exceeded !== undefined) throw new ReportGenerationError(tooLarge(exceeded));
    throw new Error(`The rendering process ended with ${end}: ${errors.slice(-2_000)}`);
  } finally {
    clearTimeout(timeout);
    clearInterval(memoryCheck);
  }
}

/** As JSON, a finding at a time: the largest snapshots take half a second. */
async function* piecesOf({ findings, ...others }: ReportSnapshot): AsyncGenerator<string> {
  yield `${JSON.stringify(others).slice(0, -1)},"findings":[`;
  let separator = '';
  for await (const finding of inTurns(findings)) {
    yield separator + JSON.stringify(finding);
    separator = ',';
  }
  yield ']}';
}

const tooLarge = (resource: string): string =>
  `Rendering it needs more ${resource} than one report may use. Narrow it (a shorter period, a higher min_severity, fewer statuses), leave out the evidence (include_evidence), or choose another format.`;

/** Excludes our own environment, which has secrets. One thread and one arena leave a core for other work. */
const environment = { RAYON_NUM_THREADS: '1', MALLOC_ARENA_MAX: '1', SystemRoot: process.env['SystemRoot'] };

/**
 * Outside Windows a shell limits the processor time before it becomes the program: that limit holds even when this process
 * is killed and cannot stop the program any more.
 */
function commandFor(path: string, megabytes: number, milliseconds: number): [command: string, args: string[]] {
  const args = [`--max-old-space-size=${megabytes}`, path];
  if (process.platform === 'win32') return [process.execPath, args];
  const cpuSeconds = Math.ceil(milliseconds / 1_000) + 1;
  return ['/bin/sh', ['-c', `ulimit -t ${cpuSeconds} && exec "$0" "$@"`, process.execPath, ...args]];
}

/** 0 after the process has ended, and on systems without /proc. */
function residentMegabytes(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return 0;
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}
