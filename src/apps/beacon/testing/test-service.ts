import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { Multiplexer } from '../../../beacon-protocol/multiplexer';
import {
  MAX_MESSAGE_BYTES,
  receiveFrom,
  SUBPROTOCOL,
  webSocketChannel,
} from '../../../beacon-protocol/websocket-channel';
import type { TestCertificate } from '../../../engine/testing/certificate';
import { closeAfterTest } from './resources';

/** One agent that is connected. */
export interface TestConnection {
  readonly socket: WebSocket;
  readonly multiplexer: Multiplexer;
  /** The messages of the agent, in their order. */
  readonly controls: Readonly<Record<string, unknown>>[];
}

export interface TestServiceOptions {
  readonly certificate?: TestCertificate;
  /** Sent to each agent that connects; null for nothing. */
  readonly config?: object | null;
  /** Answers in place of the upgrade. */
  readonly refuse?: (request: IncomingMessage, socket: Duplex) => boolean;
  readonly subprotocol?: string | false;
  /** Neither pings nor answers pings. */
  readonly isSilent?: boolean;
}

export const TEST_CONFIG = { type: 'config', allowed_cidrs: ['10.20.0.0/16'], dns_server: null, version: 1 };

/** Answers an upgrade with an error body, as the API does. */
export function refuseWith(socket: Duplex, status: number, description: string, headers = ''): true {
  const body = JSON.stringify({ code: status, name: null, description, success: false });
  socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`);
  return true;
}

/** The side of the service, as far as an agent notices it. */
export class TestService {
  readonly connections: TestConnection[] = [];
  readonly requests: IncomingMessage[] = [];
  private readonly sockets = new Set<Duplex>();
  private readonly waiting: ((connection: TestConnection) => void)[] = [];

  private constructor(
    private readonly server: Server,
    private readonly options: TestServiceOptions,
  ) {
    const { subprotocol = SUBPROTOCOL, isSilent = false } = options;
    const webSockets = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_MESSAGE_BYTES,
      handleProtocols: () => subprotocol,
      autoPong: !isSilent,
    });
    server.on('connection', (socket: Duplex) => this.sockets.add(socket));
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => {});
      this.requests.push(request);
      if (options.refuse?.(request, socket)) return;
      webSockets.handleUpgrade(request, socket, head, (webSocket) => this.accept(webSocket));
    });
  }

  static async start(options: TestServiceOptions = {}, port = 0): Promise<TestService> {
    const none: RequestListener = (_request, response) => response.writeHead(404).end();
    const { certificate } = options;
    const server = certificate === undefined ? createServer(none) : createTlsServer(certificate, none);
    const service = new TestService(server, options);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    closeAfterTest(() => service.kill());
    return service;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): URL {
    return new URL(`${this.options.certificate === undefined ? 'http' : 'https'}://127.0.0.1:${this.port}`);
  }

  /** The next agent that connects. */
  next(): Promise<TestConnection> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** As if the process had died. */
  async kill(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private accept(socket: WebSocket): void {
    const controls: Readonly<Record<string, unknown>>[] = [];
    const multiplexer = new Multiplexer(webSocketChannel(socket), { onControl: (message) => controls.push(message) });
    const connection = { socket, multiplexer, controls };
    if (this.options.isSilent) socket.on('error', () => {});
    else receiveFrom(socket, multiplexer);
    const { config = TEST_CONFIG } = this.options;
    if (config !== null) void multiplexer.sendControl(config).catch(() => {});
    this.connections.push(connection);
    this.waiting.shift()?.(connection);
  }
}
