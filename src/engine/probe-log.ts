import type { Assessment } from './assess';
import type { Observation } from './check';
import type { TargetProbe } from './probe';
import type { ProbeMemory } from './probe-memory';
import { isSameRefusal, type Refusal } from './refusal';
import type { ProbeSession } from './probe-session';

const memoryKey = (address: string | undefined, { behavior }: ProbeSession): string =>
  `${behavior.identity} ${address ?? ''}`;

/** The probes of one verification so far. A zone has no address, so its probes are counted under `undefined`. */
export class ProbeLog {
  private readonly added: Assessment[] = [];
  private readonly answers = new Map<string | null, Set<string>>();
  private readonly refusals: Refusal[] = [];
  private readonly counts = new Map<string | undefined, number>();
  /** By address and kind of client. */
  private readonly memories = new Map<string, ProbeMemory>();

  constructor(private readonly onProbe?: (probe: Assessment) => void) {}

  get probes(): readonly Assessment[] {
    return this.added;
  }

  /** `request` is the key of the request that the probe's `answer` belongs to. */
  add(probe: Assessment, request: string | null = null): void {
    this.added.push(this.withoutKnownRefusal(probe));
    const { answer } = probe;
    if (answer !== null) this.answers.set(request, (this.answers.get(request) ?? new Set()).add(answer));
    this.onProbe?.(probe);
  }

  /** Storing each repeat that is refused in the same way would make evidence many times as large. */
  private withoutKnownRefusal(probe: Assessment): Assessment {
    const { observation } = probe;
    if (observation.state !== 'blocked' || observation.refusal === undefined) return probe;
    const { refusal, ...rest } = observation;
    const isKnown = this.refusals.some((one) => isSameRefusal(one, refusal));
    if (!isKnown) this.refusals.push(refusal);
    return isKnown ? { ...probe, observation: rest } : probe;
  }

  /** Adds requests that are not a whole probe, and what they showed. */
  addRequests(
    kind: 'interleaved' | 'variant',
    started: string,
    observation: Observation,
    { exchanges }: TargetProbe,
  ): void {
    this.add({ kind, started, observation, controlFailure: null, answer: null, baseline: null, exchanges });
  }

  /** The different responses to this request. */
  answersTo(request: string | null): readonly string[] {
    return [...(this.answers.get(request) ?? [])];
  }

  /** Two different responses to the same request, or null if all are the same. */
  get differentAnswers(): readonly string[] | null {
    return [...this.answers.values()].map((answers) => [...answers]).find(({ length }) => length > 1) ?? null;
  }

  get addresses(): readonly (string | undefined)[] {
    return [...this.counts.keys()];
  }

  /** The number of decisive requests sent to this address. */
  decisiveRequests(address: string | undefined): number {
    return this.counts.get(address) ?? 0;
  }

  /** The smallest number of decisive requests that any address received. */
  get fewestDecisiveRequests(): number {
    return Math.min(...this.counts.values());
  }

  countDecisiveRequest(address: string | undefined): void {
    this.counts.set(address, this.decisiveRequests(address) + 1);
  }

  remember(address: string | undefined, session: ProbeSession, memory: ProbeMemory): void {
    this.memories.set(memoryKey(address, session), memory);
  }

  memoryOf(address: string | undefined, session: ProbeSession): ProbeMemory | null {
    return this.memories.get(memoryKey(address, session)) ?? null;
  }

  /** The memory of any kind of client, if the kind does not matter. */
  get anyMemory(): ProbeMemory | null {
    return [...this.memories.values()][0] ?? null;
  }
}
