import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Server as NetServer, type Socket } from 'node:net';

/** How long a process that stops still accepts connections, while `/healthz` is 503: longer than health checks take to notice. */
export const HEALTH_NOTICE_MS = 3_000;
/** How long idle connections of gateways stay open after that: longer than nginx, which has no health checks, keeps them. */
export const IDLE_NOTICE_MS = 4_000;
/** In a turn of the event loop that is shorter, hardly any connection can arrive. A busy process may not have one. */
const SHORT_TURN_MS = 1;
const MAX_TURNS = 100;

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
    private readonly server: Server,
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

  /**
   * Refuses new connections, which gateways then send to another process. Those that wait in the queue of the system would be
   * reset, with the requests on them. A turn of the event loop takes them, so this stops right after a short one. `close()` of an
   * HTTP server would also close idle connections.
   */
  async stopListening(): Promise<void> {
    // The current turn may be past the point where connections are accepted.
    await nextTurn();
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const began = performance.now();
      await nextTurn();
      if (performance.now() - began < SHORT_TURN_MS) break;
    }
    NetServer.prototype.close.call(this.server);
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
