import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import type { ReportSnapshot } from '../domain/report-snapshot';
import { Unrenderable } from '../domain/unrenderable';
import { type Rendered, STOP } from './rendered';

export interface ThreadLimits {
  readonly megabytes: number;
  readonly milliseconds: number;
}

const program = join(__dirname, 'render-in-thread.js');

const limits: ThreadLimits = { megabytes: 1_536, milliseconds: 300_000 };

/**
 * Writes a report in a thread of its own: it may take the processor for many seconds, in which this process has leases to
 * renew, and should it need more memory than there is, the thread dies of it alone.
 */
@Injectable()
export class RenderingThread {
  render(snapshot: ReportSnapshot, signal: AbortSignal): Promise<Buffer> {
    return renderedBy(program, snapshot, signal, limits);
  }
}

/** For what it has begun outside of itself, which does not end with it. */
const graceMs = 1_000;

/** What a program answers in a thread; one that needs too much is ended, and would need as much again. */
export async function renderedBy(
  program: string,
  snapshot: ReportSnapshot,
  signal: AbortSignal,
  { megabytes, milliseconds }: ThreadLimits,
): Promise<Buffer> {
  // The claim may have been lost while the snapshot was taken, and a signal says so only once.
  signal.throwIfAborted();
  const clock = AbortSignal.timeout(milliseconds);
  const over = AbortSignal.any([signal, clock]);
  const thread = new Worker(program, {
    workerData: snapshot,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  let patience: NodeJS.Timeout | undefined;
  const stop = (): void => {
    thread.postMessage(STOP, []);
    patience = setTimeout(() => void thread.terminate(), graceMs);
  };
  over.addEventListener('abort', stop, { once: true });
  try {
    return contentOf(await messageOf(thread));
  } catch (error) {
    if (clock.aborted) throw new Unrenderable(tooMuch('time'));
    signal.throwIfAborted();
    throw isOutOfMemory(error) ? new Unrenderable(tooMuch('memory')) : error;
  } finally {
    over.removeEventListener('abort', stop);
    clearTimeout(patience);
    await thread.terminate();
  }
}

const tooMuch = (what: string): string =>
  `It takes more ${what} than there is for one report. Narrow it, leave out the evidence, or choose another format.`;

const isOutOfMemory = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const messageOf = (thread: Worker): Promise<Rendered> =>
  new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the rendering ended without a word')));
  });

function contentOf(rendered: Rendered): Buffer {
  if ('unrenderable' in rendered) throw new Unrenderable(rendered.unrenderable);
  return Buffer.from(rendered.content.buffer, rendered.content.byteOffset, rendered.content.byteLength);
}
