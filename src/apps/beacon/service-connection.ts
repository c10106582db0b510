import { getServers } from 'node:dns';
import { networkInterfaces } from 'node:os';
import type { WebSocket } from 'ws';
import type { Channel } from '../../beacon-protocol/channel';
import { ProtocolError } from '../../beacon-protocol/frame';
import type { Endpoint } from '../../beacon-protocol/endpoint';
import { InboundLimits } from '../../beacon-protocol/inbound-limits';
import { Multiplexer } from '../../beacon-protocol/multiplexer';
import { printable, StreamFailure } from '../../beacon-protocol/stream-failure';
import { POLICY_VIOLATION, receiveFrom, webSocketChannel } from '../../beacon-protocol/websocket-channel';
import { canonicalIp, Cidr } from '../../kernel/cidr';
import { packageVersion } from '../../kernel/package-version';
import type { Activity } from './activity';
import type { AgentLog } from './agent-log';
import { AllowedNetworks } from './allowed-networks';
import { resolveName } from './resolve-name';
import type { TargetConnections } from './target-connections';

export interface ServiceConnectionOptions {
  readonly log: AgentLog;
  readonly activity: Activity;
  readonly targets: TargetConnections;
  /** The local limit of the owner of this machine. */
  readonly allow: readonly Cidr[] | undefined;
  /** The addresses of the service and of the proxy. */
  readonly service: readonly Endpoint[];
  /** How a name server is asked, by its address; null means those of the machine. */
  readonly nameServers?: (dnsServer: string | null) => readonly string[];
}

/** How a connection ended: whether a setting must be changed before the next one can succeed. */
export interface ConnectionEnd {
  readonly reason: string;
  readonly isRefusal: boolean;
  /** Whether the service sent the networks, so that the connection was of use. */
  readonly wasConfigured: boolean;
}

interface Configuration {
  readonly networks: AllowedNetworks;
  readonly dnsServer: string | null;
}

/** How long the service may take to send the networks. */
const CONFIG_MS = 10_000;
const GOODBYE_MS = 2_000;
const CLOSE_MS = 2_000;
/** How often a connection that is to be closed looks whether something is still running. */
const DRAIN_POLL_MS = 50;
const MAX_INTERFACES = 64;
const MAX_CIDRS = 1_000;
const NORMAL_CLOSURE = 1000;
const GOODBYE_PING = 'goodbye';

const askDirectly = (dnsServer: string | null): readonly string[] => (dnsServer === null ? [] : [dnsServer]);

