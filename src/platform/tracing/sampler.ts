import type { TraceContext } from '../../kernel/trace-context';
import type { Config } from '../config/load-config';

/** Anyone may ask for traces. More of them in a second are sampled like requests without a trace. */
const MAX_REQUESTED_PER_SECOND = 10;

/** The last digits of a trace id are random, by the specification. */
const RANDOM_DIGITS = 14;
const RANDOM_VALUES = 16 ** RANDOM_DIGITS;

/** Decides which traces are recorded. `now` is a time in milliseconds. */
export class Sampler {
  private readonly ratio: number;
  private readonly isParentBased: boolean;
  private secondStarted = -Infinity;
  private requested = 0;

  constructor(
    { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config,
    private readonly now = (): number => performance.now(),
  ) {
    this.isParentBased = name.startsWith('parentbased_');
    if (name.endsWith('traceidratio')) this.ratio = ratio;
    else this.ratio = name.endsWith('always_on') ? 1 : 0;
  }

  /** `caller` is the context that a request was sent with. */
  isSampled(traceId: string, caller: TraceContext | undefined): boolean {
    if (!this.isParentBased || caller === undefined) return this.isInRatio(traceId);
    if (!caller.sampled) return false;
    return this.isInRatio(traceId) || this.mayRequest();
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
