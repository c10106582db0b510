import { type ClientRequest, type IncomingMessage, request as requestOf } from 'node:http';
import { codeOf, ExchangeError } from './exchange';
import { Headers } from './headers';
import type { HttpLine } from './http-line';
import type { StreamedResponse, WireRequest } from './http-message';

/** Names in lower case, as in HTTP/2. Node returns the bytes of values as Latin-1. */
const receivedFields = (raw: readonly string[]): Headers =>
  new Headers(
    Headers.ofPairs(raw).fields.map(
      ([name, value]) => [name.toLowerCase(), Buffer.from(value, 'latin1').toString()] as const,
    ),
  );

const errorOf = ({ parts }: HttpLine): Error | null => parts.map(({ errored }) => errored).find(Boolean) ?? null;

const causeOfEnd = (line: HttpLine): Error =>
  errorOf(line) ?? new ExchangeError('closed', 'the connection was closed before the response was complete');

/** Node reports `ECONNRESET` for each connection that ends too early. */
const isEnd = (error: unknown): boolean => /^ECONNRESET$|^ERR_STREAM_PREMATURE_CLOSE$/.test(codeOf(error));

const statesLength = (headers: Headers): boolean =>
  headers.get('content-length') !== null || /\bchunked\s*$/i.test(headers.get('transfer-encoding') ?? '');

/** Servers expect a content length with these methods, and all common clients send it. */
const HAS_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** In the order and case of their first occurrence, without any additional headers. */
function stateFields(sent: ClientRequest, { method, headers, body }: WireRequest): void {
  for (const name of ['Connection', 'Content-Length', 'Transfer-Encoding']) sent.removeHeader(name);
  for (const [name] of headers.fields) if (!sent.hasHeader(name)) sent.setHeader(name, headers.all(name));
  if (body !== null || HAS_BODY.has(method)) sent.setHeader('Content-Length', Buffer.byteLength(body ?? ''));
}

function answerOf(sent: ClientRequest, line: HttpLine): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(causeOfEnd(line));
    sent.once('response', resolve);
    sent.once('error', (error) => (isEnd(error) ? fail() : reject(error)));
    sent.once('upgrade', () => reject(new ExchangeError('protocol', 'the target switched to another protocol')));
    line.stream.once('close', fail);
    if (line.stream.destroyed) fail();
  });
}

/** A target sends one or two informational responses before the final one. */
const MOST_INFORMATIONAL = 10;

/** Ends a request when the target keeps sending informational responses, which take time and have no content. */
export function limitInformational(sent: ClientRequest): void {
  let count = 0;
  sent.on('information', () => {
    count += 1;
    if (count > MOST_INFORMATIONAL)
      sent.destroy(new ExchangeError('protocol', `more than ${MOST_INFORMATIONAL} informational answers came`));
  });
}

/**
 * Writes the headers exactly like the imitated client, because a target may recognize a library by their order and case. The end
 * of the exchange closes the connection, and with it the request.
 */
export async function requestOverHttp1(
  wire: WireRequest,
  line: HttpLine,
  headerBytes: number,
): Promise<StreamedResponse> {
  const sent = requestOf({
    method: wire.method,
    path: wire.path,
    setHost: false,
    createConnection: () => line.stream,
    maxHeaderSize: headerBytes,
  });
  // The size limit is sufficient.
  sent.maxHeadersCount = 0;
  limitInformational(sent);
  let malformed: Error | null = null;
  sent.on('error', (error) => {
    if (!isEnd(error)) malformed ??= error;
  });
  const close = (): void => void sent.destroy();
  try {
    stateFields(sent, wire);
    sent.end(wire.body ?? undefined);
    const answer = await answerOf(sent, line);
    const headers = receivedFields(answer.rawHeaders);
    const assertComplete = (): void => {
      const cutOff = errorOf(line);
      // If the response does not state its length, the reset of a connection ends the body.
      if (cutOff !== null && !statesLength(headers)) throw cutOff;
    };
    const explain = (error: unknown): unknown => (isEnd(error) ? (malformed ?? causeOfEnd(line)) : error);
    return { status: answer.statusCode ?? 0, headers, body: answer, assertComplete, explain, close };
  } catch (error) {
    close();
    throw error;
  }
}
