import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SearchBudgetExceeded } from './search-budget';

export interface SearchRequest {
  readonly pattern: string;
  readonly text: string;
  /** Null where it is enough that there is a match, which is quicker. */
  readonly group: number | null;
}

/** A string, so that it works from the sources and from the build. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { RE2JS } = require(workerData.library);
  parentPort.on('message', ({ pattern, text, group }) => {
    const expression = RE2JS.compile(pattern);
    parentPort.postMessage(group === null ? (expression.test(text) ? '' : null) : found(expression.matcher(text), group));
  });
  const found = (matcher, group) =>
    matcher.find() && group <= matcher.groupCount() ? (matcher.group(group) ?? null) : null;
`;

const MEMORY_LIMIT_MB = 256;
/** Many times longer than the search budget allows. */
const SEARCH_TIMEOUT_MS = 10_000;

/** Searches with expressions, one at a time, in a worker thread, because a search cannot be interrupted. */
export class SearchThread {
  private worker: Worker | null = null;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly longestMs = SEARCH_TIMEOUT_MS) {}

  /** The first match, or the given group of it; null when there is none. */
  search(wanted: SearchRequest): Promise<string | null> {
    const answer = this.turn.then(() => this.run(wanted));
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  private async run(wanted: SearchRequest): Promise<string | null> {
    const worker = (this.worker ??= startWorker());
    worker.ref();
    try {
      const answer = once(worker, 'message', { signal: AbortSignal.timeout(this.longestMs) });
      worker.postMessage(wanted, []);
      const [found]: unknown[] = await answer;
      return typeof found === 'string' ? found : null;
    } catch {
      // It ran out of time or memory; the next search starts a new worker.
      this.worker = null;
      await worker.terminate();
      throw new SearchBudgetExceeded();
    } finally {
      worker.unref();
    }
  }
}

function startWorker(): Worker {
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { library: require.resolve('re2js') },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  });
  // Errors between two searches have no other listener.
  worker.on('error', () => undefined);
  return worker;
}

export const searchThread = new SearchThread();
