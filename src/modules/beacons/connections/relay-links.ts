import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { Injectable } from '@nestjs/common';
import type { Endpoint } from '../../../beacon-protocol/endpoint';
import { Multiplexer } from '../../../beacon-protocol/multiplexer';
import { receiveFromSocket, socketChannel } from '../../../beacon-protocol/socket-channel';
import { printable, StreamFailure } from '../../../beacon-protocol/stream-failure';
import { Clock } from '../../../kernel/clock';
import { traceparentOf } from '../../../kernel/trace-context';
import { withinTime } from '../../../kernel/within-time';
import { everything, type Scope } from '../../../platform/api/scope';
import { Config } from '../../../platform/config/load-config';
import { secretKeyOf } from '../../../platform/config/secret-key';
import type { BeaconConnection } from '../data/beacon-connection.entity';
import { BeaconConnectionsRepository } from '../data/beacon-connections.repository';
import { BeaconsRepository } from '../data/beacons.repository';
import { allowedBlocks } from '../domain/beacon-network';
import { type BeaconLink, BeaconLinks, type LinkedWork, type ReachableBeacon } from './beacon-link';
import { RELAY_TLS, relayKey } from './relay-secret';
import { newTicket } from './relay-ticket';

const scope = everything('work carries the organization of its beacon');
const CONNECT_MS = 10_000;

type OpenConnection = () => Promise<RelayConnection>;

/** Links through the relay of the process that an agent is connected to. */
@Injectable()
export class RelayLinks extends BeaconLinks {
  constructor(
    private readonly beacons: BeaconsRepository,
    private readonly connections: BeaconConnectionsRepository,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async find(scope: Scope, organizationId: number, beaconId: number): Promise<ReachableBeacon | undefined> {
    const beacon = await this.beacons.findOne(scope, organizationId, beaconId);
    if (beacon === undefined) return undefined;
    const connection = await this.connections.findNewest(scope, organizationId, beaconId);
    const { id, name, allowedCidrs } = beacon;
    return {
      id,
      organizationId,
      name,
      cidrs: allowedBlocks(allowedCidrs),
      isConnected: connection !== undefined,
      agentVersion: connection?.agentVersion ?? null,
    };
  }

  override async open(
    { id, organizationId }: Pick<ReachableBeacon, 'id' | 'organizationId'>,
    work: LinkedWork,
    signal: AbortSignal,
  ): Promise<BeaconLink> {
    const open: OpenConnection = async () => {
      const connection = await this.connections.findNewest(scope, organizationId, id);
      if (connection === undefined) throw new StreamFailure('lost', 'no agent of the beacon is connected');
      return this.connect(connection, work, signal);
    };
    return new RelayLink(open, await open());
  }

  private async connect(
    { relayHost: host, relayPort: port, processId, beaconId, organizationId }: BeaconConnection,
    { reference, attempt, trace }: LinkedWork,
    signal: AbortSignal,
  ): Promise<RelayConnection> {
    const secret = secretKeyOf(this.config);
    const timed = withinTime(signal, CONNECT_MS);
    const psk = relayKey(secret, 'tls');
    const socket = connectTls({
      ...RELAY_TLS,
      host,
      port,
      pskCallback: () => ({ psk, identity: 'worker' }),
      // There is no certificate: only a process with the key can be the other side.
      checkServerIdentity: () => undefined,
    });
    try {
      await once(socket, 'secureConnect', { signal: timed });
    } catch (error) {
      socket.destroy();
      signal.throwIfAborted();
      throw new StreamFailure('lost', `the process that the agent is connected to cannot be reached: ${String(error)}`);
    }
    const traceparent = trace && traceparentOf(trace);
    const subject = { beaconId, organizationId, work: reference, attempt, processId, traceparent };
    const connection = new RelayConnection(
      new Multiplexer(socketChannel(socket), { onControl: (message) => connection.hear(message) }),
    );
    receiveFromSocket(socket, connection.multiplexer);
    await connection.present(newTicket(subject, relayKey(secret, 'ticket'), this.clock.now()), timed);
    return connection;
  }
}

const isLost = (error: unknown): boolean => error instanceof StreamFailure && error.code === 'lost';

/** One TLS connection to a relay. */
class RelayConnection {
  isDraining = false;
  agentVersion = '';
  private answer: ((refusal: string | undefined) => void) | undefined;

