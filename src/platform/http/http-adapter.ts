import { randomUUID } from 'node:crypto';
import {
  IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
  ServerResponse,
  createServer,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import type { Config } from '../config/load-config';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { Attachment } from './attachment';
import { errorBody } from './error-body';
import { EventStream } from './event-stream';
import { FileStream } from './file-stream';
import { normalizeRequestTarget } from './normalize-request-target';
import { JsonResponder } from './json-responder';
import { oneAtATime } from './one-at-a-time';
import { LargeResponseLimit } from './large-response-limit';
import { isStreaming } from './streamed-body';
import { endUnread, endUnreadSocket } from './lingering-close';
import { COMMON_HEADERS } from './response-headers';
import { isPlain } from './json-chunks';
import { PagedBody, linkHeader, totalCount } from './paged-body';
import { acceptUpgrades } from './upgrade';
import { SlowReaders } from './slow-readers';

/** Longer than the idle timeout of gateways. Otherwise this server could close a connection that a gateway is using: a 502. */
const KEEP_ALIVE_MS = 75_000;
/** A connection without traffic for this time is closed. */
const SOCKET_TIMEOUT_MS = 60_000;
/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000;

const CLIENT_ERRORS: Record<string, [status: number, description: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/**
 * Nest's Express adapter with two changes. Express sets the prototypes of each request and response, which makes V8 discard
 * its optimizations; here the server creates them with those prototypes, so that setting them changes nothing. And JSON is
 * sent directly instead of through `res.json`.
 */
export class HttpAdapter extends ExpressAdapter {
  private readonly app: Express;
  private readonly classes: ReturnType<typeof expressClasses>;
  private readonly largeResponses = new LargeResponseLimit();
  private readonly jsonResponder = new JsonResponder(this.largeResponses);
  private readonly slowReaders: SlowReaders;

  constructor(
    private readonly config: Pick<Config, 'BASE_PATH' | 'SLOW_READER_SECONDS'>,
    /** Of the answers that Nest and Express do not see. */
    private readonly headers: Readonly<Record<string, string>> = COMMON_HEADERS,
  ) {
    const app = express();
    // First: the router reads some of these settings once, when it is created.
    app.disable('x-powered-by');
    app.disable('etag');
    app.enable('case sensitive routing');
    app.set('query parser', 'simple');
    super(app);
    this.app = app;
    this.classes = expressClasses(app);
    this.slowReaders = new SlowReaders(config.SLOW_READER_SECONDS);
  }

  override initHttpServer(): void {
    // Before the router, which would answer an invalid absolute URL itself.
    const handle: RequestListener = (incoming, outgoing) => {
      incoming.url = normalizeRequestTarget(incoming.url ?? '/');
      this.app(incoming, outgoing);
    };
    this.httpServer = this.newServer(oneAtATime(handle)) as never;
  }

  /** Accepts WebSockets: they pass the same middleware, guards and filters as all requests, up to their controller. */
  acceptUpgrades(): void {
    acceptUpgrades(this.httpServer, this.newServer());
  }

  /** A server that does not listen: its requests are handled, counted and drained as those of the one that does. */
  inProcess(): Server {
    return this.newServer((request, response) => this.httpServer.emit('request', request, response));
  }

  private newServer(listener?: RequestListener): Server {
    const { request, response } = this.classes;
    const server = createServer(
      {
        IncomingMessage: request,
        ServerResponse: response,
        keepAliveTimeout: KEEP_ALIVE_MS,
        headersTimeout: REQUEST_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: 5_000,
        // Otherwise Node itself answers a request without a Host header, without our error body.
        requireHostHeader: false,
      },
      listener,
    );
    server.timeout = SOCKET_TIMEOUT_MS;
    server.maxRequestsPerSocket = 0;
    this.slowReaders.watch(server);
    server.on('clientError', (error, socket) => answerClientError(error, socket as Socket, this.headers));
    // Otherwise Node closes the connection without an answer.
    server.on('connect', (_request, socket) =>
      answerBare(socket, this.headers, 400, 'CONNECT is not supported: this server is not a proxy.'),
    );
    server.on('checkExpectation', (request: IncomingMessage, answer: ServerResponse) => {
      const body = JSON.stringify(
        errorBody(417, 'The expectation in the Expect header is not supported. Send the request without this header.'),
      );
      endUnread(request, answer.writeHead(417, { ...this.headers, ...bareHeaders(body) }), body);
    });
    return server;
  }

  /** Empty: `createApp` answers unknown paths after the framework. */
  override setNotFoundHandler(): void {}

  override reply(response: ApiResponse, body: unknown, statusCode?: number): unknown {
    response.statusCode = response.responseStatus ?? statusCode ?? response.statusCode;
    if (body instanceof PagedBody) return this.replyPage(body, response);
    if (body === undefined || body === null) return response.end();
    if (body instanceof Attachment) return body.send(response.req as ApiRequest, response);
    if (body instanceof EventStream) return body.send(response);
    if (body instanceof FileStream) return body.send(response, this.largeResponses);
    if (!isJson(body) || response.hasHeader('Content-Type')) return super.reply(response, body, statusCode);
    return this.jsonResponder.send(body, response);
  }

  private replyPage(page: PagedBody, response: ApiResponse): unknown {
    const link = linkHeader(page, response.req.originalUrl, this.config.BASE_PATH);
    if (link !== undefined) response.setHeader('Link', link);
    const total = totalCount(page);
    if (total !== undefined) response.setHeader('X-Total-Count', total);
    return this.reply(response, page.body);
  }
}

const isJson = (body: unknown): body is object => Array.isArray(body) || isPlain(body);

/**
 * Two classes whose instances already have the prototypes that Express would set. Express documents `app.request` and
 * `app.response` for extension, and changing their prototypes.
 */
function expressClasses(app: Express): { request: typeof IncomingMessage; response: typeof ServerResponse } {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as express.Request;
  app.response = ExpressResponse.prototype as express.Response;
  return { request: ExpressRequest, response: ExpressResponse };
}

/** Answers invalid or late HTTP on the bare socket, since no request object exists. */
function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  // A file that is read while it arrives has its own time limit.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isStreaming(socket)) return;
  if (error.code === 'ECONNRESET' || (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && !socket.writable)) {
    socket.destroy();
    return;
  }
  // A response was sent; the remaining bytes are being discarded.
  if (!socket.writable) return;
  answerBare(
    socket,
    headers,
    ...(CLIENT_ERRORS[error.code ?? ''] ?? ([400, 'The request is not valid HTTP.'] as const)),
  );
}

function answerBare(
  socket: Duplex,
  common: Readonly<Record<string, string>>,
  status: number,
  description: string,
): void {
  socket.on('error', () => socket.destroy());
  const body = JSON.stringify(errorBody(status, description));
  const headers = Object.entries({ ...common, ...bareHeaders(body) }).map(([name, value]) => `${name}: ${value}\r\n`);
  endUnreadSocket(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${body}`);
}

const bareHeaders = (body: string): Record<string, string | number> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  'Cache-Control': 'no-store',
  'X-Request-Id': randomUUID(),
  Connection: 'close',
});
