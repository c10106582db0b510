import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createServer as createTls, type Server, type TlsOptions } from 'node:tls';

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

/** A web server as data: its responses by path. */
export interface Site {
  /** By path without query; a string is the body of a page. `/` and an error page for missing paths always exist. */
  readonly pages?: Readonly<Record<string, Reply | string>>;
  /** Added to every response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called before the pages are searched. */
  readonly answer?: (request: IncomingMessage) => Reply | null;
  /** The TLS options on the same port; by default a certificate that covers the target. */
  readonly tls?: TlsOptions;
}

/** Answers instead of the site, or returns false. `line` is the TCP socket, below TLS if there is any. */
export type Disturbance = (request: IncomingMessage, response: ServerResponse, line: Socket) => boolean;

/** A service on plain TCP: handles a connection. */
export type Service = (socket: Socket) => void;

export const HOME = `<!doctype html><html><head><title>The target</title></head><body class="home">
<h1 id="welcome">Welcome to the target</h1><p>This page stands for whatever a customer has on the web.</p>
<ul class="menu"><li>Products</li><li>Prices</li><li>Contact and imprint</li></ul></body></html>`;

/** The response of a target for a missing path. */
export const MISSING: Reply = {
  status: 404,
  body: '<!doctype html><title>Not found</title><h1>Not found</h1><p>There is nothing of that name here.</p>',
};

const pathOf = (request: IncomingMessage): string => request.url?.split('?', 1)[0] ?? '/';

function replyOf(site: Site, request: IncomingMessage): Reply {
  const page = site.answer?.(request) ?? site.pages?.[pathOf(request)] ?? (pathOf(request) === '/' ? HOME : MISSING);
  return typeof page === 'string' ? { body: page } : page;
}

export function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: Reply): void {
  if (!('content-type' in headers)) response.setHeader('content-type', 'text/html; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, [value].flat());
  response.writeHead(status).end(body);
}

/** A target on loopback that tests change at run time: HTTP and HTTPS on one port, or plain TCP. */
export class TargetServer {
  site: Site = {};
  /** Replaces the web server. */
  service: Service | null = null;
  disturb: Disturbance = () => false;
  /** Selects the node for the next connection, like a load balancer. */
  balance: (() => Site) | null = null;
  /** Selects the site for a request, like a reverse proxy. */
  route: (request: IncomingMessage) => Site | null = () => null;
  readonly paths: string[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly nodes = new WeakMap<Socket, Site>();
  private readonly http = createHttp((request, response) => this.answer(request, response));
  /** One server for each set of options, because reading a certificate and its key takes longer than a handshake. */
  private readonly tlsServers = new Map<TlsOptions, Server>();
  private shown: TlsOptions = {};
  private readonly tcp = createTcp((socket) => this.accept(socket));
  private address: AddressInfo | null = null;

  static async start(tls: TlsOptions, address = '127.0.0.1', port = 0): Promise<TargetServer> {
    const server = new TargetServer();
    server.shown = tls;
    await server.listen(address, port);
    return server;
  }

  private async listen(address: string, port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.tcp.once('error', reject).listen(port, address, resolve);
    });
    const bound = this.tcp.address();
    this.address = typeof bound === 'object' ? bound : null;
  }

  get port(): number {
    return this.address?.port ?? 0;
  }

  /** Uses these TLS options for new connections. */
  showTls(tls: TlsOptions): void {
    this.shown = tls;
  }

  /** Closes all connections, and listens again if it was stopped. */
  async restart(): Promise<void> {
    // Otherwise, connections that wait to be accepted would count for the next state.
    await yieldToEventLoop();
    for (const socket of this.sockets) socket.destroy();
    this.paths.length = 0;
    if (!this.tcp.listening) await this.listen(this.address?.address ?? '127.0.0.1', 0);
  }

  /** Stops listening and closes all connections. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.tcp.listening) return;
    await new Promise<void>((resolve) => {
      this.tcp.close(() => resolve());
    });
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => {});
    if (this.service !== null) return this.service(socket);
    const node = this.balance?.();
    if (node !== undefined) this.nodes.set(socket, node);
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      // A handshake record begins every TLS connection and no HTTP request.
      (first[0] === 0x16 ? this.tlsServer(node?.tls ?? this.shown) : this.http).emit('connection', socket);
      // Resumes only after the server that takes over has added its listeners; otherwise the first bytes would be lost.
      process.nextTick(() => socket.resume());
    });
  }

  private tlsServer(options: TlsOptions): Server {
    const known = this.tlsServers.get(options);
    if (known !== undefined) return known;
    const made = createTls(options, (socket) => this.http.emit('connection', socket)).on('tlsClientError', () => {});
    this.tlsServers.set(options, made);
    return made;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.paths.push(pathOf(request));
    const line = [...this.sockets].find(({ remotePort }) => remotePort === request.socket.remotePort);
    if (line === undefined || this.disturb(request, response, line)) return;
    const site = this.route(request) ?? this.nodes.get(line) ?? this.site;
    response.setHeader('server', 'target/1.2.3');
    for (const [name, value] of Object.entries(site.headers ?? {})) response.setHeader(name, value);
    send(response, replyOf(site, request));
  }
}
