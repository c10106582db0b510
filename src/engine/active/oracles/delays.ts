import { randomInt } from 'node:crypto';
import { blockReason } from '../../response-trust';
import type { Experiment } from '../experiment';
import type { Outcome } from '../outcome';
import { withGaps } from './gaps';

/** The syntax of a delay at the place of the value. */
export interface DelaySyntax {
  readonly id: string;
  /** What waits. */
  readonly by: string;
  fits?(value: string): boolean;
  write(value: string, seconds: string): string;
  /** A text that is read as a space. */
  readonly gap?: string;
}

const LONGEST_MS = 4_600;
const SHORTEST_MS = 600;
const MIN_ROUNDS = 3;
const MAX_ROUNDS = 6;
const MAX_SLOPE_ERROR = 0.1;
/** More noise would hide the delays. */
const MAX_NOISE_MS = 300;
const LEAST_NOISE_MS = 40;
/** The maximum probability of a false positive. */
const CHANCE = 1e-9;

interface Measured {
  readonly asked: number;
  readonly took: number;
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

interface Line {
  readonly slope: number;
  /** The largest deviation of a measurement from the line. */
  readonly rest: number;
}

function lineThrough(measured: readonly Measured[]): Line {
  const [asked, took] = [mean(measured.map((one) => one.asked)), mean(measured.map((one) => one.took))];
  const spread = measured.reduce((sum, one) => sum + (one.asked - asked) ** 2, 0);
  const slope = measured.reduce((sum, one) => sum + (one.asked - asked) * (one.took - took), 0) / spread;
  const rest = Math.max(...measured.map((one) => Math.abs(one.took - took - slope * (one.asked - asked))));
  return { slope, rest };
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

/** Why delays neither show the weakness nor rule it out. */
const UNCLEAR = {
  irregular: 'the target answers too irregularly for delays to show',
  /** This may be network noise, so another syntax is tried. */
  uneven: 'the answers come later with the delay, but not evenly enough to show that it is the cause',
  late: 'the target answers later where the value asks for a delay, but not as much later',
} as const;

type Result = { readonly certainty: string } | 'independent' | keyof typeof UNCLEAR;

export class Delays {
  private constructor(
    private readonly experiment: Experiment,
    /** The response times without a delay. */
    private readonly usual: readonly number[],
  ) {}

  /** Sends the value itself `originals` times, to measure the usual response time. */
  static async at(experiment: Experiment, originals: number): Promise<Delays> {
    const usual: number[] = [];
    while (usual.length < originals) {
      await experiment.original();
      usual.push(experiment.lastMs);
    }
    return new Delays(experiment, usual);
  }

  async outcome(syntax: DelaySyntax, detail: string): Promise<Outcome | null> {
    const { point } = this.experiment;
    const { value } = point;
    if (syntax.fits?.(value) === false) return null;
    const result = await this.observe((seconds) => withGaps(point, syntax.write(value, seconds), syntax.gap));
    if (result === 'independent') return null;
    return typeof result === 'string'
      ? { state: 'disturbed', reason: UNCLEAR[result] }
      : { state: 'proved', detail, certainty: result.certainty, variant: syntax.id };
  }

  /** Checks that each response is later by the requested time, and stops at the first that is not. */
  private async observe(write: (seconds: string) => string): Promise<Result> {
    const first = await this.measure(write, randomInt(1_500, 2_500));
    // If a statement contains the value several times, it waits as often: one more delay could exceed the limit.
    if (first === null || !this.isNear(first)) return this.lateOrIndependent(write, first);
    const usual = [...this.usual];
    const delayed: Measured[] = [];
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      for (const asked of this.round()) {
        const one = await this.measure(write, asked);
        if (one === null || !this.isNear(one)) return this.lateOrIndependent(write, one);
        if (asked === 0) usual.push(one.took);
        else delayed.push(one);
      }
      const end = round < MIN_ROUNDS ? null : this.decide(usual, delayed);
      if (end !== null) return end;
    }
    return 'irregular';
  }

  private isNear({ asked, took }: Measured): boolean {
    const later = took - mean(this.usual);
    return took >= asked && later < asked + asked * MAX_SLOPE_ERROR + 2 * MAX_NOISE_MS;
  }

  /** A value that waits twice, or whose statement is cut off, still waits. This asks for the shortest delay and for none. */
  private async lateOrIndependent(write: (seconds: string) => string, one: Measured | null): Promise<Result> {
    const isLate = (late: Measured | null, usual: readonly number[]): boolean =>
      late !== null && late.took > Math.max(...usual) + MAX_NOISE_MS;
    if (!isLate(one, this.usual)) return 'independent';
    const without = await this.measure(write, 0);
    const again = await this.measure(write, SHORTEST_MS);
    return isLate(again, [...this.usual, without?.took ?? 0]) ? 'late' : 'independent';
  }

  private decide(usual: readonly number[], delayed: readonly Measured[]): Result | null {
    const zeros = usual.map((took) => ({ asked: 0, took }));
    const level = mean(usual);
    const noise = Math.max(LEAST_NOISE_MS, 2 * Math.max(...usual.map((took) => Math.abs(took - level))));
    const { slope, rest } = lineThrough([...zeros, ...delayed]);
    if (noise > MAX_NOISE_MS) return null;
    if (Math.abs(slope - 1) > MAX_SLOPE_ERROR || rest > noise) return 'uneven';
    // Without the weakness, each response would have to end by chance within the noise around the randomly drawn time.
    const chance = ((2 * noise) / (LONGEST_MS - SHORTEST_MS)) ** delayed.length;
    if (chance > CHANCE) return null;
    return {
      certainty: `${delayed.length} answers came later by random delays of ${SHORTEST_MS / 1_000} to ${LONGEST_MS / 1_000} s, and ${usual.length} without a delay did not: slope ${slope.toFixed(2)}, all within ${Math.round(noise)} ms. The chance of that is below (${Math.round(2 * noise)}/${LONGEST_MS - SHORTEST_MS})^${delayed.length}, which is ${chance.toExponential(1)}.`,
    };
  }

  /** A third of the delays is zero, in random order. */
  private round(): readonly number[] {
    const delays = [randomInt(SHORTEST_MS, LONGEST_MS), randomInt(SHORTEST_MS, LONGEST_MS)];
    return delays.toSpliced(randomInt(3), 0, 0);
  }

  /** Null if something other than the application answered. */
  private async measure(write: (seconds: string) => string, asked: number): Promise<Measured | null> {
    const { experiment } = this;
    const answer = await experiment.send(write(seconds(asked)), {
      expects: `the answer comes ${seconds(asked)} s later`,
      observe: ({ ms = 0 }) => `after ${seconds(ms)} s`,
      // A request that waits on a server may make others wait there, so it is sent alone.
      alone: true,
    });
    return blockReason(answer) === null || answer.status >= 500 ? { asked, took: experiment.lastMs } : null;
  }
}

/** Tries the syntaxes one after the other until one is conclusive; null if none is. */
export async function firstDelay(
  experiment: Experiment,
  originals: number,
  syntaxes: readonly DelaySyntax[],
  detailOf: (syntax: DelaySyntax) => string,
): Promise<Outcome | null> {
  if (syntaxes.length === 0) return null;
  const measured = async (): Promise<Outcome | null> => {
    const delays = await Delays.at(experiment, originals);
    let uneven: Outcome | null = null;
    for (const syntax of syntaxes) {
      const outcome = await delays.outcome(syntax, detailOf(syntax));
      if (outcome?.state === 'disturbed' && outcome.reason === UNCLEAR.uneven) uneven = outcome;
      else if (outcome !== null) return outcome;
    }
    return uneven;
  };
  return experiment.probe.alone?.(measured) ?? measured();
}
