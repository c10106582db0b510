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

  async start(): Promise<void> {
    this.server = createServer((request, response) => void this.answer(request, response));
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  private async answer({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const job = headers['x-assay-job'];
    const cookie = headers.cookie ?? '';
    this.received.push({ url, cookie, job: typeof job === 'string' ? job : undefined });
    const { pathname, searchParams } = new URL(url, 'http://shop.test');
    response.setHeader('content-type', 'text/html');
    if (this.delayMs > 0) await delay(this.delayMs);
    if (this.isFailing) return response.writeHead(503).end(page('<p>Closed</p>'));
    if (pathname === '/')
      return response.end(page('<a href="/search?q=tea">tea</a> <a href="/item?id=7">7</a>' + this.writing));
    if (/^\/(?:item|transfer|createdb)$/.test(pathname)) return response.end(page('<p>An item of the shop</p>'));
    if (pathname !== '/search') return response.writeHead(404).end(page('<p>Not found</p>'));
    const q = searchParams.get('q') ?? '';
    return response.end(page(`<p>Nothing for ${this.isFixed ? escaped(q) : q}</p>`));
  }

  reset(): void {
    this.isFixed = false;
    this.isFailing = false;
    this.writing = '';
    this.delayMs = 0;
    this.received.length = 0;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}

const escaped = (text: string): string => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const page = (body: string): string => `<!doctype html><title>A shop</title><h1>A shop</h1>${body}`;
