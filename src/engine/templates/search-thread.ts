import { AnsweringThread, ThreadLimitExceeded } from '../../kernel/answering-thread';
import { SearchBudgetExceeded } from './search-budget';

export interface SearchRequest {
  readonly pattern: string;
  readonly text: string;
  /** Null only tests for a match, which is faster. */
  readonly group: number | null;
}

/** As a string, so that it works from the sources and from the build. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { RE2JS } = require(workerData.library);
  parentPort.on('message', ({ pattern, text, group }) => {
    const expression = RE2JS.compile(pattern);
    parentPort.postMessage(group === null ? (expression.test(text) ? '' : null) : found(expression.matcher(text), group));
  });
  const found = (matcher, group) =>
    matcher.find() && group <= matcher.groupCount() ? (matcher.group(group) ?? null) : null;
  parentPort.postMessage('ready');
`;

const MEMORY_LIMIT_MB = 256;
/** Many times as long as the search budget allows. */
const SEARCH_TIMEOUT_MS = 10_000;

/** Searches with expressions, one at a time, in a worker thread, because a search cannot be interrupted. */
export class SearchThread {
  private thread: AnsweringThread | null = null;
  private lastSearch: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly timeoutMs = SEARCH_TIMEOUT_MS,
    private readonly program = PROGRAM,
  ) {}

  /**
   * The text of the group (0 is the whole match), or '' if no group is requested. Null if there is no match, or if the group did
   * not match.
   */
  search(wanted: SearchRequest): Promise<string | null> {
    const answer = this.lastSearch.then(() => this.run(wanted));
    this.lastSearch = answer.catch(() => undefined);
    return answer;
  }

  private async run(wanted: SearchRequest): Promise<string | null> {
    try {
      const thread = (this.thread ??= await this.start());
      const found = await thread.ask(wanted, this.timeoutMs);
      return typeof found === 'string' ? found : null;
    } catch (error) {
      // The next search starts a new thread.
      this.thread = null;
      throw exceedsLimit(error) ? new SearchBudgetExceeded() : error;
    }
  }

  private start(): Promise<AnsweringThread> {
    const workerData = { library: require.resolve('re2js') };
    return new AnsweringThread({ program: this.program, isText: true, workerData, megabytes: MEMORY_LIMIT_MB }).ready();
  }
}

/** Whether a search ended because it exceeded its time, memory or stack. Other errors are bugs. */
function exceedsLimit(error: unknown): boolean {
  const { name, message } = error as { name?: unknown; message?: unknown };
  const isStackOverflow = name === 'RangeError' && message === 'Maximum call stack size exceeded';
  return error instanceof ThreadLimitExceeded || isStackOverflow;
}

export const searchThread = new SearchThread();
