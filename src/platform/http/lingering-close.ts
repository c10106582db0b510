import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface LingeringLimits {
  readonly bytes: number;
  readonly milliseconds: number;
}

/** More than the largest accepted body. */
const LIMITS: LingeringLimits = { bytes: 128 * 1_048_576, milliseconds: 20_000 };

/**
 * Responds to a request while its body is still arriving (RFC 9112, section 9.6). Closing a connection with unread bytes
 * resets it, and the client may lose the response. So this writes the response, closes its half of the connection and
 * discards incoming bytes until the client has sent its body, closes the connection or reaches a limit.
 */
export function endUnread(request: IncomingMessage, response: ServerResponse, body: string, limits = LIMITS): void {
  // A response to HEAD has no body that could be written before the end.
  if (request.complete || request.method === 'HEAD') {
    response.end(body);
    return;
  }
  dropIncoming(request.socket, request, limits);
  request.once('end', () => response.end());
  response.write(body, () => request.socket.end());
}

/** Discards what still arrives of a request that was answered. Closing the connection at once could lose the response. */
export function discardUnread(request: IncomingMessage, limits = LIMITS): void {
  if (request.complete) {
    request.resume();
    return;
  }
  dropIncoming(request.socket, request, limits);
  request.socket.end();
}

/** The same for a connection without a valid request. */
export function endUnreadSocket(socket: Duplex, answer: string, limits = LIMITS): void {
  dropIncoming(socket, socket, limits);
  socket.once('end', () => socket.destroy());
  socket.end(answer);
}

/** Discards incoming bytes, and closes the connection when a limit is exceeded. */
function dropIncoming(
  socket: Duplex,
  incoming: Duplex | IncomingMessage,
  { bytes, milliseconds }: LingeringLimits,
): void {
  const close = (): unknown => socket.destroy();
  const timer = setTimeout(close, milliseconds).unref();
  let left = bytes;
  incoming.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) close();
  });
  incoming.resume();
  socket.once('close', () => clearTimeout(timer));
}
