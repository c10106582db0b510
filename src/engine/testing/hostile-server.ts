import { createServer, type Server, type Socket } from 'node:net';
import { parseEndpoint } from '../transport/endpoint';
import { ExchangeFailed } from '../transport/exchange';
import { Transport, type TransportOptions } from '../transport/transport';

/** A server that applies a given behavior to every connection, and records what it receives. */
export class HostileServer {
  connections = 0;
  readonly heard: string[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly behave: (socket: Socket) => void = () => {}) {
    this.server = createServer((socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (data) => this.heard.push(data.toString()));
      this.behave(socket);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return this;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }
}

/** Answers after the request has arrived. */
export const once =
  (answer: string | Buffer): ((socket: Socket) => void) =>
  (socket) =>
    socket.once('data', () => socket.end(answer));

/** Sends without end after the request has arrived. */
export const flood = (head: string, piece: string | Buffer) => (socket: Socket) => {
  socket.once('data', () => {
    socket.write(head);
    const fill = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', fill);
    fill();
  });
};

/** A transport with small limits that may connect to this port on loopback by default. */
export const transportTo = (port: number, options: Partial<TransportOptions> = {}): Transport =>
  new Transport({
    userAgent: 'engine-spec (security@example.test)',
    egressAllow: [parseEndpoint(`127.0.0.1:${port}`)],
    ...options,
    limits: { exchangeMs: 20_000, bytes: 100_000, perSecond: 1_000, concurrency: 8, ...options.limits },
  });

/** A short time limit for servers that must exceed it, and a long one for those that a busy machine slows down. */
export const timeLimitFor = (code: string): Partial<TransportOptions> =>
  code === 'timeout' ? { limits: { exchangeMs: 400 } } : {};

/** The failure that an exchange is expected to end with. */
export async function failureOf(exchange: Promise<unknown>): Promise<ExchangeFailed> {
  const error: unknown = await exchange.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ExchangeFailed) return error;
  throw error ?? new Error('The exchange succeeded, but a failure was expected.');
}
