import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Knows which connections are in the middle of a request, so that a server that stops can end all others at once, and
 * tell those few that the answer under way is their last. Node by itself keeps a connection that never asked for anything.
 */
export class ConnectionDrain {
  private readonly sockets = new Set<Socket>();
  /** The last of each connection: one that asks again before it was answered has several under way, which go in order. */
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

  /** An answer whose head was written before the end began has told nobody that it is the last. */
  private responseClosed(socket: Socket, response: ServerResponse): void {
    if (this.lastResponses.get(socket) !== response) return;
    this.lastResponses.delete(socket);
    if (this.isDraining) socket.destroySoon();
  }
}
