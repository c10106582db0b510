import { setTimeout as delay } from 'node:timers/promises';
import type { Cidr } from '../../../kernel/cidr';
import { type BeaconLink, StreamFailure } from '../../beacons';
import type { SearchProgress } from '../data/discoveries.repository';
import { mayTry } from '../domain/discovery-plan';
import { type HostList, spreadPosition } from '../domain/host-list';

/** A load that spares the network and the agent, which serves tests at the same time. */
export const SEARCH_LIMITS = {
  connections: 32,
  /** Tried at the same time, because the pace of a host is slower than that of all behind a beacon. */
  hostsAtOnce: 8,
  /** Time for one repetition of a lost packet. Hosts in a private network answer within milliseconds. */
  connectMs: 1_500,
  /** How old the record of the beacon may be when an address is tried. */
  recordMs: 2_000,
  reconnectMs: 20_000,
  reconnectPauseMs: 500,
  lostLinks: 10,
};

export interface SearchPlan {
  readonly hosts: HostList;
  readonly ports: readonly number[];
  /** What earlier attempts have done. */
  readonly progress: SearchProgress;
}

/** What the search needs from its surroundings. */
export interface SearchContext {
  /** Throws a `StreamFailure` with code `lost` if no agent is connected. */
  open(signal: AbortSignal): Promise<BeaconLink>;
  /** Waits for the turn of a connection, and returns the function that ends it. The search, observations and jobs share one pace. */
  turnAt(address: string, signal: AbortSignal): Promise<() => void>;
  /** Saves the progress, and returns the CIDRs of the beacon as they are now. Throws if the search must end. */
  check(progress: SearchProgress): Promise<readonly Cidr[]>;
}

/** Why a search ended early, as a sentence for its reader. */
export class SearchEndedError extends Error {}

/** A connection was abandoned before it had a result. */
class InterruptedError extends Error {}

interface Endpoint {
  readonly turn: number;
  readonly address: string;
  readonly port: number;
}

/** Tries the hosts of a discovery through the link of its beacon. */
export class HostSearch {
  private readonly found = new Map<string, Set<number>>();
  private readonly skipped = new Set<number>();
  private readonly lost: Endpoint[] = [];
  /** The ports of each begun host that have no result yet. */
  private readonly open = new Map<number, number>();
  private readonly dials = new Map<AbortController, Promise<void>>();
  private readonly count: number;
  private queue: Endpoint[] = [];
  private turn: number;
  private allowed: readonly Cidr[] = [];
  private checked = -Infinity;
  private lostLinks = 0;
  private failure: unknown;

  constructor(
    private readonly plan: SearchPlan,
    private readonly context: SearchContext,
    private readonly limits = SEARCH_LIMITS,
  ) {
    this.count = Number(plan.hosts.size);
    this.turn = plan.progress.hostsDone;
    for (const { address, ports } of plan.progress.candidates) this.found.set(address, new Set(ports));
  }

