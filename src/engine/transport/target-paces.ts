import { type Limits, type Pace, PACE_OF_NETWORK, type Paces } from './limits';
import { type Leave, RateLimiter, type SharedPace } from './rate-limiter';

/** An exchange that waits for an address. */
export interface Visit {
  readonly signal: AbortSignal;
  /** The organization. Organizations take turns at an address. */
  readonly organizationId?: number;
  /** The beacon in front of the address. */
  readonly route?: { readonly key: string };
  /** The block of the address: the hosts of a block share a pace, like those behind a beacon. */
  readonly block?: string;
  /** The pace for one host, and for one beacon or block; by default that of the transport. */
  readonly pace?: Paces;
  /** Whether no other such exchange may run at the address meanwhile, because it measures response times. */
  readonly alone?: boolean;
}

type Turn = readonly [key: string, pace: Pace];

/** The pace of the host decides the time between them. */
const ALONE: Pace = { perSecond: 1_000, concurrency: 1 };

/** Limits the pace at single hosts, and at all hosts together behind one beacon or in one block. */
export class TargetPaces {
  readonly ofHosts: RateLimiter;
  /** At least the pace of one host, which the operator sets. */
  private readonly paceOfNetwork: Pace;

  constructor(
    private readonly limits: Limits,
    shared?: SharedPace,
  ) {
    this.ofHosts = new RateLimiter(limits, shared);
    const { perSecond, concurrency } = PACE_OF_NETWORK;
    this.paceOfNetwork = { perSecond: Math.max(perSecond, limits.perSecond), concurrency };
  }

  /**
   * Waits until the exchange may start. The caller calls the returned function at its end. The slot of the address is acquired
   * first, so that no host takes all slots of its beacon or block.
   */
  async acquire(address: string, visit: Visit): Promise<() => void> {
    const { organizationId, route, block, pace, alone = false, signal } = visit;
    const network = route?.key ?? block;
    const turns = this.turnsAt(address, visit, pace?.host.perSecond);
    if (alone) turns.splice(-1, 0, [`alone ${keyOf(address, route)}`, ALONE]);
    if (network !== undefined) turns.push([network, pace?.shared ?? this.paceOfNetwork]);
    const releases: Leave[] = [];
    const leave = (): void => releases.forEach((release) => release());
    let lend: Leave | undefined;
    try {
      for (const [host, limit] of turns) {
        const release = await this.ofHosts.acquire(host, signal, limit, organizationId);
        releases.unshift(release);
        // An exchange that measures response times keeps its slot.
        if (host === keyOf(address, route) && !alone) lend = release;
      }
      const lending = setTimeout(() => lend?.('lend'), this.limits.lendMs).unref();
      return () => {
        clearTimeout(lending);
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Waits until one more request may be sent on a connection whose exchange has started. */
  async waitForRequest(address: string, visit: Visit): Promise<void> {
    const { route, block, pace, signal } = visit;
    const turns = this.turnsAt(address, visit, pace?.requestsPerSecond ?? this.limits.perSecond);
    for (const [key, limit] of turns) await this.ofHosts.waitForTurn(key, signal, limit);
    const network = route?.key ?? block;
    if (network !== undefined) await this.ofHosts.waitForTurn(network, signal, pace?.shared ?? this.paceOfNetwork);
  }

  /**
   * A pace below the operator's only delays the organization that sets it: its exchanges wait in a separate queue, in which they
   * hold no slot of the address.
   */
  private turnsAt(address: string, { organizationId, route, pace }: Visit, perSecond = this.limits.perSecond): Turn[] {
    const key = keyOf(address, route);
    const { host, requestsPerSecond = Infinity } = pace ?? { host: this.limits };
    const { concurrency } = host;
    const usual = this.limits.perSecond;
    const turn: Turn = [key, { perSecond: Math.max(perSecond, usual), concurrency }];
    const isSlower = Math.min(host.perSecond, requestsPerSecond) < usual;
    return isSlower ? [[`organization ${organizationId} at ${key}`, { perSecond, concurrency }], turn] : [turn];
  }
}

const keyOf = (address: string, route: Visit['route']): string => (route ? `${route.key} ${address}` : address);
