import type { Socket } from 'node:net';
import { Failed } from './exchange';

const EVERY_MS = 25;
/** Heads, records and chunks come on top of what an answer says. */
const ON_THE_WIRE = 1.25;

/**
 * Gives up when more has come over the wire than an answer may have: within TLS a target can go on for ever without
 * saying anything that whoever reads the answer would ever see.
 */
export function limitReceivedBytes(
  socket: Socket,
  bytes: number,
  signal: AbortSignal,
  give: (up: Failed) => void,
): void {
  const watch = setInterval(() => {
    if (socket.bytesRead <= bytes * ON_THE_WIRE) return;
    clearInterval(watch);
    give(new Failed('too_large', `the answer is larger than ${bytes} bytes`));
  }, EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(watch), { once: true });
}
