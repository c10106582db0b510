import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface LingeringLimits {
  readonly bytes: number;
  readonly milliseconds: number;
}

/** More than any body that is taken, and less than costs much to drop. */
const LIMITS: LingeringLimits = { bytes: 128 * 1_048_576, milliseconds: 20_000 };

/**
 * Answers a request whose body nobody will read, while it may still be on its way: RFC 9112, section 9.6. A connection
 * that is closed with bytes unread is reset, and the reset takes the answer from a client that has not read it yet. So the
 * answer is written, this half of the connection is closed, and what still comes is dropped, until the client has sent its
 * body, closes the connection or reaches a limit.
 */
export function endUnread(request: IncomingMessage, response: ServerResponse, body: string, limits = LIMITS): void {
  // Of a HEAD there is no body to write, and so nothing that could be written before the end.
  if (request.complete || request.method === 'HEAD') {
    response.end(body);
    return;
  }
  dropIncoming(request.socket, request, limits);
  request.once('end', () => response.end());
  response.write(body, () => request.socket.end());
}

/** The same for a connection without a request: what was written is its last, and the rest is dropped. */
export function endUnreadSocket(socket: Duplex, answer: string, limits = LIMITS): void {
  dropIncoming(socket, socket, limits);
  socket.once('end', () => socket.destroy());
  socket.end(answer);
}

/** Reads what comes and drops it; over a limit the connection is closed. */
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
