import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import type { Endpoint } from '../../src/beacon-protocol/endpoint';
import { InboundLimits } from '../../src/beacon-protocol/inbound-limits';
import { Multiplexer, type Services } from '../../src/beacon-protocol/multiplexer';
import { StreamFailure } from '../../src/beacon-protocol/stream-failure';
import { receiveFrom, SUBPROTOCOL, webSocketChannel } from '../../src/beacon-protocol/websocket-channel';
import { eventually } from './eventually';

type Message = Readonly<Record<string, unknown>>;

export interface TestAgent {
  readonly multiplexer: Multiplexer;
  readonly socket: WebSocket;
  /** The configurations that it got. */
  readonly configurations: readonly Message[];
  /** The endpoints that it was asked to connect to. */
  readonly asked: readonly Endpoint[];
  goodbye(): Promise<void>;
}

export interface AgentOptions {
  /** Where each address of the private network really is: a port of this machine. */
  readonly ports?: Readonly<Record<string, number>>;
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly services?: Services;
  readonly version?: string;
}

const open: TestAgent[] = [];

afterEach(() => {
  for (const { socket } of open.splice(0)) socket.terminate();
});

export interface AgentCredentials {
  readonly id: number;
  readonly token: string;
}

export const agentSocket = (port: number, { id, token }: AgentCredentials, protocol = SUBPROTOCOL): WebSocket =>
  new WebSocket(`ws://127.0.0.1:${port}/v1/beacons/connect`, protocol, {
    headers: { authorization: `Basic ${Buffer.from(`${id}:${token}`).toString('base64')}` },
  });

/** An agent in this process that speaks the protocol, without the checks of the real one; it is connected and configured. */
export async function connectAgent(
  port: number,
  credentials: AgentCredentials,
  { ports = {}, names = {}, services, version = '1.2.3' }: AgentOptions = {},
): Promise<TestAgent> {
  const socket = agentSocket(port, credentials);
  await once(socket, 'open');
  const configurations: Message[] = [];
  const asked: Endpoint[] = [];
  const mapped: Services = {
    connect: (endpoint) => {
      asked.push(endpoint);
      const local = ports[`${endpoint.address}:${endpoint.port}`];
      if (local === undefined) return Promise.reject(new StreamFailure('refused', 'the connection was refused'));
      return new Promise((resolve, reject) => {
        const target = connect({ host: '127.0.0.1', port: local, allowHalfOpen: true });
        target.once('connect', () => resolve(target));
        target.once('error', reject);
      });
    },
    resolve: (host) => {
      const known = names[host];
      return known === undefined
        ? Promise.reject(new StreamFailure('unresolved', `${host} has no address: it does not exist`))
        : Promise.resolve([...known]);
    },
  };
  const multiplexer = new Multiplexer(webSocketChannel(socket), {
    services: services ?? mapped,
    onControl: (message) => void configurations.push(message),
    limits: new InboundLimits({ areMessagesLimited: false }),
  });
  receiveFrom(socket, multiplexer);
  const agent: TestAgent = {
    multiplexer,
    socket,
    configurations,
    asked,
    goodbye: () => multiplexer.sendControl({ type: 'goodbye' }),
  };
  open.push(agent);
  await multiplexer.sendControl({ type: 'hello', agent_version: version, interfaces: ['eth0'] });
  await eventually(async () => {
    if (configurations.length === 0 && !multiplexer.closed.aborted) throw new Error('no configuration came');
  });
  multiplexer.closed.throwIfAborted();
  return agent;
}
