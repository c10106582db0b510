import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../kernel/domain-error';
import { FairQueue } from './fair-queue';

export interface ThreadPoolOptions {
  /** A program that sends one message when it is ready, then answers each message with one message. */
  readonly program: string;
  readonly workerData?: unknown;
  readonly threads: number;
  /** The time limit of one task, from the moment when a thread starts it. */
  readonly milliseconds: number;
  readonly megabytes: number;
  readonly maxQueuedPerTenant: number;
  readonly maxQueued: number;
}

/** A task was stopped because it exceeded a limit. */
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

/** The time limit for loading the program, generous for a busy machine. */
const STARTUP_MS = 20_000;

/**
 * Runs tasks in threads, so that a task that exceeds its time or memory limit ends only its thread. A tenant uses at most
 * half of the threads, and tenants take turns in the queue.
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
    this.countStart(tenant);
    try {
      resolve(await this.runInThread(input));
    } catch (error) {
      reject(error);
    } finally {
      this.countEnd(tenant);
      this.startNext();
    }
  }

  private countStart(tenant: string): void {
    this.busy += 1;
    this.running.set(tenant, (this.running.get(tenant) ?? 0) + 1);
  }

  private countEnd(tenant: string): void {
    this.busy -= 1;
    const left = (this.running.get(tenant) ?? 1) - 1;
    if (left === 0) this.running.delete(tenant);
    else this.running.set(tenant, left);
  }

  private async runInThread(input: string): Promise<unknown> {
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
      // No environment variables, because the thread processes untrusted texts.
      env: {},
    });
    this.all.add(thread);
    thread.once('exit', () => this.remove(thread));
    // An error without a listener would end the process, and between two tasks there is no other listener.
    thread.on('error', () => undefined);
    try {
      await messageOf(thread, STARTUP_MS);
      return thread;
    } catch (error) {
      await thread.terminate();
      throw new Error('a rendering thread did not start', { cause: error });
    }
  }

  private remove(thread: Worker): void {
    this.all.delete(thread);
    const at = this.idle.indexOf(thread);
    if (at >= 0) this.idle.splice(at, 1);
  }
}

/** The next message of a thread. Rejects if the thread fails, exits or exceeds the time limit. */
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
  new DomainError('too_many_requests', 'Too many of your texts are waiting to be rendered. Try again in a second.', 1);

const tooMany = (): DomainError =>
  new DomainError('unavailable', 'Too many texts are waiting to be rendered. Try again in a second.', 1);
