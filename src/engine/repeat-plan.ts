import { type Baseline, decisiveKey } from './baseline';
import { DECISIVE_REQUESTS } from './client-behaviors';

/** A request of the check that is repeated at each address. */
export interface RepeatedRequest {
  /** The baseline in which this is the decisive request. */
  readonly before: Baseline;
  readonly times: number;
}

/** The total number of requests of a refutation, including those that are not counted below. */
const REFUTATION_BUDGET = 160;
/** Controls, missing paths, variants and the pages of further clients. The first probe also sends each request once. */
const OTHER_REQUESTS = 26;

const TIMES_BESIDE_NAMED = 4;
const FEWEST_TIMES = 4;

/** In a retest, the weakness was seen in one response. */
export const repeatedInRetest = (before: Baseline): RepeatedRequest[] => [{ before, times: DECISIVE_REQUESTS }];

/**
 * The requests to repeat if the weakness was never seen: the request that a report names, sixteen times; without a report, each
 * request. Null if that would be too many.
 */
export function repeatedInRefutation(
  reference: Baseline,
  keys: readonly string[],
  named: string | null,
): RepeatedRequest[] | null {
  if (reference.on !== 'web' || reference.decisive.kind !== 'http' || keys.length < 2)
    return repeatedInRetest(reference);
  const decisive = named === null ? undefined : keys.find((key) => key === `GET ${named}`);
  const left = REFUTATION_BUDGET - OTHER_REQUESTS - keys.length;
  const timesOfEach = Math.min(DECISIVE_REQUESTS, Math.floor(left / keys.length));
  if (decisive === undefined && timesOfEach < FEWEST_TIMES) return null;
  return keys.map((key) => ({
    before: { ...reference, decisive: { kind: 'http', key } },
    times: decisive === undefined ? timesOfEach : key === decisive ? DECISIVE_REQUESTS : TIMES_BESIDE_NAMED,
  }));
}

/** The method and path of a repeated request; empty if it has none. */
export const nameOf = ({ before }: RepeatedRequest): string => decisiveKey(before) ?? '';

export const mostRepeated = (requests: readonly RepeatedRequest[]): RepeatedRequest =>
  requests.reduce((most, one) => (one.times > most.times ? one : most));

interface CountsAtAddress {
  /** The number of probes and repeats. */
  rounds: number;
  readonly sent: number[];
}

/** Counts how often each repeated request was sent to each address. */
export class RepeatPlan {
  private readonly counts = new Map<string | undefined, CountsAtAddress>();

  constructor(readonly requests: readonly RepeatedRequest[]) {}

  private nextRound(address: string | undefined): CountsAtAddress {
    const counts = this.counts.get(address) ?? { rounds: 0, sent: this.requests.map(() => 0) };
    this.counts.set(address, counts);
    counts.rounds += 1;
    return counts;
  }

  /** Counts a probe, which sends each of the requests. */
  countProbe(address: string | undefined): void {
    const { sent } = this.nextRound(address);
    for (const [at, times] of sent.entries()) sent[at] = times + 1;
  }

  /** The requests for the next repeat: each is distributed evenly over all sixteen rounds. */
  nextRepeats(address: string | undefined): RepeatedRequest[] {
    const { sent, rounds } = this.nextRound(address);
    return this.requests.filter(({ times }, at) => {
      const before = sent[at] ?? 0;
      const isDue = before < Math.ceil((times * rounds) / DECISIVE_REQUESTS);
      if (isDue) sent[at] = before + 1;
      return isDue;
    });
  }

  /** The smallest number of times that the request was sent to any address. */
  timesSent(request: RepeatedRequest): number {
    const at = this.requests.indexOf(request);
    return Math.min(...[...this.counts.values()].map(({ sent }) => sent[at] ?? 0));
  }
}
