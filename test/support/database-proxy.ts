import { type Server, type Socket, connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Stands between a service and PostgreSQL, to take the database away, hang it, and bring it back. */
export class DatabaseProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;
  private isHung = false;

  constructor(private readonly target: string) {}

  async start(): Promise<void> {
    this.server = createServer((inside) => this.join(inside));
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** The URL of the database, by way of this proxy. */
  get url(): string {
    const { username, password, pathname } = new URL(this.target.replace('@/', '@localhost/'));
    return `postgres://${username}:${password}@127.0.0.1:${this.port}${pathname}`;
  }

  /** Every connection breaks, and no new one is taken. */
  async takeAway(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** Connections stay and are taken, and nothing more comes through. */
  hang(): void {
    this.isHung = true;
    for (const socket of this.sockets) socket.pause();
  }

  async bringBack(): Promise<void> {
    if (this.isHung) {
      this.isHung = false;
      for (const socket of this.sockets) socket.destroy();
      return;
    }
    await this.start();
  }

  private join(inside: Socket): void {
    const outside = connect(this.destination());
    for (const socket of [inside, outside]) {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        inside.destroy();
        outside.destroy();
      });
    }
    inside.pipe(outside).pipe(inside);
    if (this.isHung) {
      inside.pause();
      outside.pause();
    }
  }

  private destination(): { path: string } | { host: string; port: number } {
    const url = new URL(this.target.replace('@/', '@localhost/'));
    const folder = url.searchParams.get('host');
    const port = Number(url.port || url.searchParams.get('port') || 5432);
    return folder === null ? { host: url.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` };
  }
}
