import { AnsweringThread, type ThreadOptions } from './answering-thread';
import { DomainError } from './domain-error';
import { FairQueue } from './fair-queue';

export interface ThreadPoolOptions extends ThreadOptions {
  readonly threads: number;
  /** The time limit of one task, from the moment when a thread starts it. */
  readonly milliseconds: number;
  readonly maxQueuedPerTenant: number;
  readonly maxQueued: number;
}

interface Task {
  readonly input: unknown;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Runs tasks in threads, so that a task that exceeds its time or memory limit ends only its thread. A tenant uses at most
 * half of the threads, and tenants take turns in the queue.
 */
export class ThreadPool {
  private readonly queue = new FairQueue<Task>();
  private readonly idle: AnsweringThread[] = [];
  private readonly all = new Set<AnsweringThread>();
  private readonly running = new Map<string, number>();
  private busy = 0;

  constructor(private readonly options: ThreadPoolOptions) {}

  run(tenant: string, input: unknown): Promise<unknown> {
    const { maxQueued, maxQueuedPerTenant } = this.options;
    if (this.queue.lengthOf(tenant) >= maxQueuedPerTenant) return Promise.reject(tooManyOfTenant());
    if (this.queue.length >= maxQueued) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      this.queue.add(tenant, { input, resolve, reject });
      this.startNext();
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.all].map((thread) => thread.end()));
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

  private async runInThread(input: unknown): Promise<unknown> {
    const thread = this.idle.pop() ?? (await this.start());
    const answer = await thread.ask(input, this.options.milliseconds);
    this.idle.push(thread);
    return answer;
  }

  private start(): Promise<AnsweringThread> {
    const thread = new AnsweringThread(this.options);
    this.all.add(thread);
    void thread.exited.then(() => this.remove(thread));
    return thread.ready();
  }

  private remove(thread: AnsweringThread): void {
    this.all.delete(thread);
    const at = this.idle.indexOf(thread);
    if (at >= 0) this.idle.splice(at, 1);
  }
}

const tooManyOfTenant = (): DomainError =>
  new DomainError('too_many_requests', 'Too much of yours is waiting to be rendered. Try again in a second.', 1);

const tooMany = (): DomainError =>
  new DomainError('unavailable', 'Too much is waiting to be rendered. Try again in a second.', 1);
