import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { Injectable, Logger } from '@nestjs/common';
import { Multiplexer } from '../../../beacon-protocol/multiplexer';
import { receiveFromSocket, socketChannel } from '../../../beacon-protocol/socket-channel';
import { Clock } from '../../../kernel/clock';
import { parseTraceContext } from '../../../kernel/trace-context';
import { Config } from '../../../platform/config/load-config';
import { findSecretKey } from '../../../platform/config/secret-key';
import { Tracer } from '../../../platform/tracing/tracer';
import type { AgentConnection } from './agent-connection';
import { AgentConnections } from './agent-connections';
import { PendingHandshakes } from './pending-handshakes';
import { RELAY_TLS, relayKey } from './relay-secret';
import { TicketReader, type TicketSubject } from './relay-ticket';

const TICKET_MS = 5_000;
const HANDSHAKE_MS = 5_000;
/** The most connections that have not shown the key. A worker has one for each running test, and all may reconnect at once. */
const MAX_PENDING = 1_024;
const MAX_PENDING_OF_ADDRESS = 256;
const LOG_INTERVAL_MS = 60_000;

/**
 * The listener for workers: each link carries the streams of one piece of work to the agent of a beacon that is connected to
 * this process. TLS uses a key that only processes of this service know, and a link starts with a ticket.
 */
@Injectable()
export class Relay {
  private readonly logger = new Logger('relay');
  private readonly links = new Set<Multiplexer>();
  private readonly pending = new PendingHandshakes(MAX_PENDING, MAX_PENDING_OF_ADDRESS);
  private server: Server | undefined;
  private nextLog = 0;

  constructor(
    private readonly config: Config,
    private readonly agents: AgentConnections,
    private readonly clock: Clock,
    private readonly tracer: Tracer,
  ) {}

  /** Without a secret key, or if the relay is off, this process refuses agents and gives them the reason. */
  async start(): Promise<void> {
    const { RELAY_PORT: port, RELAY_ADVERTISE: advertised, HOST } = this.config;
    const secret = findSecretKey(this.config);
    if (port === 'off' || secret === undefined) return;
    const tickets = new TicketReader(relayKey(secret, 'ticket'), this.agents.processId);
    const psk = relayKey(secret, 'tls');
    const server = createServer({ ...RELAY_TLS, handshakeTimeout: HANDSHAKE_MS, pskCallback: () => psk }, (socket) =>
      this.greet(socket, tickets),
    );
    server.on('error', (error) => this.logger.error(error));
    server.prependListener('connection', (socket: Socket) => this.limit(socket));
    server.on('secureConnection', (socket) => this.pending.remove(socket));
    server.on('tlsClientError', (error, socket) => {
      this.logRefusal(socket, error.message);
      // After a timeout it would stay open.
      socket.destroy();
    });
    // Without an advertised address only workers of this machine can reach it.
    server.listen(port, advertised === undefined ? '127.0.0.1' : HOST);
    await once(server, 'listening');
    this.server = server;
    const bound = (server.address() as AddressInfo).port;
    this.agents.start({ host: advertised?.host ?? '127.0.0.1', port: advertised?.port ?? bound });
  }

  async stop(): Promise<void> {
    await this.agents.stop();
    for (const link of this.links) link.close('this process of the service is stopping');
    this.server?.close();
  }

  /** A connection that has not ended its handshake costs a file descriptor, and needs no key. */
  private limit(socket: Socket): void {
    const refusal = this.pending.add(socket);
    if (refusal === null) {
      const { remoteAddress, remotePort } = socket;
      socket.once('close', () => this.pending.remove({ remoteAddress, remotePort }));
      return;
    }
    this.logRefusal(socket, refusal);
    socket.resetAndDestroy();
  }

  /** One line a minute, so that a flood does not fill the log. The worker that is refused knows the reason, too. */
  private logRefusal({ remoteAddress }: Socket, reason: string): void {
    if (performance.now() < this.nextLog) return;
    this.nextLog = performance.now() + LOG_INTERVAL_MS;
    this.logger.warn(`refused a connection from ${remoteAddress}: ${reason}`);
  }

  private greet(socket: TLSSocket, tickets: TicketReader): void {
    let agent: AgentConnection | undefined;
    const link = new Multiplexer(socketChannel(socket), {
      onControl: (message) => {
        clearTimeout(late);
        if (agent !== undefined) return;
        agent = this.agentFor(message, tickets, link);
      },
      onError: (error) => this.logger.error(error),
      services: {
        connect: (endpoint, signal) => this.required(agent).connect(endpoint, signal),
        resolve: (host, signal) => this.required(agent).resolve(host, signal),
      },
    });
    const late = setTimeout(() => link.close('no ticket arrived in time'), TICKET_MS);
    this.links.add(link);
    link.closed.addEventListener('abort', () => {
      clearTimeout(late);
      this.links.delete(link);
    });
    receiveFromSocket(socket, link);
  }

  /** Undefined where the ticket is refused, which closes the link. */
  private agentFor(
    { ticket }: Readonly<Record<string, unknown>>,
    tickets: TicketReader,
    link: Multiplexer,
  ): AgentConnection | undefined {
    const subject = typeof ticket === 'string' ? tickets.read(ticket, this.clock.now()) : 'there is no ticket';
    const agent =
      typeof subject === 'string' ? subject : this.agents.newestOf(subject.organizationId, subject.beaconId);
    if (agent === undefined || typeof agent === 'string') {
      const reason = agent ?? 'no agent of the beacon is connected to this process';
      this.logger.warn(`refused a link: ${reason}`);
      void link
        .sendControl({ type: 'refused', reason })
        .catch(() => {})
        .finally(() => link.close(reason));
      return undefined;
    }
    if (typeof subject !== 'string') this.trace(subject, link);
    const { closed } = agent.multiplexer;
    closed.addEventListener('abort', () => link.close((closed.reason as Error).message), {
      once: true,
      signal: link.closed,
    });
    agent.draining.addEventListener('abort', () => void link.sendControl({ type: 'draining' }).catch(() => {}), {
      once: true,
      signal: link.closed,
    });
    void link.sendControl({ type: 'ready', agent_version: agent.agentVersion }).catch(() => {});
    return agent;
  }

  /** As long as the link is open. */
  private trace({ traceparent, beaconId, organizationId, attempt }: TicketSubject, link: Multiplexer): void {
    const work = parseTraceContext(traceparent);
    if (!this.tracer.observes(work)) return;
    const span = this.tracer.start('server', work);
    const attributes = {
      'assay.beacon_id': beaconId,
      'assay.organization_id': organizationId,
      'assay.work.attempt': attempt,
    };
    link.closed.addEventListener('abort', () => span.end({ name: 'relay link', attributes }), { once: true });
  }

  private required(agent: AgentConnection | undefined): AgentConnection {
    if (agent === undefined) throw new Error('a link without a ticket asked for a connection');
    return agent;
  }
}
