import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { plainStream } from '../../src/engine/testing/plain-stream';
import { Cidr } from '../../src/kernel/cidr';
import { DomainError } from '../../src/kernel/domain-error';
import {
  type BeaconLink,
  BeaconLinks,
  BeaconsService,
  StreamFailure,
  type ReachableBeacon,
} from '../../src/modules/beacons';
import type { Scope } from '../../src/platform/api/scope';

/** The network behind a beacon: names and endpoints that lead to ports of this machine. */
export class PrivateNetwork {
  readonly names = new Map<string, readonly string[]>();
  readonly ports = new Map<string, number>();
  /** What was dialled, as `address:port`. */
  readonly dialled: string[] = [];
  isConnected = true;
  agentVersion = '1.2.3';
  /** Called for each stream before it is used. */
  onStream: (stream: Duplex) => void = () => {};
  opened = 0;
  private readonly links = new Set<AbortController>();

  /** The agent is gone, and with it all links and streams. */
  disconnect(): void {
    this.isConnected = false;
    this.loseLinks();
  }

  /** The agent is gone and connected again at once. */
  loseLinks(): void {
    for (const link of this.links) link.abort(new StreamFailure('lost', 'the agent of the beacon disconnected'));
    this.links.clear();
  }

  open(): BeaconLink {
    if (!this.isConnected) throw new StreamFailure('lost', 'no agent of the beacon is connected');
    this.opened += 1;
    const lost = new AbortController();
    const streams = new Set<Duplex>();
    this.links.add(lost);
    lost.signal.addEventListener('abort', () => {
      for (const stream of streams) stream.destroy(new StreamFailure('lost', 'the agent of the beacon disconnected'));
    });
    return {
      lost: lost.signal,
      agentVersion: this.agentVersion,
      resolve: (host) => this.resolve(host),
      connect: async (endpoint) => {
        lost.signal.throwIfAborted();
        const stream = await this.connect(endpoint);
        streams.add(stream);
        this.onStream(stream);
        return stream;
      },
      close: () => void this.links.delete(lost),
    };
  }

  private resolve(host: string): Promise<string[]> {
    const addresses = this.names.get(host);
    if (addresses !== undefined) return Promise.resolve([...addresses]);
    return Promise.reject(new StreamFailure('unresolved', `${host} has no address: it does not exist`));
  }

  private connect({ address, port }: { address: string; port: number }): Promise<Duplex> {
    const endpoint = `${address}:${port}`;
    this.dialled.push(endpoint);
    const local = this.ports.get(endpoint);
    if (local === undefined) return Promise.reject(new StreamFailure('refused', 'the connection was refused'));
    return new Promise((resolve, reject) => {
      const socket = connect(local, '127.0.0.1', () => resolve(plainStream(socket)));
      socket.once('error', () => reject(new StreamFailure('refused', 'the connection was refused')));
    });
  }
}

/** Links to private networks instead of those to agents. */
export class PrivateNetworks {
  private readonly networks = new Map<number, PrivateNetwork>();

  of(beaconId: number): PrivateNetwork {
    const known = this.networks.get(beaconId) ?? new PrivateNetwork();
    this.networks.set(beaconId, known);
    return known;
  }

  /** Replaces the links of an application. */
  useIn(app: INestApplicationContext): void {
    const beacons = app.get(BeaconsService, { strict: false });
    const links: BeaconLinks = {
      find: (scope, organizationId, id) => this.find(beacons, scope, organizationId, id),
      open: async ({ id }) => this.of(id).open(),
    };
    Object.assign(app.get(BeaconLinks, { strict: false }), links);
  }

  private async find(
    beacons: BeaconsService,
    scope: Scope,
    organizationId: number,
    beaconId: number,
  ): Promise<ReachableBeacon | undefined> {
    try {
      const { id, name, allowedCidrs } = await beacons.get(scope, organizationId, beaconId);
      const network = this.networks.get(id);
      return {
        id,
        organizationId,
        name,
        cidrs: allowedCidrs.map((block) => Cidr.parse(block, 'allowed_cidrs')),
        isConnected: network?.isConnected === true,
        agentVersion: network?.agentVersion ?? null,
      };
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }
}
