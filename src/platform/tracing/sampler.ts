import type { TraceContext } from '../../kernel/trace-context';
import type { Config } from '../config/load-config';

/** Anyone may ask for traces, or choose ids that are sampled. More of them in a second are sampled by a number of our own. */
const MAX_REQUESTED_PER_SECOND = 10;

/** The last 14 digits of a trace id are random, by the specification. A number has room for 13 of them. */
const RANDOM_DIGITS = 13;
const RANDOM_VALUES = 16 ** RANDOM_DIGITS;

/** Decides which traces are recorded. `now` is a time in milliseconds, and `random` a number from 0 to below 1. */
export class Sampler {
  private readonly ratio: number;
  private readonly isParentBased: boolean;
  private secondStarted = -Infinity;
  private requested = 0;

  constructor(
    { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config,
    private readonly now = (): number => performance.now(),
    private readonly random = (): number => Math.random(),
  ) {
    this.isParentBased = name.startsWith('parentbased_');
    if (name.endsWith('traceidratio')) this.ratio = ratio;
    else this.ratio = name.endsWith('always_on') ? 1 : 0;
  }

  /** `caller` is the context that a request was sent with. */
  isSampled(traceId: string, caller: TraceContext | undefined): boolean {
    if (caller === undefined) return this.isInRatio(traceId);
    const isWanted = this.isParentBased ? caller.sampled : this.isInRatio(traceId);
    return isWanted && (this.ratio === 1 || this.mayRequest() || this.random() < this.ratio);
  }

  /** The same decision in every process, and a smaller ratio has a part of the traces of a larger one. */
  private isInRatio(traceId: string): boolean {
    const random = Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16);
    return random >= (1 - this.ratio) * RANDOM_VALUES;
  }

  private mayRequest(): boolean {
    const now = this.now();
    if (now - this.secondStarted >= 1_000) {
      this.secondStarted = now;
      this.requested = 0;
    }
    this.requested += 1;
    return this.requested <= MAX_REQUESTED_PER_SECOND;
  }
}
