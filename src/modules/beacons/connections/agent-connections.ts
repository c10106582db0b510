import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { type WebSocket, WebSocketServer } from 'ws';
import { MAX_MESSAGE_BYTES, SUBPROTOCOL } from '../../../beacon-protocol/websocket-channel';
import { Clock } from '../../../kernel/clock';
import { DomainError } from '../../../kernel/domain-error';
import type { ApiRequest } from '../../../platform/api/api-request';
import { everything } from '../../../platform/api/scope';
import { basicCredentials } from '../../../platform/auth/basic-credentials';
import { DatabaseContext } from '../../../platform/database/database-context';
import { takeUpgrade } from '../../../platform/http/upgrade';
import { PeriodicTask } from '../../../platform/work/periodic-task';
import { Metrics } from '../../../platform/metrics/metrics';
import { BeaconReportsService, type ReportingBeacon } from '../beacon-reports.service';
import type { Beacon } from '../data/beacon.entity';
import { BeaconConnectionsRepository, type RenewedConnection } from '../data/beacon-connections.repository';
import { BeaconsRepository } from '../data/beacons.repository';
import { hashBeaconToken, isHashOf } from '../domain/beacon-token';
import { AgentConnection } from './agent-connection';
import type { AgentHello } from './agent-hello';
import { ConnectionMetrics } from './connection-metrics';

/** Where workers reach this process. */
export interface RelayAddress {
  readonly host: string;
  readonly port: number;
}

const scope = everything('a process holds the connections of the agents of all organizations');

/** Changes of a beacon take effect after this time, and a lease of 10 seconds survives three failures. */
const RENEW_MS = 2_000;
/** Each connection reports once a minute; a report is missed after five. */
const REPORT_MS = 60_000;
const HELLO_MS = 5_000;
const MAX_CONNECTIONS = 4;
const LEASE_MS = 10_000;
/** Of one beacon in a process, also without hello. */
const MAX_ACCEPTED = 8;
/** Of one message, however small they are. Agents send messages whole, but a proxy on the way may cut them. */
const MAX_FRAGMENTS = 8;
/** A constant, because the types of ws do not know `maxFragments`. */
const webSocketOptions = {
  noServer: true,
  maxPayload: MAX_MESSAGE_BYTES,
  maxFragments: MAX_FRAGMENTS,
  perMessageDeflate: false,
  handleProtocols: () => SUBPROTOCOL,
};
const GONE = 'the beacon was deleted, or the lease of the connection has ended';
const RESTARTS = 'this process of the service is stopping';

interface GreetedAgent {
  readonly beacon: ReportingBeacon;
  readonly record: Beacon;
  readonly address: string;
  /** Whose database connections it uses: the events of a socket have no tenant. */
  readonly tenant: string;
}

const upgradeRequired = (): DomainError =>
  new DomainError(
    'upgrade_required',
    `Connect with a WebSocket and the subprotocol ${SUBPROTOCOL}, as the program assay-beacon does. If you use it, a proxy on the way removes the Upgrade header, or the versions of agent and service do not match.`,
  );

const tooManyConnections = (): DomainError =>
  new DomainError('too_many_requests', 'Too many agents of this beacon are connecting. Stop some of them.', 10);

const noRelay = (): DomainError =>
  new DomainError(
    'unavailable',
    'This process does not take connections of beacons: its operator must set SECRET_KEY, and not turn RELAY_PORT off.',
    60,
  );

/** The connections of agents to this process. */
@Injectable()
export class AgentConnections {
  /** The id of this process in tickets and leases, so that another one at the same address is not mistaken for it. */
  readonly processId = randomUUID();
  private readonly logger = new Logger('beacons');
  private readonly webSockets = new WebSocketServer(webSocketOptions);
  private readonly connections = new Map<string, AgentConnection>();
  private relay: RelayAddress | undefined;
  private renewal: PeriodicTask | undefined;
  /** All connections whose socket is open or that are being registered, also those that have not said hello. */
  private readonly accepted = new Set<AgentConnection>();
  private renewed = 0;
  private readonly metrics: ConnectionMetrics;

  constructor(
    private readonly rows: BeaconConnectionsRepository,
    private readonly beacons: BeaconsRepository,
    private readonly reports: BeaconReportsService,
    private readonly clock: Clock,
    private readonly context: DatabaseContext,
    metrics: Metrics,
  ) {
    this.metrics = new ConnectionMetrics(metrics, () => [...this.connections.values()]);
  }

  /** Called when the relay listens. */
  start(relay: RelayAddress): void {
    this.relay = relay;
    this.renewal = new PeriodicTask(
      RENEW_MS,
      () => this.renew(),
      (error) => this.renewalFailed(error),
    );
  }

  async stop(): Promise<void> {
    this.relay = undefined;
    const ids = [...this.connections.keys()];
    this.connections.clear();
    for (const connection of this.accepted) connection.multiplexer.close(RESTARTS);
    await this.renewal?.stop();
    if (ids.length > 0) await this.rows.remove(ids).catch(() => {});
  }

