import { parentPort, workerData } from 'node:worker_threads';
import type { ReportSnapshot } from '../domain/report-snapshot';
import { Unrenderable } from '../domain/unrenderable';
import { renderers } from '../rendering/renderers';
import { type Rendered, STOP } from './rendered';

const stopped = new AbortController();

parentPort?.on('message', (word: unknown) => {
  if (word === STOP) stopped.abort();
});

async function rendered(snapshot: ReportSnapshot): Promise<Rendered> {
  try {
    // Of memory of its own: a small buffer shares its memory with others, and what is sent may not.
    return { content: new Uint8Array(await renderers[snapshot.options.format].render(snapshot, stopped.signal)) };
  } catch (error) {
    if (error instanceof Unrenderable) return { unrenderable: error.message };
    throw error;
  }
}

/** The program of the thread: one report, and then it is over. */
async function main(): Promise<void> {
  const answer = await rendered(workerData as ReportSnapshot);
  parentPort?.postMessage(answer, 'content' in answer ? [answer.content.buffer as ArrayBuffer] : []);
}

void main();