  /** The hosts before the first one without a result: an attempt after this one continues there. */
  get progress(): SearchProgress {
    const hostsDone = Math.min(this.turn, ...this.open.keys());
    const skipped = [...this.skipped].filter((turn) => turn < hostsDone).length;
    return {
      hostsDone,
      hostsSkipped: this.plan.progress.hostsSkipped + skipped,
      candidates: [...this.found].map(([address, ports]) => ({ address, ports: [...ports].sort((a, b) => a - b) })),
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    let link: BeaconLink | undefined;
    const stop = (): void => this.interruptDials();
    signal.addEventListener('abort', stop);
    try {
      for (;;) {
        await this.checkIfOld();
        if (this.failure !== undefined) throw this.failure;
        link = await this.usable(link, signal);
        const endpoint = this.nextEndpoint();
        if (endpoint === undefined && this.dials.size === 0) return;
        if (endpoint === undefined || this.dials.size >= this.limits.connections) {
          if (endpoint !== undefined) this.queue.unshift(endpoint);
          await this.oneDialEnds(signal);
        } else {
          this.begin(link, endpoint, await this.context.turnAt(endpoint.address, signal));
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.interruptDials();
      link?.close();
      await Promise.all(this.dials.values());
    }
  }

  /** They have no result, and their hosts do not count as done. */
  private interruptDials(): void {
    for (const dial of this.dials.keys()) dial.abort(new InterruptedError());
  }

  private async checkIfOld(): Promise<void> {
    if (performance.now() - this.checked < this.limits.recordMs) return;
    this.allowed = await this.context.check(this.progress);
    this.checked = performance.now();
  }

  /** The link, or a new one if it is lost. Waits a while for an agent that connects again. */
  private async usable(link: BeaconLink | undefined, signal: AbortSignal): Promise<BeaconLink> {
    if (link !== undefined && !link.lost.aborted) return link;
    if (link !== undefined) await this.leave(link);
    const waitsSince = performance.now();
    for (;;) {
      try {
        return await this.context.open(signal);
      } catch (error) {
        if (!isLost(error)) throw error;
      }
      if (performance.now() - waitsSince > this.limits.reconnectMs)
        throw new SearchEndedError(
          'The agent of the beacon was not connected for too long. Start it, and start another discovery.',
        );
      await delay(this.limits.reconnectPauseMs, undefined, { signal });
      await this.checkIfOld();
    }
  }

  private async leave(link: BeaconLink): Promise<void> {
    link.close();
    this.interruptDials();
    await Promise.all(this.dials.values());
    this.lostLinks++;
    if (this.lostLinks > this.limits.lostLinks)
      throw new SearchEndedError('The connection to the agent was lost too often. Start another discovery later.');
  }

  private nextEndpoint(): Endpoint | undefined {
    const again = this.lost.pop() ?? this.queue.shift();
    if (again === undefined && this.turn >= this.count) return undefined;
    if (again === undefined) {
      this.queueNextHosts();
      return this.nextEndpoint();
    }
    if (mayTry(again.address, this.allowed)) return again;
    this.skipped.add(again.turn);
    this.end(again);
    return this.nextEndpoint();
  }

  /** The first port of each host, then the second one. */
  private queueNextHosts(): void {
    const { turn, count } = this;
    const hosts = Array.from({ length: Math.min(this.limits.hostsAtOnce, count - turn) }, (_none, index) => ({
      turn: turn + index,
      address: this.plan.hosts.addressAt(spreadPosition(turn + index, count)),
    }));
    this.queue = this.plan.ports.flatMap((port) => hosts.map((host) => ({ ...host, port })));
    for (const host of hosts) this.open.set(host.turn, this.plan.ports.length);
    this.turn += hosts.length;
  }

  private begin(link: BeaconLink, endpoint: Endpoint, leave: () => void): void {
    const abort = new AbortController();
    const timeout = setTimeout(
      () => abort.abort(new StreamFailure('timeout', 'it did not answer')),
      this.limits.connectMs,
    );
    const dial = this.dial(link, endpoint, abort.signal).finally(() => {
      clearTimeout(timeout);
      leave();
      this.dials.delete(abort);
    });
    this.dials.set(abort, dial);
  }

  /** Never rejects: the loop throws a failure. */
  private async dial(link: BeaconLink, endpoint: Endpoint, signal: AbortSignal): Promise<void> {
    const { turn, address, port } = endpoint;
    try {
      const stream = await link.connect({ address, port }, signal);
      stream.on('error', () => undefined).destroy();
      this.found.set(address, (this.found.get(address) ?? new Set()).add(port));
    } catch (error) {
      if (isLost(error) || signal.reason instanceof InterruptedError || link.lost.aborted) {
        this.lost.push(endpoint);
        return;
      }
      if (!(error instanceof StreamFailure || signal.aborted)) this.failure ??= error;
      if (error instanceof StreamFailure && error.code === 'egress') this.skipped.add(turn);
    }
    this.end(endpoint);
  }

  private end({ turn }: Endpoint): void {
    const left = (this.open.get(turn) ?? 1) - 1;
    if (left === 0) this.open.delete(turn);
    else this.open.set(turn, left);
  }

  /** Or until the record of the beacon is too old. */
  private async oneDialEnds(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const isOld = delay(this.limits.recordMs, undefined, { signal: ended.signal });
    await Promise.race([isOld, ...this.dials.values()]).finally(() => ended.abort());
    signal.throwIfAborted();
  }
}

const isLost = (error: unknown): boolean => error instanceof StreamFailure && error.code === 'lost';
