import { setTimeout as delay } from 'node:timers/promises';
import { ignoreConnectionError } from './retrying-requests';
import type { SeededRandom } from '../../src/engine/testing/seeded-random';
import type { BackgroundTasks } from './background-tasks';
import type { Fault } from './faults';
import type { AsyncOperation } from './async-operations';

const pollIntervalMs = 700;

/** Between the operations of one group: most of them are running when the fault is injected. */
const gapMs = 200;

export interface CompletionTimes {
  /** From the acknowledgement until the API shows the end. */
  readonly ms: number;
  /** From the last fault or the acknowledgement, whichever is later; negative if it ended before the last fault. */
  readonly msAfterLastFault: number;
}

/** Sends operations in groups, and injects one fault for each group. */
export class FaultLoop<Deployment extends BackgroundTasks> {
  private lastFault = Number.POSITIVE_INFINITY;
  private isStopped = false;

  constructor(
    private readonly deployment: Deployment,
    /** Every operation has to end within this time after the last fault. */
    private readonly limitMs: number,
    /** The least time from one group to the next. */
    private readonly roundMs = 0,
  ) {}

  async run(
    operations: readonly AsyncOperation[],
    plan: readonly Fault<Deployment>[],
    random: SeededRandom,
  ): Promise<CompletionTimes[]> {
    const followed: Promise<{ accepted: number; ended: number }>[] = [];
    try {
      const began = performance.now();
      for (const [index, fault] of plan.entries()) {
        await Promise.race([delay(began + index * this.roundMs - performance.now()), failureAmong(followed)]);
        const group = operations.filter((_, at) => at % plan.length === index);
        followed.push(...group.map((operation, at) => this.follow(operation, at * gapMs)));
        await delay((group.length * gapMs) / 2);
        await Promise.race([this.inject(fault, random), failureAmong(followed)]);
      }
      await this.deployment.finishBackgroundTasks();
      this.lastFault = performance.now();
      const ends = await Promise.all(followed);
      return ends.map(({ accepted, ended }) => ({
        ms: ended - accepted,
        msAfterLastFault: ended - Math.max(accepted, this.lastFault),
      }));
    } finally {
      this.isStopped = true;
    }
  }

  private async inject(fault: Fault<Deployment>, random: SeededRandom): Promise<void> {
    const began = performance.now();
    await fault.inject(this.deployment, random);
    this.print(fault.name, performance.now() - began);
  }

  private print(what: string, ms: number): void {
    process.stdout.write(`${what}: ${(ms / 1_000).toFixed(1)} s\n`);
  }

  private async follow(operation: AsyncOperation, afterMs: number): Promise<{ accepted: number; ended: number }> {
    await delay(afterMs);
    await operation.send();
    const accepted = performance.now();
    while (!(await operation.isOver().catch(ignoreConnectionError))) {
      const late = performance.now() - Math.max(this.lastFault, accepted);
      if (late > this.limitMs)
        throw new Error(`A ${operation.kind} has not ended within ${this.limitMs} ms after the last fault.`);
      if (this.isStopped) throw new Error('The loop has ended.');
      await delay(pollIntervalMs);
    }
    const ended = performance.now();
    if (ended - accepted > this.limitMs / 4) this.print(`a ${operation.kind} took`, ended - accepted);
    return { accepted, ended };
  }
}

/** Rejects as soon as one of them fails, so that the loop does not run on until the last fault. */
const failureAmong = (followed: readonly Promise<unknown>[]): Promise<never> =>
  new Promise((_, reject) => {
    for (const one of followed) one.catch(reject);
  });