  constructor(readonly multiplexer: Multiplexer) {}

  get isGone(): boolean {
    return this.multiplexer.closed.aborted;
  }

  hear({ type, reason, agent_version: version }: Readonly<Record<string, unknown>>): void {
    if (type === 'draining') this.isDraining = true;
    if (type === 'ready') {
      this.agentVersion = printable(String(version));
      this.answer?.(undefined);
    }
    if (type === 'refused') this.answer?.(printable(String(reason)));
  }

  async present(ticket: string, signal: AbortSignal): Promise<void> {
    const refusal = await new Promise<string | undefined>((resolve) => {
      this.answer = resolve;
      const gone = (): void => resolve('it closed the connection');
      this.multiplexer.closed.addEventListener('abort', gone, { once: true });
      signal.addEventListener('abort', gone, { once: true });
      void this.multiplexer.sendControl({ type: 'ticket', ticket }).catch(gone);
    });
    if (refusal === undefined) return;
    this.multiplexer.close('refused');
    throw new StreamFailure('lost', `the relay refused the link: ${refusal}`);
  }
}

/**
 * It moves to another connection of the beacon when its own is draining, or was lost while unused, so work does not notice a
 * restart of agents or of the API. When a connection with streams is gone, the link is lost.
 */
class RelayLink implements BeaconLink {
  private readonly losing = new AbortController();
  private readonly used = new Set<RelayConnection>();
  private isClosed = false;
  private moving: Promise<RelayConnection> | undefined;

  constructor(
    private readonly open: OpenConnection,
    private current: RelayConnection,
  ) {
    this.watch(current);
  }

  get agentVersion(): string {
    return this.current.agentVersion;
  }

  get lost(): AbortSignal {
    return this.losing.signal;
  }

  async resolve(host: string, signal: AbortSignal): Promise<string[]> {
    return this.use((connection) => connection.multiplexer.resolve(host, signal));
  }

  async connect(endpoint: Endpoint, signal: AbortSignal): Promise<Duplex> {
    return this.use((connection) => connection.multiplexer.open(endpoint, signal));
  }

  close(): void {
    this.isClosed = true;
    for (const connection of this.used) connection.multiplexer.close('the work is over');
  }

  private async use<T>(ask: (connection: RelayConnection) => Promise<T>): Promise<T> {
    try {
      const connection = await this.usable();
      try {
        return await ask(connection);
      } catch (error) {
        if (!isLost(error)) throw error;
        // Nothing was sent to the target yet, so another connection may be used.
        connection.isDraining = true;
      }
      return await ask(await this.usable());
    } catch (error) {
      if (isLost(error)) this.losing.abort(error);
      throw error;
    }
  }

  private async usable(): Promise<RelayConnection> {
    if (!this.current.isDraining && !this.current.isGone) return this.current;
    this.moving ??= this.open().finally(() => (this.moving = undefined));
    try {
      this.current = await this.moving;
      this.watch(this.current);
      if (this.isClosed) this.current.multiplexer.close('the work is over');
    } catch (error) {
      // A draining agent is better than none.
      if (this.current.isGone) throw error;
    }
    return this.current;
  }

  private watch(connection: RelayConnection): void {
    if (this.used.has(connection)) return;
    this.used.add(connection);
    const { multiplexer } = connection;
    const { closed } = multiplexer;
    closed.addEventListener('abort', () => {
      this.used.delete(connection);
      // Its streams are counted before they are reset.
      if (multiplexer.openStreamCount > 0) this.losing.abort(closed.reason);
    });
  }
}
