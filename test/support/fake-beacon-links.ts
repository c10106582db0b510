import { setMaxListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { type BeaconLink, BeaconLinks, StreamFailure } from '../../src/modules/beacons';

interface Dial {
  readonly address: string;
  readonly port: number;
  readonly at: number;
}

/** A private network as a table: endpoints accept connections, hosts are silent, and all others refuse. */
export class FakeNetwork {
  readonly dials: Dial[] = [];
  readonly accepts = new Set<string>();
  /** Whether hosts that do not accept connections are silent. */
  isSilent = false;
  isConnected = true;
  /** Loses each link when it is opened. */
  isFlapping = false;
  peakConnections = 0;
  openedLinks = 0;
  openConnections = 0;
  private readonly links = new Set<AbortController>();
  private heldAfter = Infinity;
  private waiting: (() => void)[] = [];

  constructor(...endpoints: string[]) {
    for (const endpoint of endpoints) this.accepts.add(endpoint);
  }

  get addresses(): string[] {
    return [...new Set(this.dials.map(({ address }) => address))];
  }

  /** All connections after this number wait until they are released. */
  holdAfter(dials: number): void {
    this.heldAfter = dials;
  }

  release(): void {
    this.heldAfter = Infinity;
    for (const resume of this.waiting.splice(0)) resume();
  }

  /** The agent is gone, until it connects again. */
  disconnect(): void {
    this.isConnected = false;
    this.loseLinks();
  }

  loseLinks(): void {
    for (const link of this.links) link.abort(lost());
    this.links.clear();
  }

  openLink(): BeaconLink {
    if (!this.isConnected) throw lost();
    this.openedLinks++;
    const end = new AbortController();
    // Each connection listens to its link.
    setMaxListeners(0, end.signal);
    this.links.add(end);
    if (this.isFlapping) end.abort(lost());
    return {
      lost: end.signal,
      agentVersion: '1.2.3',
      resolve: () => Promise.reject(new Error('a discovery resolves no names')),
      connect: ({ address, port }, signal) => this.connect(address, port, signal, end.signal),
      close: () => end.abort(lost()),
    };
  }

  private async connect(address: string, port: number, signal: AbortSignal, end: AbortSignal): Promise<PassThrough> {
    end.throwIfAborted();
    this.dials.push({ address, port, at: performance.now() });
    this.openConnections++;
    this.peakConnections = Math.max(this.peakConnections, this.openConnections);
    try {
      if (this.dials.length > this.heldAfter) await Promise.race([this.released(), aborted(end)]);
      if (this.accepts.has(`${address}:${port}`)) return new PassThrough();
      if (this.isSilent) await Promise.race([aborted(signal), aborted(end)]);
      throw new StreamFailure('refused', 'the connection was refused');
    } finally {
      this.openConnections--;
    }
  }

  /** Held connections do not time out, but end with their link. */
  private released(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

const lost = (): StreamFailure => new StreamFailure('lost', 'the agent of the beacon was disconnected');

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

/** Connects beacons to fake networks, in the processes of a test. All other beacons are as in production. */
export class FakeBeaconLinks {
  private readonly networks = new Map<number, FakeNetwork>();

  connect(beaconId: number, network: FakeNetwork): FakeNetwork {
    this.networks.set(beaconId, network);
    return network;
  }

  installIn(context: INestApplicationContext): void {
    const links = context.get(BeaconLinks, { strict: false });
    const find = links.find.bind(links);
    const open = links.open.bind(links);
    jest.spyOn(links, 'find').mockImplementation(async (...given) => {
      const beacon = await find(...given);
      return beacon && { ...beacon, isConnected: this.networks.get(beacon.id)?.isConnected ?? beacon.isConnected };
    });
    jest.spyOn(links, 'open').mockImplementation(async (beacon, ...given) => {
      const network = this.networks.get(beacon.id);
      return network === undefined ? open(beacon, ...given) : network.openLink();
    });
  }
}
