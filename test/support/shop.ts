import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

interface Received {
  readonly url: string;
  readonly cookie: string;
  readonly job: string | undefined;
}

/** A shop whose search writes what it is given into its page, until it is fixed. */
export class Shop {
  readonly received: Received[] = [];
  isFixed = false;
  delayMs = 0;
  isFailing = false;
  /** Links that write. */
  writing = '';
  private server: Server | undefined;
  port = 0;
  private readonly files = new Map<string, string>();
  /** Answers paths under /.well-known in place of the files. */
  wellKnown: ((path: string, response: ServerResponse) => unknown) | null = null;
  /** The requests whose answers wait for `release`. */
  holds: (path: string) => boolean = () => false;
  private held: (() => void)[] = [];

  constructor(private readonly address = '127.0.0.1') {}

  /** The proof file of an asset, as the API shows the asset. */
  publish({
    proof_file: file,
  }: {
    readonly proof_file: { readonly path: string; readonly body: string } | null;
  }): void {
    if (file !== null) this.files.set(file.path, `${file.body}\n`);
  }

  async start(port = 0): Promise<void> {
    this.server = createServer((request, response) => void this.answer(request, response));
    await new Promise<void>((resolve) => this.server?.listen(port, this.address, resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  private async answer({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const job = headers['x-assay-job'];
    const cookie = headers.cookie ?? '';
    this.received.push({ url, cookie, job: typeof job === 'string' ? job : undefined });
    const { pathname, searchParams } = new URL(url, 'http://shop.test');
    response.setHeader('content-type', 'text/html');
    if (this.isFixed) response.setHeader('x-content-type-options', 'nosniff');
    if (this.delayMs > 0) await delay(this.delayMs);
    if (this.holds(url)) await new Promise<void>((resolve) => this.held.push(resolve));
    if (this.isFailing) return response.writeHead(503).end(page('<p>Closed</p>'));
    if (pathname.startsWith('/.well-known/') && this.wellKnown !== null) return this.wellKnown(pathname, response);
    const file = this.files.get(pathname);
    if (file !== undefined) return response.end(file);
    if (pathname === '/')
      return response.end(page('<a href="/search?q=tea">tea</a> <a href="/item?id=7">7</a>' + this.writing));
    if (/^\/(?:held|item|transfer|createdb)$/.test(pathname)) return response.end(page('<p>An item of the shop</p>'));
    if (pathname === '/go') return response.writeHead(302, { location: searchParams.get('next') ?? '/' }).end();
    if (pathname === '/greet')
      return response.end(page(`<p>Hello ${rendered(searchParams.get('name') ?? '', this.isFixed)}</p>`));
    if (pathname !== '/search') return response.writeHead(404).end(page('<p>Not found</p>'));
    const q = searchParams.get('q') ?? '';
    return response.end(page(`<p>Nothing for ${this.isFixed ? escaped(q) : q}</p>`));
  }

  reset(): void {
    this.isFixed = false;
    this.wellKnown = null;
    this.isFailing = false;
    this.writing = '';
    this.delayMs = 0;
    this.received.length = 0;
    this.release();
  }

  release(): void {
    this.holds = () => false;
    for (const answer of this.held.splice(0)) answer();
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}

/** As an engine for templates does. */
const rendered = (name: string, isFixed: boolean): string =>
  isFixed
    ? escaped(name)
    : name.replace(/\{\{'?(\d+)'?\*'?(\d+)'?\}\}/g, (_all, one, other) => String(Number(one) * Number(other)));
const escaped = (text: string): string => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const page = (body: string): string => `<!doctype html><title>A shop</title><h1>A shop</h1>${body}`;
