import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes idle connections at shutdown, and closes the others after their current response. Node.js itself would wait for
 * connections that have not sent a request.
 */
export class ConnectionDrain {
  private readonly sockets = new Set<Socket>();
  /** The last response of each connection. With pipelining a connection has several, which are sent in order. */
  private readonly lastResponses = new Map<Socket, ServerResponse>();
  private isDraining = false;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response) => {
      this.lastResponses.set(socket, response);
      response.once('close', () => this.responseClosed(socket, response));
    });
  }

  begin(): void {
    this.isDraining = true;
    for (const socket of this.sockets) {
      const response = this.lastResponses.get(socket);
      if (response === undefined) socket.destroy();
      else response.shouldKeepAlive = false;
    }
  }

  /** A response whose headers were sent before the drain began lacks `Connection: close`. */
  private responseClosed(socket: Socket, response: ServerResponse): void {
    if (this.lastResponses.get(socket) !== response) return;
    this.lastResponses.delete(socket);
    if (this.isDraining) socket.destroySoon();
  }
}
