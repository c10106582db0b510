import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../kernel/domain-error';
import { FairQueue } from './fair-queue';

export interface ThreadPoolOptions {
  /** Answers each message with one message, and sends one before that when it is ready. */
  readonly program: string;
  readonly workerData?: unknown;
  readonly threads: number;
  /** For one task, from when a thread begins with it. */
  readonly milliseconds: number;
  readonly megabytes: number;
  readonly maxQueuedPerTenant: number;
  readonly maxQueued: number;
}

/** A task that was stopped because it took more than one task may. */
export class TaskLimitExceeded extends Error {
  constructor(readonly limit: 'time' | 'memory') {
    super(`the task exceeded its ${limit} limit`);
  }
}

interface Task {
  readonly input: string;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** To load the program, on a machine that has other things to do. */
const STARTUP_MS = 20_000;

/**
 * Runs tasks in threads, where a deadline can end them: this process goes on answering, and a task that takes too long or
 * too much memory costs its thread and nothing else. A tenant has at most half of the threads, and its turn in the queue.
 */
export class ThreadPool {
  private readonly queue = new FairQueue<Task>();
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private readonly running = new Map<string, number>();
  private busy = 0;

  constructor(private readonly options: ThreadPoolOptions) {}

  run(tenant: string, input: string): Promise<unknown> {
    const { maxQueued, maxQueuedPerTenant } = this.options;
    if (this.queue.lengthOf(tenant) >= maxQueuedPerTenant) return Promise.reject(tooManyOfTenant());
    if (this.queue.length >= maxQueued) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      this.queue.add(tenant, { input, resolve, reject });
      this.startNext();
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.all].map((thread) => thread.terminate()));
  }

  private startNext(): void {
    while (this.busy < this.options.threads) {
      const next = this.queue.take((tenant) => this.mayRun(tenant));
      if (next === undefined) return;
      void this.perform(next.tenant, next.item);
    }
  }

  private mayRun(tenant: string): boolean {
    return (this.running.get(tenant) ?? 0) < Math.max(1, this.options.threads / 2);
  }

  private async perform(tenant: string, { input, resolve, reject }: Task): Promise<void> {
    this.begin(tenant);
    try {
      resolve(await this.answerTo(input));
    } catch (error) {
      reject(error);
    } finally {
      this.end(tenant);
      this.startNext();
    }
  }

  private begin(tenant: string): void {
    this.busy += 1;
    this.running.set(tenant, (this.running.get(tenant) ?? 0) + 1);
  }

  private end(tenant: string): void {
    this.busy -= 1;
    const left = (this.running.get(tenant) ?? 1) - 1;
    if (left === 0) this.running.delete(tenant);
    else this.running.set(tenant, left);
  }

  private async answerTo(input: string): Promise<unknown> {
    const thread = this.idle.pop() ?? (await this.start());
    thread.ref();
    try {
      const answer = messageOf(thread, this.options.milliseconds);
      thread.postMessage(input, []);
      const message = await answer;
      thread.unref();
      this.idle.push(thread);
      return message;
    } catch (error) {
      await thread.terminate();
      throw error;
    }
  }

  private async start(): Promise<Worker> {
    const { program, workerData, megabytes } = this.options;
    const thread = new Worker(program, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: Math.ceil(megabytes / 4) },
      // Of our own environment it gets nothing: it reads what strangers wrote.
      env: {},
    });
    this.all.add(thread);
    thread.once('exit', () => this.forget(thread));
    // Between two tasks nobody else listens, and an error without a listener ends the process.
    thread.on('error', () => undefined);
    try {
      await messageOf(thread, STARTUP_MS);
      return thread;
    } catch (error) {
      await thread.terminate();
      throw new Error('a rendering thread did not start', { cause: error });
    }
  }

  private forget(thread: Worker): void {
    this.all.delete(thread);
    const at = this.idle.indexOf(thread);
    if (at >= 0) this.idle.splice(at, 1);
  }
}

/** The next message of a thread, in time; what ends it before is thrown. */
function messageOf(thread: Worker, milliseconds: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new TaskLimitExceeded('time'))), milliseconds);
    const onMessage = (message: unknown): void => settle(() => resolve(message));
    const onError = (error: unknown): void =>
      settle(() => reject(isOutOfMemory(error) ? new TaskLimitExceeded('memory') : error));
    const onExit = (): void => settle(() => reject(new Error('the thread ended without an answer')));
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      outcome();
    };
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

const isOutOfMemory = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const tooManyOfTenant = (): DomainError =>
  new DomainError(
    'too_many_requests',
    'Many texts of yours are waiting to be rendered already. Try again in a second.',
    1,
  );

const tooMany = (): DomainError =>
  new DomainError('unavailable', 'Too many texts are waiting to be rendered. Try again in a second.', 1);
