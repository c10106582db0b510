import { setTimeout as delay } from 'node:timers/promises';
import { unlessRefused } from './accepted';
import type { Dice } from './dice';
import type { FaultStage } from './fault-stage';
import type { Fault } from './faults';
import type { Start } from './starts';

const askAgainMs = 700;

/** Of the starts that come with one fault: most are under way when it strikes. */
const gapMs = 200;

export interface Followed {
  /** From the acknowledgement to the end, as its owner could see it. */
  readonly ms: number;
  /** From the last fault, or the acknowledgement if that came later; less than nothing if it was over before. */
  readonly msInPeace: number;
}

/** Starts that come in groups, and with each group a fault. */
export class FaultLoop {
  private lastFault = Number.POSITIVE_INFINITY;
  private isStopped = false;

  constructor(
    private readonly stage: FaultStage,
    /** Within this time after the last fault everything has to be over. */
    private readonly mostMs: number,
  ) {}

  async run(starts: readonly Start[], plan: readonly Fault[], dice: Dice): Promise<Followed[]> {
    const followed: Promise<{ accepted: number; ended: number }>[] = [];
    try {
      for (const [index, fault] of plan.entries()) {
        const group = starts.filter((_, at) => at % plan.length === index);
        followed.push(...group.map((start, at) => this.follow(start, at * gapMs)));
        await delay((group.length * gapMs) / 2);
        await Promise.race([this.strike(fault, dice), failureAmong(followed)]);
      }
      await this.stage.quiet();
      this.lastFault = performance.now();
      const ends = await Promise.all(followed);
      return ends.map(({ accepted, ended }) => ({
        ms: ended - accepted,
        msInPeace: ended - Math.max(accepted, this.lastFault),
      }));
    } finally {
      this.isStopped = true;
    }
  }

  private async strike(fault: Fault, dice: Dice): Promise<void> {
    const began = performance.now();
    await fault.strike(this.stage, dice);
    this.say(fault.name, performance.now() - began);
  }

  private say(what: string, ms: number): void {
    process.stdout.write(`${what}: ${(ms / 1_000).toFixed(1)} s\n`);
  }

  private async follow(start: Start, afterMs: number): Promise<{ accepted: number; ended: number }> {
    await delay(afterMs);
    await start.send();
    const accepted = performance.now();
    while (!(await start.isOver().catch(unlessRefused))) {
      const late = performance.now() - Math.max(this.lastFault, accepted);
      if (late > this.mostMs) throw new Error(`A ${start.kind} has not ended in time after the last fault.`);
      if (this.isStopped) throw new Error('The loop has ended.');
      await delay(askAgainMs);
    }
    const ended = performance.now();
    if (ended - accepted > this.mostMs / 4) this.say(`a ${start.kind} took`, ended - accepted);
    return { accepted, ended };
  }
}

/** So that a failure ends the loop when it happens, and not after the last fault. */
const failureAmong = (followed: readonly Promise<unknown>[]): Promise<never> =>
  new Promise((_, reject) => {
    for (const one of followed) one.catch(reject);
  });
