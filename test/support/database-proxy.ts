import { type Server, type Socket, connect, createServer } from 'node:net';
import { freePort } from '../../src/engine/testing/real-server';

interface Link {
  /** Towards the service. */
  readonly inside: Socket;
  /** Towards the database. */
  readonly outside: Socket;
}

/** Stands between a service and PostgreSQL, to take the database away, hang it, and bring it back. */
export class DatabaseProxy {
  private readonly links = new Set<Link>();
  private server: Server | undefined;
  private port = 0;
  private isHung = false;
  private unanswered: string | undefined;

  /** The target is asked for anew at each connection: a database that was restarted may listen elsewhere. */
  constructor(private readonly target: string | (() => string)) {}

  async start(): Promise<void> {
    this.server = createServer((inside) => this.join(inside));
    // One that systems give to nobody, so that it is still there to come back to.
    if (this.port === 0) this.port = await freePort();
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
  }

  /** The URL of the database, by way of this proxy. */
  get url(): string {
    const { username, password, pathname } = this.targetUrl;
    return `postgres://${username}:${password}@127.0.0.1:${this.port}${pathname}`;
  }

  get connections(): number {
    return this.links.size;
  }

  /** Every connection breaks, and no new one is taken. */
  async takeAway(): Promise<void> {
    this.breakAll();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** Connections stay and are taken, and nothing more comes through. */
  hang(): void {
    this.isHung = true;
    for (const { inside, outside } of this.links) [inside, outside].forEach((socket) => socket.pause());
  }

  /** What says this still arrives, and takes effect; what the database answers to it, and from then on, is lost. */
  loseAnswersTo(statement: string): void {
    this.unanswered = statement;
  }

  async bringBack(): Promise<void> {
    const listens = this.isHung || this.unanswered !== undefined;
    this.isHung = false;
    this.unanswered = undefined;
    if (listens) this.breakAll();
    else await this.start();
  }

  private breakAll(): void {
    for (const { inside, outside } of this.links) [inside, outside].forEach((socket) => socket.destroy());
  }

  private join(inside: Socket): void {
    const link = { inside, outside: connect(this.destination()) };
    this.links.add(link);
    for (const socket of [inside, link.outside]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.links.delete(link);
        inside.destroy();
        link.outside.destroy();
      });
    }
    inside.pipe(link.outside).pipe(inside);
    inside.on('data', (chunk: Buffer) => {
      if (this.unanswered === undefined || !chunk.includes(this.unanswered)) return;
      link.outside.unpipe(inside).resume();
    });
    if (this.isHung) [inside, link.outside].forEach((socket) => socket.pause());
  }

  private get targetUrl(): URL {
    const target = typeof this.target === 'string' ? this.target : this.target();
    return new URL(target.replace('@/', '@localhost/'));
  }

  private destination(): { path: string } | { host: string; port: number } {
    const url = this.targetUrl;
    const folder = url.searchParams.get('host');
    const port = Number(url.port || url.searchParams.get('port') || 5432);
    return folder === null ? { host: url.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` };
  }
}
