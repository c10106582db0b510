import { type Limits, type Pace, PACE_OF_NETWORK, type Paces } from './limits';
import { type Leave, RateLimiter, type SharedPace } from './rate-limiter';

/** Who wants to talk to an address. */
export interface Visit {
  readonly signal: AbortSignal;
  /** In whose name. Organizations take turns at an address. */
  readonly organizationId?: number;
  /** The beacon that it is behind. */
  readonly route?: { readonly key: string };
  /** The block that it belongs to: the hosts of a block share a pace, as those behind a beacon do. */
  readonly block?: string;
  /** How quickly one host, and one beacon or block, may be talked to; as the transport is limited by default. */
  readonly pace?: Paces;
  /** No other visit of this kind runs at the address meanwhile: it measures how long an answer takes. */
  readonly alone?: boolean;
}

type Turn = readonly [key: string, pace: Pace];

/** The time between them is that of the host. */
const ALONE: Pace = { perSecond: 1_000, concurrency: 1 };

/** Limits how quickly hosts are talked to, and all hosts behind one beacon or in one block together. */
export class TargetPaces {
  readonly ofHosts: RateLimiter;
  /** At least that of one host, which the operator sets. */
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
   * Waits until the address may be talked to; the caller calls what it returns in the end. The slot of the address is awaited
   * first, so that no host takes all those of its beacon or block.
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
        // One that measures the time of an answer stays alone.
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

  /** Waits until one more request may be sent on a connection for which the address was acquired. */
  async waitForRequest(address: string, visit: Visit): Promise<void> {
    const { route, block, pace, signal } = visit;
    const turns = this.turnsAt(address, visit, pace?.requestsPerSecond ?? this.limits.perSecond);
    for (const [key, limit] of turns) await this.ofHosts.waitForTurn(key, signal, limit);
    const network = route?.key ?? block;
    if (network !== undefined) await this.ofHosts.waitForTurn(network, signal, pace?.shared ?? this.paceOfNetwork);
  }

  /**
   * A pace below the operator's delays the organization that states it and nobody else: its visits wait for it in a queue of
   * their own, where they hold nothing of the address.
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
