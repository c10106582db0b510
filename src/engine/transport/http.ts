import type { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { Client } from 'undici';
import { decompressed } from './body';
import { codeOf, EXCHANGE_ENDED, ExchangeError, type TlsFacts } from './exchange';
import { type KeyClient, secureAs } from './handshake';
import { Headers } from './headers';
import { type Field, NO_CACHE } from './client-identity';
import type { Limits } from './limits';
import type { Recording } from './recording';

export interface HttpRequest {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Sent literally: `/../` is not normalized. */
  readonly path: string;
  readonly method?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Buffer;
}

/** A complete answer: one that was cut short or too large is an ExchangeFailed instead. */
export interface HttpAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The body as text, in the character set that the answer states. */
  readonly text: string;
  readonly tls: TlsFacts | null;
  /** From dialling to the last byte. */
  readonly ms?: number;
  /** The address that responded. */
  readonly address?: string;
}

const DEFAULT_PORTS = { http: 80, https: 443 };

export function originOf({ scheme, host, port }: Pick<HttpRequest, 'scheme' | 'host' | 'port'>): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === DEFAULT_PORTS[scheme] ? `${scheme}://${name}` : `${scheme}://${name}:${port}`;
}

export const urlOf = (request: HttpRequest): string => `${originOf(request)}${request.path}`;

/** How one request presents itself. */
export interface Presentation {
  readonly fields: readonly Field[];
  /** Asks every cache on the way for a fresh answer. */
  readonly bypassCaches: boolean;
  readonly keyClient?: KeyClient | undefined;
}

function fieldsOf(request: HttpRequest, { fields, bypassCaches }: Presentation): Headers {
  const own = request.headers ?? [];
  const stated = new Set(own.map(([name]) => name.toLowerCase()));
  const usual: Field[] = [['Host', new URL(originOf(request)).host], ...fields, ...(bypassCaches ? NO_CACHE : [])];
  return new Headers([...usual.filter(([name]) => !stated.has(name.toLowerCase())), ...own]);
}

function decoderFor(headers: Headers): TextDecoder {
  const charset = /charset=["']?([\w-]{1,40})/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** Decoded in a few milliseconds, after which the event loop gets a turn. */
const DECODED_AT_ONCE = 500_000;

async function textOf(body: Buffer, headers: Headers): Promise<string> {
  const decoder = decoderFor(headers);
  const pieces: string[] = [];
  for (let at = 0; at < body.length; at += DECODED_AT_ONCE) {
    pieces.push(decoder.decode(body.subarray(at, at + DECODED_AT_ONCE), { stream: true }));
    await yieldToEventLoop();
  }
  return pieces.join('') + decoder.decode();
}

/** The reason phrase is not kept by the parser, and says nothing. */
const headText = (status: number, headers: Headers): string => `HTTP/1.1 ${status}\r\n${headers.toString()}\r\n`;

const receivedFields = (headers: Record<string, string | string[] | undefined>): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((one) => [name, one] as const)),
  );

/** One request on a connection of its own; what comes back is bounded while it comes. */
export async function exchangeHttp(
  request: HttpRequest,
  dial: () => Promise<Duplex>,
  recording: Recording,
  signal: AbortSignal,
  { limits, presentation }: { readonly limits: Limits; readonly presentation: Presentation },
): Promise<HttpAnswer> {
  const headers = fieldsOf(request, presentation);
  const method = request.method ?? 'GET';
  recording.send(`${method} ${request.path} HTTP/1.1\r\n${headers.toString()}\r\n${request.body?.toString() ?? ''}`);
  const opened: Duplex[] = [];
  const connect = async (): Promise<Duplex> => {
    const socket = await dial();
    // A connection whose handshake was refused before does not count.
    opened.splice(0, opened.length, socket);
    return socket;
  };
  const line = async (): Promise<Duplex> => {
    if (request.scheme !== 'https') return connect();
    const secured = await secureAs(presentation.keyClient, connect, request.host, recording);
    opened.push(secured);
    return secured;
  };
  const client = new Client(originOf(request), {
    connect: (_options, callback) => {
      line().then(
        // The client uses it as a stream.
        (socket) => callback(null, socket as Socket),
        (error: Error) => callback(error, null),
      );
    },
    maxHeaderSize: limits.headerBytes,
    // The signal limits the time; these timeouts would only give another error.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const began = performance.now();
  try {
    const answer = await client.request({
      method,
      path: request.path,
      headers: headers.fields.flat(),
      body: request.body ?? null,
      reset: true,
      signal,
    });
    const received = receivedFields(answer.headers);
    recording.receiveHead(headText(answer.statusCode, received));
    const body = await bodyOf(answer.body, received, recording, limits.bytes);
    const cutOff = opened.map(({ errored }) => errored).find((error) => error !== null && codeOf(error) !== CLOSED);
    // The client takes the reset of a connection for the end of a body whose length the response does not state.
    if (cutOff !== undefined && !statesLength(received)) throw cutOff;
    return {
      url: urlOf(request),
      status: answer.statusCode,
      headers: received,
      body,
      text: await textOf(body, received),
      tls: recording.tls,
      ms: performance.now() - began,
      address: recording.endpoint?.address,
    };
  } finally {
    void client.destroy(EXCHANGE_ENDED);
  }
}

/** With this error the client itself destroys the connection after a whole response. */
const CLOSED = 'UND_ERR_INFO';

const statesLength = (headers: Headers): boolean =>
  headers.get('content-length') !== null || /\bchunked\s*$/i.test(headers.get('transfer-encoding') ?? '');

async function bodyOf(raw: Readable, headers: Headers, recording: Recording, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decompressed(raw, headers.get('content-encoding') ?? '', most)) {
    bytes += chunk.length;
    recording.receive(chunk);
    chunks.push(chunk);
    if (bytes > most) throw new ExchangeError('too_large', `the response is larger than ${most} bytes`);
  }
  return Buffer.concat(chunks);
}