  /** Takes over the connection of an authenticated request. */
  async accept(beacon: ReportingBeacon, request: ApiRequest): Promise<void> {
    if (this.relay === undefined) throw noRelay();
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    if (request.headers.upgrade === undefined || !offered.includes(SUBPROTOCOL)) throw upgradeRequired();
    const record = await this.beacons.find(scope, beacon.id);
    // Nothing is awaited until the connection is counted, so that many at once cannot pass the limit together.
    if ([...this.accepted].filter(({ beaconId }) => beaconId === beacon.id).length >= MAX_ACCEPTED)
      throw tooManyConnections();
    const token = basicCredentials(request)?.password ?? '';
    const upgrade = record && takeUpgrade(request);
    if (record === undefined || upgrade === undefined) throw upgradeRequired();
    const { socket, head } = upgrade;
    const agent = { beacon, record, address: request.ip ?? '', tenant: this.context.tenant };
    this.metrics.measure(socket);
    this.webSockets.handleUpgrade(request, socket, head, (webSocket: WebSocket) => {
      this.greet(agent, webSocket, hashBeaconToken(token));
    });
  }

  /** The newest connection of a beacon in this process that takes new streams. */
  newestOf(organizationId: number, beaconId: number): AgentConnection | undefined {
    return [...this.connections.values()]
      .toReversed()
      .find((one) => one.organizationId === organizationId && one.beaconId === beaconId && !one.draining.aborted);
  }

  private greet(agent: GreetedAgent, socket: WebSocket, tokenHash: Buffer): void {
    let registration = Promise.resolve();
    const connection = new AgentConnection(socket, agent.record, tokenHash, {
      onHello: (hello) => {
        clearTimeout(late);
        const register = () => this.register(connection, agent, hello);
        registration = this.context.runFor(agent.tenant, register).catch((error: unknown) => {
          this.logger.warn(`beacon ${agent.record.id}: ${String(error)}`);
          connection.multiplexer.close('the service could not register the connection');
        });
      },
      onGoodbye: () => void this.context.runFor(agent.tenant, () => this.drain(connection)),
      onError: (error) => this.logger.error(error),
    });
    this.accepted.add(connection);
    const late = setTimeout(() => connection.multiplexer.close('no hello arrived in time'), HELLO_MS);
    socket.once('close', () => {
      clearTimeout(late);
      void registration.then(() => this.accepted.delete(connection));
    });
  }

  private async register(connection: AgentConnection, agent: GreetedAgent, hello: AgentHello): Promise<void> {
    const { multiplexer, beaconId, organizationId } = connection;
    const { agentVersion, interfaces } = hello;
    const { relay, processId } = this;
    if (relay === undefined) return multiplexer.close(RESTARTS);
    const place = { processId, relayHost: relay.host, relayPort: relay.port };
    const row = { ...place, beaconId, organizationId, agentVersion, agentAddress: agent.address };
    const id = await this.rows.save(row, MAX_CONNECTIONS);
    if (id === undefined) return multiplexer.close(`${MAX_CONNECTIONS} agents of this beacon are connected already`);
    if (multiplexer.closed.aborted) return this.rows.remove([id]);
    connection.id = id;
    // Without connections nothing was renewed.
    if (this.connections.size === 0) this.renewed = performance.now();
    this.connections.set(id, connection);
    const forget = () => void this.context.runFor(agent.tenant, () => this.forget(id, connection, agent.beacon));
    multiplexer.closed.addEventListener('abort', forget, { once: true });
    connection.configure(agent.record);
    connection.reportedAt = this.clock.now().getTime();
    await this.reports.report(agent.beacon, { version: agent.record.version, interfaces, agentVersion });
    this.logger.log(`beacon ${beaconId}: agent ${agentVersion} connected from ${agent.address}`);
  }

  private async drain({ id }: AgentConnection): Promise<void> {
    if (id !== undefined) await this.rows.drain(id).catch((error: unknown) => this.logger.warn(String(error)));
  }

  private async forget(
    id: string,
    { beaconId, draining, multiplexer }: AgentConnection,
    beacon: ReportingBeacon,
  ): Promise<void> {
    this.connections.delete(id);
    this.logger.log(`beacon ${beaconId}: agent disconnected: ${(multiplexer.closed.reason as Error).message}`);
    const remove = async (): Promise<void> => {
      await this.rows.remove([id]);
      if (draining.aborted) await this.reports.stop(beacon);
    };
    await remove().catch((error: unknown) => this.logger.warn(String(error)));
  }

  /** A process that cannot renew its leases does not know what changed, so it drops the connections when the leases end. */
  private renewalFailed(error: unknown): void {
    this.logger.warn(`renewing the connections of beacons: ${String(error)}`);
    if (performance.now() - this.renewed < LEASE_MS) return;
    for (const connection of this.accepted) connection.multiplexer.close('this process lost contact with its database');
  }

  /** Applies what changed in the records of the beacons. */
  private async renew(): Promise<void> {
    const ids = [...this.connections.keys()];
    if (ids.length === 0) return;
    const renewed = await this.rows.renew(scope, this.processId, ids);
    this.renewed = performance.now();
    const present = new Map(renewed.map((one) => [one.connectionId, one]));
    for (const id of ids) {
      const connection = this.connections.get(id);
      if (connection !== undefined) await this.apply(connection, present.get(id));
    }
  }

  private async apply(connection: AgentConnection, record: RenewedConnection | undefined): Promise<void> {
    if (record === undefined) return connection.multiplexer.close(GONE);
    const now = this.clock.now();
    if (!isHashOf(record, connection.tokenHash, now))
      return connection.multiplexer.close('the token of the beacon was replaced: start the agent with the new one');
    connection.configure(record);
    if (now.getTime() - connection.reportedAt < REPORT_MS) return;
    connection.reportedAt = now.getTime();
    await this.reports.report({ id: record.id, metadata: {} }, { version: record.version, interfaces: [] });
  }
}
