import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { memoryLimits } from '../../kernel/answering-thread';
import { SearchBudgetExceeded } from './search-budget';

export interface SearchRequest {
  readonly pattern: string;
  readonly text: string;
  /** Null asks only whether there is a match, which is faster. */
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
  private lastSearch: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly timeoutMs = SEARCH_TIMEOUT_MS,
    private readonly program = PROGRAM,
  ) {}

  /**
   * The text of the group (0 is the whole match), or '' if no group is requested. Null if there is no match, or if the
   * group has none.
   */
  search(wanted: SearchRequest): Promise<string | null> {
    const answer = this.lastSearch.then(() => this.run(wanted));
    this.lastSearch = answer.catch(() => undefined);
    return answer;
  }

  private async run(wanted: SearchRequest): Promise<string | null> {
    const worker = (this.worker ??= startWorker(this.program));
    worker.ref();
    try {
      const answer = once(worker, 'message', { signal: AbortSignal.timeout(this.timeoutMs) });
      worker.postMessage(wanted, []);
      const [found]: unknown[] = await answer;
      return typeof found === 'string' ? found : null;
    } catch (error) {
      // The next search starts a new worker.
      this.worker = null;
      await worker.terminate();
      throw exceedsLimit(error) ? new SearchBudgetExceeded() : error;
    } finally {
      worker.unref();
    }
  }
}

function startWorker(program: string): Worker {
  const worker = new Worker(program, {
    eval: true,
    workerData: { library: require.resolve('re2js') },
    resourceLimits: memoryLimits(MEMORY_LIMIT_MB),
    // No environment variables, because the thread processes untrusted texts.
    env: {},
  });
  // Errors between two searches have no other listener.
  worker.on('error', () => undefined);
  return worker;
}

/** Whether a search ended because of its time, memory or stack. Other errors are bugs. */
function exceedsLimit(error: unknown): boolean {
  const { name, code, message } = error as { name?: unknown; code?: unknown; message?: unknown };
  const isStackOverflow = name === 'RangeError' && message === 'Maximum call stack size exceeded';
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY' || isStackOverflow;
}

export const searchThread = new SearchThread();
