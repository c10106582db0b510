import type { IncomingMessage } from 'node:http';
import { withinTime } from '../../kernel/within-time';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { printable } from '../../beacon-protocol/stream-failure';
import { MAX_MESSAGE_BYTES, SUBPROTOCOL } from '../../beacon-protocol/websocket-channel';
import { ConnectFailure, connectFailureOf } from './connect-failure';

export interface Credentials {
  readonly id: number;
  readonly token: string;
}

export const authorizationOf = ({ id, token }: Credentials): { readonly Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${id}:${token}`).toString('base64')}`,
});

const HANDSHAKE_MS = 10_000;
const MAX_BODY_BYTES = 16_384;
const MAX_SENTENCE = 500;

/** The path below the base URL of the service. */
const CONNECT_PATH = '/v1/beacons/connect';

export function serviceUrl(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + path;
  return url;
}

/** Upgrades the connection, which is paused then. Throws a `ConnectFailure` with the sentence of the service if it refuses. */
export async function openWebSocket(
  base: URL,
  socket: Socket,
  credentials: Credentials,
  stopped: AbortSignal,
): Promise<WebSocket> {
  const webSocket = new WebSocket(serviceUrl(base, CONNECT_PATH), [SUBPROTOCOL], {
    createConnection: () => socket,
    headers: authorizationOf(credentials),
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
  });
  try {
    await upgraded(webSocket, base, stopped);
    return webSocket;
  } catch (error) {
    // Its own error, that it was closed too early, is of no interest.
    webSocket.on('error', () => {});
    webSocket.terminate();
    socket.destroy();
    throw connectFailureOf(error, base.host);
  }
}

function upgraded(webSocket: WebSocket, base: URL, stopped: AbortSignal): Promise<void> {
  const signal = withinTime(stopped, HANDSHAKE_MS);
  return new Promise((resolve, reject) => {
    const problem = `${base.host} did not respond within ${HANDSHAKE_MS / 1_000} seconds.`;
    const giveUp = (): void => reject(new ConnectFailure(problem, false));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    webSocket.once('open', () => {
      // The first message may be here already, and there is no listener yet.
      webSocket.pause();
      resolve();
    });
    webSocket.on('error', reject);
    webSocket.once('upgrade', (response) => {
      if (response.headers['sec-websocket-protocol'] === SUBPROTOCOL) return;
      reject(
        new ConnectFailure(
          `${base.host} does not speak ${SUBPROTOCOL}, the protocol of this version of the agent. Install the version of the agent that belongs to the service, or update the service.`,
          true,
        ),
      );
    });
    webSocket.once('unexpected-response', (_request, response) => {
      responseFailure(response, base, REMEDIES).then(reject, reject);
    });
  });
}

/** Statuses that say nothing about this agent: the service, or a process of it, is down or being replaced. */
const TEMPORARY = new Set([408, 500, 502, 503, 504]);

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'The id or the token of the beacon is wrong, or the token was replaced: compare both with those that the service returned when the beacon was created.',
  404: 'Check that the URL is the base URL of the service, and that the service is new enough to connect to beacons.',
};

/** With the sentence of the service, and what helps. */
export async function responseFailure(
  response: IncomingMessage,
  base: URL,
  remedies: Readonly<Record<number, string>>,
): Promise<ConnectFailure> {
  const { statusCode: status = 0, headers } = response;
  const said = await descriptionIn(response);
  const location = headers.location === undefined ? '' : `It leads to ${headers.location.slice(0, 200)}.`;
  const sentences = [`${base.host} answered ${status}.`, said, location, remedies[status] ?? ''].filter(Boolean);
  const retryAfter = /^\d{1,5}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : undefined;
  return new ConnectFailure(sentences.join(' '), !TEMPORARY.has(status), retryAfter);
}

/** The sentence of an error body of the service; empty if the body is something else. */
async function descriptionIn(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) return '';
      chunks.push(chunk);
    }
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
    const said: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'description') : undefined;
    return typeof said === 'string' ? printable(said).slice(0, MAX_SENTENCE) : '';
  } catch {
    return '';
  }
}
