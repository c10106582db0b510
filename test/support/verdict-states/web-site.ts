import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { TestCertificate } from '../../../src/engine/testing/certificate';
import { offersHttp2 } from '../../../src/engine/testing/hello-router';
import type { StateNetwork } from './network';
import { fieldLines, type Handler, parseRequest, responseBytes, type SiteRequest } from './web-messages';

const UNSET: Handler = () => 'close';

/** A site that decides on each request. Its handler is replaced when the state changes. */
export class WebSite {
  handler: Handler = UNSET;
  /** Clients that offer HTTP/2 get it. */
  private speaksHttp2 = false;
  private connections = 0;
  private readonly servers: Server[] = [];
  private readonly http2 = this.certificate && createSecureServer({ ...this.certificate });

  private constructor(private readonly certificate: TestCertificate | null) {
    this.http2?.on('request', (request, response) => this.answerHttp2(request, response));
    this.http2?.on('sessionError', () => undefined);
  }

  /** At port 80, or 443 with a certificate. */
  static async open(
    network: StateNetwork,
    addresses: readonly string[],
    certificate: TestCertificate | null = null,
  ): Promise<WebSite> {
    const site = new WebSite(certificate);
    for (const address of addresses) {
      const server = await network.listen(address, certificate === null ? 80 : 443);
      server.on('connection', (socket) => site.accept(socket, address));
      site.servers.push(server);
    }
    return site;
  }

  /** Counts connections from the beginning. */
  restart(handler: Handler, speaksHttp2: boolean): void {
    this.connections = 0;
    this.handler = handler;
    this.speaksHttp2 = speaksHttp2;
  }

  close(): void {
    for (const server of this.servers) server.close();
  }

  private accept(socket: Socket, address: string): void {
    socket.on('error', () => socket.destroy());
    if (this.certificate === null) this.readRequest(socket, socket, address);
    else socket.once('data', (hello: Buffer) => this.secure(socket, hello, address));
  }

  private secure(socket: Socket, hello: Buffer, address: string): void {
    socket.pause();
    socket.unshift(hello);
    if (this.speaksHttp2 && offersHttp2(hello)) {
      this.http2?.emit('connection', socket);
      return;
    }
    const { cert, key } = this.certificate ?? {};
    const secured = new TLSSocket(socket, { isServer: true, cert, key });
    secured.on('error', () => socket.destroy());
    this.readRequest(secured, socket, address);
  }

  private readRequest(stream: Duplex, socket: Socket, address: string): void {
    const connection = this.connections++;
    let received = '';
    const read = (bytes: Buffer): void => {
      received += bytes.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      stream.off('data', read);
      const port = socket.remotePort ?? 0;
      this.answer({ ...parseRequest(received.slice(0, end)), port, connection, address }, stream, socket);
    };
    stream.on('data', read);
  }

  private answer(request: SiteRequest, stream: Duplex, socket: Socket): void {
    const response = this.handler(request);
    if (response === 'reset') socket.resetAndDestroy();
    else if (response === 'close') socket.destroy();
    else stream.end(responseBytes(response, request.method));
  }

  private answerHttp2(request: Http2ServerRequest, response: Http2ServerResponse): void {
    const { method, url, socket } = request;
    const [path = '', ...query] = url.split('?');
    const fields = new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const client = { port: socket.remotePort ?? 0, connection: this.connections++, address: socket.localAddress ?? '' };
    const answer = this.handler({
      ...client,
      method,
      target: url,
      path,
      query: query.join('?'),
      version: 'HTTP/2',
      fields,
    });
    if (typeof answer === 'string') {
      request.stream.session?.destroy();
      return;
    }
    response.statusCode = answer.status;
    for (const [name, value] of fieldLines(answer))
      if (!/^(?:connection|transfer-encoding|trailer)$/i.test(name)) response.appendHeader(name, value);
    response.end(answer.body ?? '');
  }
}
