import { type Server, type Socket, connect, createServer } from 'node:net';
import { freePort } from '../../src/engine/testing/real-server';

interface Link {
  /** The connection of the service. */
  readonly client: Socket;
  /** The connection to the database. */
  readonly database: Socket;
}

/** A TCP proxy between the service and PostgreSQL that can disconnect, hang and restore the database. */
export class DatabaseProxy {
  private readonly links = new Set<Link>();
  private server: Server | undefined;
  private port = 0;
  private isHung = false;
  private droppedStatement: string | undefined;

  /** The target is evaluated for each connection, because a restarted database may listen on another port. */
  constructor(private readonly target: string | (() => string)) {}

  async start(): Promise<void> {
    this.server = createServer((client) => this.forward(client));
    // Outside the ephemeral range, so that no other process takes it while the proxy is stopped.
    if (this.port === 0) this.port = await freePort();
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
  }

  /** The URL of the database through this proxy. */
  get url(): string {
    const { username, password, pathname } = this.targetUrl;
    return `postgres://${username}:${password}@127.0.0.1:${this.port}${pathname}`;
  }

  get connections(): number {
    return this.links.size;
  }

  /** Breaks every connection and refuses new ones. */
  async disconnect(): Promise<void> {
    this.destroyConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** Keeps connections open and accepts new ones, but forwards no data. */
  hang(): void {
    this.isHung = true;
    for (const { client, database } of this.links) [client, database].forEach((socket) => socket.pause());
  }

  /** Forwards this statement, but drops the answer to it and all later answers on the connection. */
  dropAnswersTo(statement: string): void {
    this.droppedStatement = statement;
  }

  async restore(): Promise<void> {
    const isListening = this.isHung || this.droppedStatement !== undefined;
    this.isHung = false;
    this.droppedStatement = undefined;
    if (isListening) this.destroyConnections();
    else await this.start();
  }

  private destroyConnections(): void {
    for (const { client, database } of this.links) [client, database].forEach((socket) => socket.destroy());
  }

  private forward(client: Socket): void {
    const database = connect(this.destination());
    const link = { client, database };
    this.links.add(link);
    for (const socket of [client, database]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.links.delete(link);
        client.destroy();
        database.destroy();
      });
    }
    client.pipe(database).pipe(client);
    client.on('data', (chunk: Buffer) => {
      if (this.droppedStatement === undefined || !chunk.includes(this.droppedStatement)) return;
      database.unpipe(client).resume();
    });
    if (this.isHung) [client, database].forEach((socket) => socket.pause());
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
