import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Client } from 'undici';
import { codeOf, EXCHANGE_ENDED, ExchangeError } from './exchange';
import { Headers } from './headers';
import type { HttpLine } from './http-line';
import type { StreamedResponse, WireRequest } from './http-message';

const receivedFields = (headers: Record<string, string | string[] | undefined>): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((one) => [name, one] as const)),
  );

/** With this error the client itself destroys the connection after a whole response. */
const CLOSED = 'UND_ERR_INFO';

/**
 * An error for which the client gives up. With one of its own, or with a connection that has ended, it would ask for another one
 * again and again in this turn of the event loop, so that the process hangs.
 */
const causeOfEnd = ({ errored }: Duplex): Error =>
  errored === null || codeOf(errored).startsWith('UND_ERR_')
    ? new ExchangeError('closed', 'the connection was closed before the response was complete')
    : errored;

const statesLength = (headers: Headers): boolean =>
  headers.get('content-length') !== null || /\bchunked\s*$/i.test(headers.get('transfer-encoding') ?? '');

/** Without a signal: the end of the exchange ends the connection, and with it the request. */
export async function requestOverHttp1(
  { origin, method, path, headers, body }: WireRequest,
  line: HttpLine,
  headerBytes: number,
): Promise<StreamedResponse> {
  const client = new Client(origin, {
    // The client waits for a callback that comes later.
    connect: (_options, callback) =>
      process.nextTick(() => {
        if (line.stream.destroyed) callback(causeOfEnd(line.stream), null);
        else callback(null, line.stream as Socket);
      }),
    maxHeaderSize: headerBytes,
    // The signal limits the time; these timeouts would only give another error.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const close = (): void => void client.destroy(EXCHANGE_ENDED);
  try {
    const answer = await client.request({ method, path, headers: headers.fields.flat(), body, reset: true });
    const received = receivedFields(answer.headers);
    const assertComplete = (): void => {
      const cutOff = line.parts
        .map(({ errored }) => errored)
        .find((error) => error !== null && codeOf(error) !== CLOSED);
      // The client takes the reset of a connection for the end of a body whose length the response does not state.
      if (cutOff !== undefined && !statesLength(received)) throw cutOff;
    };
    const explain = (error: unknown): unknown => error;
    return { status: answer.statusCode, headers: received, body: answer.body, assertComplete, explain, close };
  } catch (error) {
    close();
    throw error;
  }
}
