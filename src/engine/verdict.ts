import { setTimeout as delay } from 'node:timers/promises';
import { assess, type Assessment, reassure } from './assess';
import { type Check, placeOf } from './check';
import { type Baseline, Visit } from './control';
import type { Target } from './target';
import { ExchangeFailed } from './transport/exchange';
import type { Transport, Via } from './transport/transport';

export interface Verdict {
  readonly result: 'still_vulnerable' | 'fixed' | 'inconclusive';
  readonly reason: string;
}

export interface Verification {
  readonly verdict: Verdict;
  readonly probes: readonly Assessment[];
  /** What the target was like when the weakness was last seen, to keep for the next time; null when it was not. */
  readonly baseline: Baseline | null;
}

export interface Patience {
  /** How many looks must agree before a weakness counts as gone, and over how long they are spread. */
  readonly probes: number;
  readonly spreadMs: number;
}

export const DEFAULT_PATIENCE: Patience = { probes: 3, spreadMs: 4_000 };

/** Behind a name there may be several servers, and each of them has to be mended; of more than these nobody waits for all. */
const MOST_ADDRESSES = 16;

const inconclusive = (reason: string): Verdict => ({ result: 'inconclusive', reason });

const NO_BASELINE =
  'the weakness does not show, but it was never seen from here, so nothing tells whether this is the target that had it';

const TOO_MANY = `more than ${MOST_ADDRESSES} addresses answer for this name, and the weakness may be left behind any of them`;

/** What one look decides; null when it is only one of several that must agree. */
function decided({ observation }: Assessment): Verdict | null {
  if (observation.state === 'weak') return { result: 'still_vulnerable', reason: observation.detail };
  return observation.state === 'unclear' ? inconclusive(observation.detail) : null;
}

/** The looks of one verification: at each address behind the name, and the control once more after the last. */
class Round {
  readonly probes: Assessment[] = [];
  private readonly looked = new Set<string>();
  /** Addresses to which this machine has no way, such as those of IPv6 where it has none. */
  private readonly cutOff = new Set<string>();
  private turn = 0;

  constructor(
    private readonly check: Check,
    private readonly place: Target,
    private readonly before: Baseline,
    private readonly transport: Transport,
    private readonly via: Via,
    private readonly patience: Patience,
  ) {}

  async verdict(): Promise<Verdict> {
    return (await this.looks()) ?? (await this.reassurances()) ?? this.fixed();
  }

  private async looks(): Promise<Verdict | null> {
    const wanted = Math.max(1, this.patience.probes);
    for (;;) {
      const known = await this.addresses();
      if ('result' in known) return known;
      const address = this.next(known);
      const isNew = address !== undefined && !this.looked.has(address);
      if (this.probes.length >= wanted && !isNew) return null;
      if (isNew && this.looked.size + this.cutOff.size >= MOST_ADDRESSES) return inconclusive(TOO_MANY);
      if (this.turn > 0 && this.turn < wanted) await this.pause();
      const verdict = await this.look(address, known);
      if (verdict !== null) return verdict;
    }
  }

  /** Asked before each look: a name may be served by others from one moment to the next. */
  private async addresses(): Promise<readonly string[] | Verdict> {
    if (this.check.on === 'dns') return [];
    try {
      const known = await this.transport.addresses(this.place, this.via);
      return known.length > MOST_ADDRESSES ? inconclusive(TOO_MANY) : known;
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      // Whoever answers all the same may show the weakness, and cannot show that it is gone.
      return (await this.look(undefined, [])) ?? inconclusive(error.failure.reason);
    }
  }

  /** Whoever was not looked at yet, else one after the other. */
  private next(known: readonly string[]): string | undefined {
    const open = known.filter((address) => !this.cutOff.has(address));
    return open.find((address) => !this.looked.has(address)) ?? open[this.turn % open.length];
  }

  private async look(address: string | undefined, known: readonly string[]): Promise<Verdict | null> {
    const seen = await assess(this.check, this.place, this.visit(address), this.before);
    if (address !== undefined && this.isCutOff(address, known, seen)) {
      this.cutOff.add(address);
      return null;
    }
    if (address !== undefined) this.looked.add(address);
    this.probes.push(seen);
    return decided(seen);
  }

  /** Nobody has to be seen whom nobody sees from here; but not if that is where the weakness was, or if it is everybody. */
  private isCutOff(address: string, known: readonly string[], seen: Assessment): boolean {
    const seenThere = this.before.on !== 'dns' && this.before.address === address;
    const others = known.some((one) => one !== address && !this.cutOff.has(one));
    return others && !seenThere && seen.exchanges.at(-1)?.failure?.code === 'no_route';
  }

  /** A target that breaks down after a look may have been breaking down during it. */
  private async reassurances(): Promise<Verdict | null> {
    // A service was asked in the very conversation that was looked at.
    if (this.check.on === 'tcp') return null;
    const places = this.check.on === 'dns' ? [undefined] : [...this.looked];
    for (const address of places) {
      const seen = await reassure(this.check, this.place, this.visit(address), this.before);
      this.probes.push(seen);
      const verdict = decided(seen);
      if (verdict !== null) return verdict;
    }
    return null;
  }

  private fixed(): Verdict {
    const agreed = `${this.probes[0]?.observation.detail ?? ''}; the target is the one that was tested, and ${this.probes.length} looks agree`;
    const servers = this.looked.size > 1 ? `, at each of ${this.looked.size} addresses` : '';
    const rest =
      this.cutOff.size > 0 ? `; not looked at, for there is no way from here: ${[...this.cutOff].join(', ')}` : '';
    return { result: 'fixed', reason: `${agreed}${servers}${rest}` };
  }

  private visit(address: string | undefined): Visit {
    const visit = new Visit(this.transport, {
      ...this.via,
      turn: this.turn,
      ...(address !== undefined && { address }),
    });
    this.turn += 1;
    return visit;
  }

  private async pause(): Promise<void> {
    const { probes, spreadMs } = this.patience;
    await delay(spreadMs / Math.max(1, probes - 1), undefined, { signal: this.via.signal });
  }
}

/** Without a baseline one look says all that can be said. */
async function unfounded(check: Check, place: Target, transport: Transport, via: Via): Promise<Verification> {
  const seen = await assess(check, place, new Visit(transport, via));
  const verdict = decided(seen) ?? inconclusive(NO_BASELINE);
  return { verdict, probes: [seen], baseline: baselineOf(verdict, seen) };
}

const baselineOf = ({ result }: Verdict, last: Assessment | undefined): Baseline | null =>
  result === 'still_vulnerable' ? (last?.baseline ?? null) : null;

/**
 * Whether a weakness is still there. Fixed only if each of several looks, and of each address behind the name, shows a
 * target that is the one that was tested, answers as it did and no longer shows the weakness; one look that shows it, or
 * shows nothing, decides.
 */
export async function verify(
  check: Check,
  target: Target,
  before: Baseline | null,
  transport: Transport,
  via: Via,
  patience: Patience = DEFAULT_PATIENCE,
): Promise<Verification> {
  const placement = placeOf(check, target);
  if (!placement.applicable) return { verdict: inconclusive(placement.reason), probes: [], baseline: null };
  const { place } = placement;
  if (before === null) return unfounded(check, place, transport, via);
  const round = new Round(check, place, before, transport, via, patience);
  const verdict = await round.verdict();
  return { verdict, probes: round.probes, baseline: baselineOf(verdict, round.probes.at(-1)) };
}
