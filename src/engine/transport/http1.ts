import { type ClientRequest, type IncomingMessage, request as requestOf } from 'node:http';
import { codeOf, ExchangeError } from './exchange';
import { Headers } from './headers';
import type { HttpLine } from './http-line';
import type { StreamedResponse, WireRequest } from './http-message';

/** The names as HTTP/2 has them. Node gives the bytes of values as Latin-1. */
const receivedFields = (raw: readonly string[]): Headers =>
  new Headers(
    Headers.ofPairs(raw).fields.map(
      ([name, value]) => [name.toLowerCase(), Buffer.from(value, 'latin1').toString()] as const,
    ),
  );

const errorOf = ({ parts }: HttpLine): Error | null => parts.map(({ errored }) => errored).find(Boolean) ?? null;

const causeOfEnd = (line: HttpLine): Error =>
  errorOf(line) ?? new ExchangeError('closed', 'the connection was closed before the response was complete');

/** Node says `ECONNRESET` for each end that comes too early. */
const isEnd = (error: unknown): boolean => /^ECONNRESET$|^ERR_STREAM_PREMATURE_CLOSE$/.test(codeOf(error));

const statesLength = (headers: Headers): boolean =>
  headers.get('content-length') !== null || /\bchunked\s*$/i.test(headers.get('transfer-encoding') ?? '');

/** Servers expect a length with these methods, and all usual clients state it. */
const HAS_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** In the order and case in which they were first stated, and none beside them. */
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

/** A target has one or two to say before its answer. */
const MOST_INFORMATIONAL = 10;

/** Ends a request when informational answers, which cost time and have no content, do not stop. */
export function limitInformational(sent: ClientRequest): void {
  let count = 0;
  sent.on('information', () => {
    count += 1;
    if (count > MOST_INFORMATIONAL)
      sent.destroy(new ExchangeError('protocol', `more than ${MOST_INFORMATIONAL} informational answers came`));
  });
}

/**
 * Writes the fields exactly as the client that is played does: a target may know a library by their order and case. The end of
 * the exchange ends the connection, and with it the request.
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
  // The size limits them.
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
      // The reset of a connection ends a body whose length the response does not state.
      if (cutOff !== null && !statesLength(headers)) throw cutOff;
    };
    const explain = (error: unknown): unknown => (isEnd(error) ? (malformed ?? causeOfEnd(line)) : error);
    return { status: answer.statusCode ?? 0, headers, body: answer, assertComplete, explain, close };
  } catch (error) {
    close();
    throw error;
  }
}
