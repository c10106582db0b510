import type { Socket } from 'node:net';
import { ExchangeError } from './exchange';

/** What one exchange may cost us, and what we may cost a target. */
export interface Limits {
  /** From the first packet to the last, whatever the target does. */
  readonly exchangeMs: number;
  /** The same for a conversation with a service, which has little to say. */
  readonly conversationMs: number;
  /** Until one address has taken the connection; the next one is tried then. */
  readonly connectMs: number;
  /** Of an answer, on the wire and decompressed. */
  readonly bytes: number;
  readonly headerBytes: number;
  /** Exchanges begun in a second with one address, and under way at once. */
  readonly perSecond: number;
  readonly concurrency: number;
}

export const DEFAULT_LIMITS: Limits = {
  exchangeMs: 30_000,
  conversationMs: 10_000,
  connectMs: 8_000,
  bytes: 5_000_000,
  headerBytes: 65_536,
  perSecond: 4,
  concurrency: 2,
};

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
  give: (up: ExchangeError) => void,
): void {
  const watch = setInterval(() => {
    if (socket.bytesRead <= bytes * ON_THE_WIRE) return;
    clearInterval(watch);
    give(new ExchangeError('too_large', `the response is larger than ${bytes} bytes`));
  }, EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(watch), { once: true });
}