/** One WebSocket to the service, paused until now, over which the service opens connections to targets and resolves names. */
export class ServiceConnection {
  private readonly multiplexer: Multiplexer;
  private readonly configTimer: NodeJS.Timeout;
  private configuration: Configuration | undefined;
  private isRefusal = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly options: ServiceConnectionOptions,
  ) {
    this.multiplexer = new Multiplexer(this.channel(), {
      services: {
        connect: (endpoint, signal) => options.targets.connect(endpoint, () => this.configuration?.networks, signal),
        resolve: (host, signal) => this.resolve(host, signal),
      },
      onControl: (message) => this.control(message),
      limits: new InboundLimits({ areMessagesLimited: false }),
    });
    // Before the listener of the multiplexer, which ends it.
    socket.on('close', (code: number) => (this.isRefusal ||= code === POLICY_VIOLATION));
    receiveFrom(socket, this.multiplexer);
    socket.resume();
    this.configTimer = setTimeout(
      () => this.giveUp(`the service sent no networks within ${CONFIG_MS / 1_000} seconds`),
      CONFIG_MS,
    );
    const interfaces = Object.keys(networkInterfaces()).slice(0, MAX_INTERFACES);
    this.tell({ type: 'hello', agent_version: packageVersion, interfaces });
  }

  /** Resolves when the connection is gone, for whatever reason. */
  async ended(): Promise<ConnectionEnd> {
    const { closed } = this.multiplexer;
    if (!closed.aborted) await new Promise((resolve) => closed.addEventListener('abort', resolve, { once: true }));
    clearTimeout(this.configTimer);
    const { message } = closed.reason as Error;
    return { reason: message, isRefusal: this.isRefusal, wasConfigured: this.configuration !== undefined };
  }

  /** Takes no new work, waits for what is running, and closes the connection. Returns what was still running. */
  async drain(waitMs: number): Promise<number> {
    const end = performance.now() + waitMs;
    this.tell({ type: 'goodbye' });
    await this.answeredGoodbye();
    while (this.multiplexer.streamCount > 0 && performance.now() < end && !this.multiplexer.closed.aborted) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
    }
    const left = this.multiplexer.streamCount;
    await this.close();
    return left;
  }

  /** Ends the connection at once. */
  giveUp(reason: string): void {
    this.multiplexer.end(reason);
    this.socket.terminate();
  }

  /** The service has read the goodbye when it answers this ping: what it asked for before that has arrived here. */
  private async answeredGoodbye(): Promise<void> {
    const { closed } = this.multiplexer;
    if (closed.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GOODBYE_MS);
      closed.addEventListener('abort', () => resolve(), { once: true });
      this.socket.on('pong', (data: Buffer) => {
        if (data.toString() !== GOODBYE_PING) return;
        clearTimeout(timer);
        resolve();
      });
      this.socket.ping(GOODBYE_PING, undefined, () => {});
    });
  }

  private async close(): Promise<void> {
    if (this.socket.readyState === this.socket.CLOSED) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.socket.terminate(), CLOSE_MS);
      this.socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      this.socket.close(NORMAL_CLOSURE, 'the agent stops');
    });
  }

  /** A service that does not follow the protocol is another version: it does not help to come back soon. */
  private channel(): Channel {
    const channel = webSocketChannel(this.socket);
    return {
      send: (frame) => channel.send(frame),
      close: (reason) => {
        this.isRefusal = true;
        channel.close(reason);
      },
    };
  }

  private tell(message: object): void {
    // When the connection fails, the multiplexer is notified.
    void this.multiplexer.sendControl(message).catch(() => {});
  }

  /** Messages of later versions that this one does not know are ignored. */
  private control(message: Readonly<Record<string, unknown>>): void {
    if (message['type'] === 'config') this.configure(message);
  }

  private configure(message: Readonly<Record<string, unknown>>): void {
    const { log, targets, allow, service } = this.options;
    const configured = networksIn(message);
    const dnsServer = dnsServerIn(message);
    clearTimeout(this.configTimer);
    const networks = new AllowedNetworks({ configured, local: allow, service });
    this.configuration = { networks, dnsServer };
    targets.closeForbidden(networks);
    const blocks = configured.map(String);
    log.info('configured', `The networks of the beacon are ${blocks.join(', ') || 'empty'}.`, {
      allowed_cidrs: blocks,
      dns_server: dnsServer,
      version: versionIn(message),
      local_limit: allow?.map(String),
    });
    this.warnAbout(configured, networks, dnsServer);
  }

  private warnAbout(configured: readonly Cidr[], networks: AllowedNetworks, dnsServer: string | null): void {
    const { log, allow } = this.options;
    if (allow !== undefined && !configured.some((block) => allow.some((other) => other.overlaps(block))))
      log.warn('warning', 'The local limit (--allow) includes no network of the beacon: no connection is possible.');
    const refusal = dnsServer === null ? null : networks.nameServerRefusal(dnsServer, getServers());
    if (refusal !== null) log.warn('warning', `Names are not resolved: the name server ${dnsServer} ${refusal}.`);
  }

  private async resolve(host: string, signal: AbortSignal): Promise<string[]> {
    const { activity, nameServers = askDirectly } = this.options;
    if (this.configuration === undefined)
      throw new StreamFailure('unresolved', 'the agent has not received its networks yet');
    const { networks, dnsServer } = this.configuration;
    const refusal = dnsServer === null ? null : networks.nameServerRefusal(dnsServer, getServers());
    if (refusal !== null) throw new StreamFailure('unresolved', `the name server of the beacon ${refusal}`);
    activity.add('resolved');
    return resolveName(host, nameServers(dnsServer), signal);
  }
}

function networksIn({ allowed_cidrs: blocks }: Readonly<Record<string, unknown>>): Cidr[] {
  if (!Array.isArray(blocks) || blocks.length > MAX_CIDRS || blocks.some((block) => typeof block !== 'string'))
    throw new ProtocolError('allowed_cidrs is not a list of networks');
  try {
    return (blocks as string[]).map((block) => Cidr.parse(block, 'allowed_cidrs'));
  } catch (error) {
    throw new ProtocolError(printable((error as Error).message));
  }
}

function dnsServerIn({ dns_server: address }: Readonly<Record<string, unknown>>): string | null {
  if (address === undefined || address === null) return null;
  const canonical = typeof address === 'string' ? canonicalIp(address) : null;
  if (canonical === null) throw new ProtocolError('dns_server is not an IP address');
  return canonical;
}

const versionIn = ({ version }: Readonly<Record<string, unknown>>): number | undefined =>
  typeof version === 'number' ? version : undefined;
