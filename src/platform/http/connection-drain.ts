import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Knows which connections are in the middle of a request, so that a server that stops can end all others at once, and
 * tell those few that the answer under way is their last. Node by itself keeps a connection that never asked for anything.
 */
export class ConnectionDrain {
  private readonly sockets = new Set<Socket>();
  private readonly answering = new Map<Socket, ServerResponse>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response) => {
      this.answering.set(socket, response);
      response.once('close', () => this.answering.delete(socket));
    });
  }

  begin(): void {
    for (const socket of this.sockets) {
      const response = this.answering.get(socket);
      if (response === undefined) socket.destroy();
      else response.shouldKeepAlive = false;
    }
  }
}
