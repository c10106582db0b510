import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import type { ReportSnapshot } from '../domain/report-snapshot';
import { Unrenderable } from '../domain/unrenderable';
import type { Rendered } from './render-in-thread';

const program = join(__dirname, 'render-in-thread.js');

const mostMegabytes = 1_536;
const longestMs = 300_000;

/**
 * Writes a report in a thread of its own: it may take the processor for many seconds, in which this process has leases to
 * renew, and should it need more memory than there is, the thread dies of it alone.
 */
@Injectable()
export class RenderingThread {
  async render(snapshot: ReportSnapshot, signal: AbortSignal): Promise<Buffer> {
    const over = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
    const thread = new Worker(program, {
      workerData: snapshot,
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    });
    const stop = (): void => void thread.terminate();
    over.addEventListener('abort', stop, { once: true });
    try {
      return contentOf(await messageOf(thread, over));
    } finally {
      over.removeEventListener('abort', stop);
      await thread.terminate();
    }
  }
}

const messageOf = (thread: Worker, over: AbortSignal): Promise<Rendered> =>
  new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(over.reason ?? new Error('the rendering ended without a word')));
  });

function contentOf(rendered: Rendered): Buffer {
  if ('unrenderable' in rendered) throw new Unrenderable(rendered.unrenderable);
  return Buffer.from(rendered.content.buffer, rendered.content.byteOffset, rendered.content.byteLength);
}
