import { type ResourceLimits, Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** A program that sends one message when it is ready, then answers each message with one message. */
  readonly program: string;
  /** Whether the program is a text of JavaScript, and not the path of a file. */
  readonly isText?: boolean;
  readonly workerData?: unknown;
  readonly megabytes: number;
}

/** A task was stopped because it exceeded a limit. */
export class ThreadLimitExceeded extends Error {
  constructor(readonly limit: 'time' | 'memory') {
    super(`the thread exceeded its ${limit} limit`);
  }
}

/** More would only hold garbage: reading a file of 100,000 results took 50 MB more with 64 MB, and no less time. */
const YOUNG_MEGABYTES = 16;

/**
 * The limits of a thread that ends, and its process does not, when it needs more memory. Beyond the limit V8 leaves room for
 * one collection, and on Node 24 aborts the process if survivors of a large young generation do not fit into it.
 */
const memoryLimits = (megabytes: number): ResourceLimits => ({
  maxOldGenerationSizeMb: megabytes,
  maxYoungGenerationSizeMb: Math.min(YOUNG_MEGABYTES, megabytes / 4),
});

/** The time limit for loading the program, generous for a busy machine. */
const STARTUP_MS = 20_000;

/** A thread for tasks that are too slow for the event loop. It can be ended at any moment, so its limits are kept by ending it. */
export class AnsweringThread {
  private readonly worker: Worker;
  readonly exited: Promise<void>;
  private isOver = false;

  constructor({ program, isText = false, workerData, megabytes }: ThreadOptions) {
    this.worker = new Worker(program, {
      eval: isText,
      workerData,
      resourceLimits: memoryLimits(megabytes),
      // No environment variables, because the thread processes untrusted texts.
      env: {},
    });
    this.exited = new Promise((resolve) => {
      this.worker.once('exit', () => {
        this.isOver = true;
        resolve();
      });
    });
    // An error without a listener would end the process, and between two messages there is no other listener.
    this.worker.on('error', () => undefined);
  }

  /** Resolves when the program is loaded. */
  async ready(): Promise<this> {
    try {
      await this.nextMessage(STARTUP_MS);
      return this;
    } catch (error) {
      await this.end();
      throw new Error('a thread did not start', { cause: error });
    }
  }

  /** After a rejection the thread has ended. */
  async ask(message: unknown, milliseconds: number): Promise<unknown> {
    this.worker.ref();
    try {
      const answer = this.nextMessage(milliseconds);
      this.worker.postMessage(message, []);
      return await answer;
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      // A thread without a task does not keep its process alive.
      this.worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private nextMessage(milliseconds: number): Promise<unknown> {
    const { worker } = this;
    if (this.isOver) return Promise.reject(new Error('the thread has ended'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(() => reject(new ThreadLimitExceeded('time'))), milliseconds);
      const onMessage = (message: unknown): void => settle(() => resolve(message));
      const onError = (error: unknown): void =>
        settle(() => reject(isOutOfMemory(error) ? new ThreadLimitExceeded('memory') : error));
      const onExit = (): void => settle(() => reject(new Error('the thread ended without an answer')));
      const settle = (outcome: () => void): void => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        outcome();
      };
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
