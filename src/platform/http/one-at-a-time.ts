import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Few clients send requests before earlier ones are answered, and these send few. */
const MOST_WAITING = 16;

/**
 * Handles the requests of a connection one after the other. Node gives all that arrive in one piece to the listener in one
 * turn of the event loop: two thousand of them would keep all others waiting.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const begin = (): void => {
      response.once('close', () => {
        const next = waiting.get(socket)?.shift();
        if (next === undefined || socket.destroyed) waiting.delete(socket);
        else setImmediate(next);
      });
      handle(request, response);
    };
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      begin();
    } else if (queue.length < MOST_WAITING) queue.push(begin);
    else socket.destroy();
  };
}
