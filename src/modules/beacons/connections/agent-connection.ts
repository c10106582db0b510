import { setMaxListeners } from 'node:events';
import type { WebSocket } from 'ws';
import type { Endpoint } from '../../../beacon-protocol/endpoint';
import { Multiplexer, type Services } from '../../../beacon-protocol/multiplexer';
import type { RelayedStream } from '../../../beacon-protocol/relayed-stream';
import { StreamFailure } from '../../../beacon-protocol/stream-failure';
import { receiveFrom, webSocketChannel } from '../../../beacon-protocol/websocket-channel';
import { canonicalIp, type Cidr } from '../../../kernel/cidr';
import { allowedBlocks } from '../domain/beacon-network';
import type { Beacon } from '../data/beacon.entity';
import { type AgentHello, agentHelloFrom } from './agent-hello';

const OUTSIDE = 'the address is outside the networks of the beacon';

/** The connection of one agent to this process. */
export class AgentConnection implements Services {
  readonly multiplexer: Multiplexer;
  /** Of its row; undefined before it is registered. */
  id: string | undefined;
  /** When it last counted as a report of its beacon, in milliseconds. */
  reportedAt = 0;
  readonly beaconId: number;
  readonly organizationId: number;
  private readonly drain = new AbortController();
  private hello: AgentHello | undefined;
  private cidrs: readonly Cidr[] = [];
  private version = 0;

  constructor(
    socket: WebSocket,
    { id, organizationId }: Beacon,
    /** Of the token that the agent came with. */
    readonly tokenHash: Buffer,
    private readonly events: {
      readonly onHello: (hello: AgentHello) => void;
      readonly onGoodbye: () => void;
      readonly onError: (error: unknown) => void;
    },
  ) {
    this.beaconId = id;
    this.organizationId = organizationId;
    // Each link has a listener.
    setMaxListeners(0, this.draining);
    this.multiplexer = new Multiplexer(webSocketChannel(socket), {
      onControl: (message) => this.hear(message),
      onError: events.onError,
    });
    receiveFrom(socket, this.multiplexer);
  }

  /** Of the agent; empty before its first message. */
  get agentVersion(): string {
    return this.hello?.agentVersion ?? '';
  }

  /** Aborted when the agent is stopping: its streams continue, and new ones should use another connection. */
  get draining(): AbortSignal {
    return this.drain.signal;
  }

  /** Sends the networks to the agent if they changed, and ends the streams that are outside of the new ones. */
  configure({ allowedCidrs, dnsServer, version }: Pick<Beacon, 'allowedCidrs' | 'dnsServer' | 'version'>): void {
    if (version === this.version) return;
    this.version = version;
    this.cidrs = allowedBlocks(allowedCidrs);
    const message = { type: 'config', allowed_cidrs: allowedCidrs, dns_server: dnsServer, version };
    void this.multiplexer.sendControl(message).catch(() => {});
    this.multiplexer.resetStreams('the networks of the beacon changed', ({ endpoint }) => !this.contains(endpoint));
  }

  async connect(endpoint: Endpoint, signal: AbortSignal): Promise<RelayedStream> {
    if (!this.contains(endpoint)) throw new StreamFailure('egress', OUTSIDE);
    return this.multiplexer.open(endpoint, signal);
  }

  /** An agent may lie about addresses: `connect` accepts only those inside its networks. Other texts could not be stored. */
  async resolve(host: string, signal: AbortSignal): Promise<string[]> {
    const given = await this.multiplexer.resolve(host, signal);
    const addresses = given.filter((one) => canonicalIp(one) !== null);
    if (addresses.length > 0) return addresses;
    throw new StreamFailure('unresolved', `${host} has no address: the agent returned none`);
  }

  private contains({ address }: Endpoint): boolean {
    const canonical = canonicalIp(address);
    return canonical !== null && this.cidrs.some((cidr) => cidr.contains(canonical));
  }

  private hear(message: Readonly<Record<string, unknown>>): void {
    if (this.hello === undefined) {
      this.hello = agentHelloFrom(message);
      this.events.onHello(this.hello);
      return;
    }
    // Messages of newer agents are ignored, and repeated ones have no effect.
    if (message['type'] !== 'goodbye' || this.draining.aborted) return;
    this.drain.abort();
    this.events.onGoodbye();
  }
}
