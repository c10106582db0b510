import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/1\.[01]\r\n/;

/** A port that nothing listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Passes every byte on, so that the engine sees the application itself, and counts the requests. */
export class CountingProxy {
  requests = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async before(target: number): Promise<CountingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new CountingProxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => proxy.pass(client, connect(target, '127.0.0.1')));
    return proxy;
  }

  private pass(client: Socket, application: Socket): void {
    client.on('data', (data) => {
      if (REQUEST_LINE.test(data.toString('latin1'))) this.requests += 1;
    });
    for (const [one, other] of [
      [client, application],
      [application, client],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => this.sockets.delete(one));
      one.pipe(other);
    }
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
