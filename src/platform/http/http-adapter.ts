import { randomUUID } from 'node:crypto';
import { IncomingMessage, type RequestListener, STATUS_CODES, ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import type { Config } from '../config/load-config';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { Attachment } from './attachment';
import { errorBody } from './error-body';
import { originForm } from './origin-form';
import { JsonAnswers } from './json-answers';
import { endUnread, endUnreadSocket } from './lingering-close';
import { isPlain } from './json-pieces';
import { PagedBody, linkHeader } from './paged-body';
import { type LeastPace, leastPace } from './reader-pace';

/** Longer than any gateway keeps an idle connection, so that it is never us who close it under a request: no sporadic 502. */
const keepAliveMs = 75_000;
/** A connection on which nothing has moved for so long, in either direction, has nobody at its other end. */
const stalledMs = 60_000;
/** A request that has not arrived within this time is not going to. */
const slowClientMs = 30_000;

const clientErrors: Record<string, [status: number, description: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/**
 * Express under Nest, without what it costs: for each request Express sets the prototypes of request and response anew,
 * which V8 punishes more than everything else that a request does. Here the server builds them with Express's prototypes
 * from the start, so that those calls change nothing; and answers are ended directly instead of through `res.json`. Files
 * send themselves.
 */
export class HttpAdapter extends ExpressAdapter {
  private readonly app: Express;
  private readonly jsonAnswers: JsonAnswers;
  private readonly least: LeastPace;

  constructor(private readonly config: Pick<Config, 'BASE_PATH' | 'SLOW_READER_SECONDS'>) {
    const app = express();
    // Before anything else touches the app: its router reads some of these once, when it is made.
    app.disable('x-powered-by');
    app.disable('etag');
    app.enable('case sensitive routing');
    app.set('query parser', 'simple');
    super(app);
    this.app = app;
    this.least = leastPace(config.SLOW_READER_SECONDS);
    this.jsonAnswers = new JsonAnswers(this.least);
  }

  override initHttpServer(): void {
    const { request, response } = expressClasses(this.app);
    const answer = this.app as unknown as RequestListener;
    const server = createServer(
      {
        IncomingMessage: request,
        ServerResponse: response,
        keepAliveTimeout: keepAliveMs,
        headersTimeout: slowClientMs,
        requestTimeout: slowClientMs,
        connectionsCheckingInterval: 5_000,
        // Without this Node answers a request that lacks a Host header before anybody here has seen it.
        requireHostHeader: false,
      },
      // Before the router, which would answer in words of its own where a whole URL is none.
      (incoming, outgoing) => {
        incoming.url = originForm(incoming.url ?? '/');
        answer(incoming, outgoing);
      },
    );
    server.timeout = stalledMs;
    server.maxRequestsPerSocket = 0;
    server.on('clientError', answerClientError);
    // Without this Node closes the connection and says nothing.
    server.on('connect', (_request, socket) => answerBare(socket, 400, 'CONNECT is for proxies, and this is none.'));
    server.on('checkExpectation', (request: IncomingMessage, answer: ServerResponse) => {
      const body = JSON.stringify(errorBody(417, 'The Expect header asks for what is not offered here.'));
      endUnread(request, answer.writeHead(417, bareHeaders(body)), body);
    });
    this.httpServer = server as never;
  }

  /** Nothing: what no route took is answered after the framework, in our own words. */
  override setNotFoundHandler(): void {}

  override reply(response: ApiResponse, body: unknown, statusCode?: number): unknown {
    response.statusCode = response.answerStatus ?? statusCode ?? response.statusCode;
    if (body instanceof PagedBody) return this.replyPage(body, response);
    if (body === undefined || body === null) return response.end();
    if (body instanceof Attachment) return body.send(response.req as ApiRequest, response, this.least);
    if (!isJson(body) || response.hasHeader('Content-Type')) return super.reply(response, body, statusCode);
    return this.jsonAnswers.send(body, response);
  }

  private replyPage(page: PagedBody, response: ApiResponse): unknown {
    const link = linkHeader(page, response.req.originalUrl, this.config.BASE_PATH);
    if (link !== undefined) response.setHeader('Link', link);
    return this.reply(response, page.body);
  }
}

const isJson = (body: unknown): body is object => Array.isArray(body) || isPlain(body);

type ExpressPrototypes = { request: object; response: object };

/** Two classes whose instances already have the prototypes that Express would give them. */
function expressClasses(app: Express): { request: typeof IncomingMessage; response: typeof ServerResponse } {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  const prototypes = app as unknown as ExpressPrototypes;
  adopt(ExpressRequest.prototype, prototypes.request);
  adopt(ExpressResponse.prototype, prototypes.response);
  prototypes.request = ExpressRequest.prototype;
  prototypes.response = ExpressResponse.prototype;
  return { request: ExpressRequest, response: ExpressResponse };
}

/** The app's own prototype inherits all that Express adds, and Express's in turn inherits Node's class. */
const adopt = (own: object, expressPrototype: object): void => {
  Object.setPrototypeOf(own, expressPrototype);
};

/** What is no HTTP, or no HTTP in time, is answered on the bare socket; nobody else will. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && !socket.writable)) {
    socket.destroy();
    return;
  }
  // It was answered, and what still comes is being dropped.
  if (!socket.writable) return;
  answerBare(socket, ...(clientErrors[error.code ?? ''] ?? ([400, 'The request is not valid HTTP.'] as const)));
}

function answerBare(socket: Duplex, status: number, description: string): void {
  socket.on('error', () => socket.destroy());
  const body = JSON.stringify(errorBody(status, description));
  const headers = Object.entries(bareHeaders(body)).map(([name, value]) => `${name}: ${value}\r\n`);
  endUnreadSocket(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${body}`);
}

/** What an answer says of itself that never came as far as our own layers. */
const bareHeaders = (body: string): Record<string, string | number> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': randomUUID(),
  Connection: 'close',
});
