import {
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { type Duplex, PassThrough, type Readable } from 'node:stream';
import { codeOf, ExchangeError } from './exchange';
import { Headers } from './headers';
import type { StreamedResponse, WireRequest } from './http-message';
import { WatchedFrames } from './http2-frames';

/** A header that is sent as one byte may take 4 KB, so their number limits the memory before their size is known. */
const MOST_FIELDS = 500;

/** Headers that HTTP/2 does not allow (RFC 9113, 8.2.2). */
const OF_CONNECTIONS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'te',
]);

/**
 * Whether a request has the same meaning over HTTP/2. A request with a repeated header, or with a header about its connection,
 * may not.
 */
export function fitsHttp2(fields: readonly (readonly [name: string, value: string])[]): boolean {
  const names = fields.map(([name]) => name.toLowerCase());
  return new Set(names).size === names.length && !names.some((name) => OF_CONNECTIONS.has(name));
}

function fieldsOf({ origin, method, path, headers, body }: WireRequest): OutgoingHttpHeaders {
  const { protocol, host } = new URL(origin);
  const others = headers.fields.map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    [constants.HTTP2_HEADER_METHOD]: method,
    [constants.HTTP2_HEADER_AUTHORITY]: headers.get('host') ?? host,
    [constants.HTTP2_HEADER_SCHEME]: protocol.slice(0, -1),
    [constants.HTTP2_HEADER_PATH]: path,
    ...Object.fromEntries(others.filter(([name]) => name !== 'host' && !OF_CONNECTIONS.has(name))),
    ...(body !== null && { 'content-length': Buffer.byteLength(body) }),
  };
}

/** In the order received, including repetitions, if Node provides them; otherwise with joined values. */
function receivedFields(headers: IncomingHttpHeaders, raw: unknown): Headers {
  const pairs = Array.isArray(raw)
    ? Headers.ofPairs(raw).fields
    : Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((one) => [name, one] as const));
  return new Headers(pairs.filter(([name]) => !name.startsWith(':')));
}

/** The target requires HTTP/1.1 for this request. */
export class Http11Required extends ExchangeError {
  constructor() {
    super('reset', 'the target demands HTTP/1.1');
  }
}

const headerTooLarge = (): ExchangeError => new ExchangeError('too_large', 'the response header is too large');

/** Why a stream ended: the connection, the target, or the limits of the client. */
function reasonOf(frames: WatchedFrames, stream: ClientHttp2Stream): ExchangeError {
  const code = stream.rstCode;
  if (frames.cause !== null) return frames.cause;
  if (code === constants.NGHTTP2_HTTP_1_1_REQUIRED) return new Http11Required();
  if (frames.wasGivenUp) return new ExchangeError('reset', `the target gave up the HTTP/2 stream (code ${code})`);
  if (code === constants.NGHTTP2_ENHANCE_YOUR_CALM) return headerTooLarge();
  if (code === constants.NGHTTP2_NO_ERROR || code === constants.NGHTTP2_CANCEL)
    return new ExchangeError('closed', 'the connection was closed before the response was complete');
  return new ExchangeError('protocol', 'the response is not valid HTTP/2');
}

interface Answer {
  readonly fields: IncomingHttpHeaders;
  readonly raw: unknown;
  readonly body: Readable;
}

/** Reads the body from the start, because the stream may end before anyone reads it. */
function answerOf(stream: ClientHttp2Stream, frames: WatchedFrames): Promise<Answer> {
  return new Promise((resolve, reject) => {
    stream.once('response', (fields: IncomingHttpHeaders, ...[, raw]: unknown[]) =>
      resolve({ fields, raw, body: bodyOf(stream, frames) }),
    );
    stream.once('error', () => reject(reasonOf(frames, stream)));
    stream.once('close', () => reject(reasonOf(frames, stream)));
  });
}

/**
 * A copy of the body. An HTTP/2 stream emits `closed` once everything has arrived, and since Node 24 an iterator that starts
 * after that treats unread data as lost.
 */
function bodyOf(stream: ClientHttp2Stream, frames: WatchedFrames): Readable {
  const body = stream.pipe(new PassThrough());
  // Without a listener, an error of the stream before it is read would end the process.
  body.on('error', () => {});
  stream.once('close', () => body.writableEnded || body.destroy(reasonOf(frames, stream)));
  return body;
}

const isOfHttp2 = (error: unknown): boolean => /^ERR_HTTP2|^ERR_STREAM_PREMATURE_CLOSE$/.test(codeOf(error));

/** Sends one request on a new session. */
export async function requestOverHttp2(
  request: WireRequest,
  line: Duplex,
  headerBytes: number,
): Promise<StreamedResponse> {
  const frames = new WatchedFrames(line);
  const session = connect(request.origin, {
    createConnection: () => frames,
    settings: { enablePush: false },
    maxHeaderListPairs: MOST_FIELDS,
  });
  session.on('error', () => {});
  const close = (): void => session.destroy();
  try {
    const stream = session.request(fieldsOf(request), { endStream: request.body === null });
    stream.on('error', () => {});
    if (request.body !== null) stream.end(request.body);
    const { fields, raw, body } = await answerOf(stream, frames);
    const headers = receivedFields(fields, raw);
    if (headers.toString().length > headerBytes) throw headerTooLarge();
    return {
      status: Number(fields[constants.HTTP2_HEADER_STATUS]),
      headers,
      body,
      assertComplete: () => {
        if (!frames.hasEnded) throw reasonOf(frames, stream);
      },
      explain: (error) => (isOfHttp2(error) ? reasonOf(frames, stream) : error),
      close,
    };
  } catch (error) {
    close();
    throw isOfHttp2(error) ? new ExchangeError('protocol', 'the request cannot be sent over HTTP/2') : error;
  }
}
