import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';

/** What the typesetter may take before it is stopped. */
export interface TypesettingLimits {
  readonly mostMegabytes: number;
  readonly longestMs: number;
}

/** It needs more than it may have; trying again would need the same. */
export class TypesettingTooLarge extends Error {}

const program = join(__dirname, 'typeset.cjs');
const workspace = join(__dirname, 'template');

/**
 * One thread, so that a core is left for others, and one arena, because the memory of each is kept apart. Of our own
 * environment it gets nothing: there are secrets in it, and it has to read what strangers wrote.
 */
const environment = { RAYON_NUM_THREADS: '1', MALLOC_ARENA_MAX: '1', SystemRoot: process.env['SystemRoot'] };

/** Sets a document with the template, in a process of its own: it gives its memory back, and may crash by itself. */
export async function typeset(
  document: object,
  fonts: readonly string[],
  limits: TypesettingLimits,
  signal?: AbortSignal,
): Promise<Buffer> {
  signal?.throwIfAborted();
  const task = JSON.stringify({ workspace, main: join(workspace, 'report.typ'), fonts, ...limits });
  const child = spawn(process.execPath, [program, task], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    signal,
  });
  const ended = new Promise<string | number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => resolve(killedBy ?? code));
  });
  giveWay(child.pid);
  const [stdin, stdout, stderr] = child.stdio as unknown as [Writable, Readable, Readable];
  // It may end before it has read everything; how it ended says more than the broken pipe.
  stdin.on('error', () => undefined).end(JSON.stringify(document));
  const [pdf, complaint, end] = await Promise.all([buffer(stdout), text(stderr), ended]);
  if (end === 0 && pdf.length > 0) return pdf;
  if (complaint.includes('too much')) throw new TypesettingTooLarge(complaint);
  throw new Error(`the typesetter ended with ${end}: ${complaint.slice(-2_000)}`);
}

/** Whoever waits for an answer goes first. */
function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system has no such thing.
  }
}
