import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How long gateways may still send requests after the shutdown has begun, while `/healthz` is 503. Longer than the interval of their
 * health checks, and than the time for which nginx, which has none, keeps idle connections (deploy/gateways).
 */
export const GATEWAY_NOTICE_MS = 5_000;

/**
 * Closes connections at shutdown: idle ones at once, the others after their current response. Node.js itself would wait for
 * connections that have not sent a request. Those of gateways stay open, since a request may be on its way on each of them, and
 * a gateway that does not know whether it was processed must not repeat it.
 */
export class ConnectionDrain {
  private readonly sockets = new Set<Socket>();
  /** The last response of each connection. With pipelining a connection has several, which are sent in order. */
  private readonly lastResponses = new Map<Socket, ServerResponse>();
  private isDraining = false;

  constructor(
    server: Server,
    private readonly isGateway: (address: string) => boolean = () => false,
  ) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response) => {
      if (this.isDraining) response.shouldKeepAlive = false;
      this.lastResponses.set(socket, response);
      response.once('close', () => this.responseClosed(socket, response));
    });
  }

  begin(): void {
    this.isDraining = true;
    for (const response of this.lastResponses.values()) response.shouldKeepAlive = false;
    this.closeIdle((socket) => !this.isGateway(socket.remoteAddress ?? ''));
  }

  /** When the gateways have had time to notice. */
  closeIdle(isChosen: (socket: Socket) => boolean = () => true): void {
    for (const socket of this.sockets) if (!this.lastResponses.has(socket) && isChosen(socket)) socket.destroy();
  }

  /** A response whose headers were sent before the drain began lacks `Connection: close`. */
  private responseClosed(socket: Socket, response: ServerResponse): void {
    if (this.lastResponses.get(socket) !== response) return;
    this.lastResponses.delete(socket);
    if (this.isDraining) socket.destroySoon();
  }
}
