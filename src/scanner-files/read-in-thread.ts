import { join } from 'node:path';
import { AnsweringThread, ThreadLimitExceeded } from '../kernel/answering-thread';
import type { ReadBatch, ThreadAnswer, ThreadTask } from './row-batch';
import { UnreadableFileError } from './unreadable-file-error';

export interface ThreadTerms {
  readonly signal: AbortSignal;
  /** Runs one step of the thread: it reads until it needs the next part of the file, or until a batch is full. */
  readonly inTurn: <Result>(step: () => Promise<Result>) => Promise<Result>;
  /** The time limit for all steps together. */
  readonly milliseconds?: number;
  readonly megabytes?: number;
  readonly program?: string;
}

const PROGRAM = join(__dirname, 'reading-program.js');

/** The slowest known file takes two minutes on one shared core. */
const MILLISECONDS = 600_000;
/** The reader needs at most 120 MB for any file. */
const MEGABYTES = 256;

const LIMIT_REASONS: Readonly<Record<ThreadLimitExceeded['limit'], string>> = {
  time: 'From here on, the file takes too long to read: split it, or export it without requests and responses.',
  memory:
    'From here on, the file takes too much memory to read: split it, or export it without requests and responses.',
};

/** In bytes. Small, so that the next file does not wait long for its turn. */
const STEP = 64 * 1_024;

async function* stepsOf(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts) for (let at = 0; at < part.length; at += STEP) yield part.subarray(at, at + STEP);
}

/**
 * Reads the results of a scanner's file in a thread, so that a slow file does not delay anything else. Throws an
 * `UnreadableFileError` after the rows before the line that cannot be read. The thread waits while a batch is used.
 */
export async function* readInThread(
  parts: AsyncIterable<Buffer>,
  task: ThreadTask,
  terms: ThreadTerms,
): AsyncGenerator<ReadBatch> {
  const { signal, inTurn, program = PROGRAM, milliseconds = MILLISECONDS, megabytes = MEGABYTES } = terms;
  signal.throwIfAborted();
  const thread = new AnsweringThread({ program, workerData: task, megabytes });
  const end = (): void => void thread.end();
  signal.addEventListener('abort', end);
  const iterator = stepsOf(parts);
  let line = 1;
  let left = milliseconds;
  let [bytesRead, partSize] = [0, 0];
  const step = async (message: Uint8Array | null): Promise<ThreadAnswer> => {
    signal.throwIfAborted();
    const started = performance.now();
    const answer = await thread.ask(message, left);
    left = Math.max(0, left - (performance.now() - started));
    return answer as ThreadAnswer;
  };
  const nextPart = async (): Promise<Buffer | null> => {
    const next = await iterator.next();
    return next.done === true ? null : next.value;
  };
  try {
    await thread.ready();
    for (let needs: ThreadAnswer['needs'] = 'part'; needs !== 'nothing';) {
      const message = needs === 'part' ? await nextPart() : null;
      // A part may contain several batches, so it counts as read only when the next part is needed.
      if (needs === 'part') [bytesRead, partSize] = [bytesRead + partSize, message?.length ?? 0];
      const answer: ThreadAnswer = await inTurn(() => step(message));
      needs = answer.needs;
      const last = answer.rows.at(-1);
      line = last?.finding?.line ?? last?.refused?.line ?? line;
      if (needs === 'nothing') bytesRead += partSize;
      if (answer.rows.length > 0 || needs === 'nothing') yield { ...answer, bytesRead };
      const { failure } = answer;
      if (failure !== null) throw new UnreadableFileError(failure.line, failure.reason, failure.columns);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ThreadLimitExceeded ? new UnreadableFileError(line, LIMIT_REASONS[error.limit]) : error;
  } finally {
    signal.removeEventListener('abort', end);
    await thread.end();
    await iterator.return(undefined);
  }
}
