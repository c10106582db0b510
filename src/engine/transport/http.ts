import type { TestClock } from '../../kernel/test-clock';
import type { Duplex } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { decompressed } from './body';
import { ExchangeError, type TlsFacts } from './exchange';
import type { KeyClient } from './handshake';
import { Headers } from './headers';
import { isReserved } from './reserved-headers';
import { type HttpLine, HttpLines } from './http-line';
import type { StreamedResponse, WireRequest } from './http-message';
import { requestOverHttp1 } from './http1';
import { fitsHttp2, Http11Required, requestOverHttp2 } from './http2';
import type { Field } from './client-identity';
import type { Limits } from './limits';
import type { Recording } from './recording';

export interface HttpRequest {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Sent unchanged: `/../` is not normalized. */
  readonly path: string;
  readonly method?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Buffer;
  /** Whether it may change the target. It is sent only with `Via.submissions`. */
  readonly mayChange?: boolean;
  /** Whether a form of another site sends it, so that a session adds only the cookies that browsers add then. */
  readonly isCrossSite?: boolean;
}

/** A complete response. A truncated or oversized one is an ExchangeFailed instead. */
export interface HttpAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The body as text, in the character set that the response states. */
  readonly text: string;
  readonly tls: TlsFacts | null;
  /** Whether it was sent over HTTP/2, which states the end of each response. */
  readonly isHttp2?: boolean;
  /** The time from dialling to the last byte. */
  readonly ms?: number;
  /** When the last byte arrived, by our clock. */
  readonly at?: number;
  /** The address that responded. */
  readonly address?: string;
}

/** Informs the sender of HTTP requests about each of them. */
export interface HttpHooks {
  /** Awaited before each request. An error that it throws ends the work. */
  readonly beforeRequest?: (request: HttpRequest) => Promise<void>;
  readonly answered?: (request: HttpRequest, answer: HttpAnswer) => void;
}

export interface TimedHooks extends HttpHooks {
  /** The time limits of a test go by it: a test that waits for its turn of an account uses none of them. */
  readonly clock?: TestClock;
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
  readonly keyClient?: KeyClient | undefined;
  /** Whether HTTP/2 is preferred, as in browsers. Otherwise it is only used if the target speaks nothing else. */
  readonly offersHttp2?: boolean;
}

/** A header of the request replaces that of the client. */
function fieldsOf(request: HttpRequest, ofClient: readonly Field[]): Headers {
  const own = (request.headers ?? []).filter(([name]) => !isReserved(name));
  const usual = new Headers([['Host', new URL(originOf(request)).host], ...ofClient]);
  const placed = usual.fields.flatMap((field) => {
    const instead = own.filter(([name]) => name.toLowerCase() === field[0].toLowerCase());
    return instead.length > 0 ? instead : [field];
  });
  return new Headers([...placed, ...own.filter(([name]) => usual.get(name) === null)]);
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

/** Without the reason phrase, which the parser does not keep. */
const headText = (version: string, { status, headers }: StreamedResponse): string =>
  `${version} ${status}\r\n${headers.toString()}\r\n`;

interface ExchangeSettings {
  readonly limits: Limits;
  readonly presentation: Presentation;
}

/** Sends one request on a new connection. The response is limited while it is received. */
export async function exchangeHttp(
  request: HttpRequest,
  dial: () => Promise<Duplex>,
  recording: Recording,
  { limits, presentation }: ExchangeSettings,
): Promise<HttpAnswer> {
  const began = performance.now();
  const wire: WireRequest = {
    origin: originOf(request),
    method: request.method ?? 'GET',
    path: request.path,
    headers: fieldsOf(request, presentation.fields),
    body: request.body ?? null,
  };
  const exchangeOn = async (line: HttpLine): Promise<HttpAnswer> => {
    const version = line.isHttp2 ? 'HTTP/2' : 'HTTP/1.1';
    recording.send(
      `${wire.method} ${wire.path} ${version}\r\n${wire.headers.toString()}\r\n${wire.body?.toString() ?? ''}`,
    );
    const response = line.isHttp2
      ? await requestOverHttp2(wire, line.stream, limits.headerBytes)
      : await requestOverHttp1(wire, line, limits.headerBytes);
    try {
      const { status, headers } = response;
      recording.receiveHead(headText(version, response));
      const body = await bodyOf(response, recording, limits.bytes);
      response.assertComplete();
      return {
        url: urlOf(request),
        status,
        headers,
        body,
        text: await textOf(body, headers),
        tls: recording.tls,
        isHttp2: line.isHttp2,
        ms: performance.now() - began,
        at: Date.now(),
        address: recording.endpoint?.address,
      };
    } finally {
      response.close();
    }
  };
  const { scheme, host } = request;
  const { keyClient, offersHttp2 = false } = presentation;
  const fits = scheme === 'https' && fitsHttp2(request.headers ?? []);
  const lines = new HttpLines(dial, scheme === 'https' ? host : null, recording, keyClient);
  const line = await lines.open(fits && offersHttp2 ? 'either' : 'HTTP/1.1', fits);
  try {
    return await exchangeOn(line);
  } catch (error) {
    if (!(error instanceof Http11Required)) throw error;
    return exchangeOn(await lines.openAgain());
  }
}

async function bodyOf(response: StreamedResponse, recording: Recording, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decompressed(response.body, response.headers.get('content-encoding') ?? '', most)) {
      bytes += chunk.length;
      recording.receive(chunk);
      chunks.push(chunk);
      if (bytes > most) throw new ExchangeError('too_large', `the response is larger than ${most} bytes`);
    }
  } catch (error) {
    throw response.explain(error);
  }
  return Buffer.concat(chunks);
}
