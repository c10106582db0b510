import { ExchangeError } from './exchange';
import type { TargetSocket } from './routed-socket';

/** Limits of one exchange, and of the load on a target. */
export interface Limits {
  /** From the first packet to the last. */
  readonly exchangeMs: number;
  /** The same for a conversation with a service, which exchanges little data. */
  readonly conversationMs: number;
  /** For one address to accept the connection; after that, the next address is tried. */
  readonly connectMs: number;
  /** The size of a response, both transferred and decompressed. */
  readonly bytes: number;
  readonly headerBytes: number;
  /** Exchanges that start per second with one address, and that run at the same time. */
  readonly perSecond: number;
  readonly concurrency: number;
  /** After this time, an exchange lends its slot at the address to other organizations. */
  readonly lendMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  exchangeMs: 30_000,
  conversationMs: 10_000,
  connectMs: 8_000,
  bytes: 5_000_000,
  headerBytes: 65_536,
  perSecond: 4,
  concurrency: 2,
  lendMs: 5_000,
};

/** Exchanges that start per second, and that run at the same time. */
export type Pace = Pick<Limits, 'perSecond' | 'concurrency'>;

/** The paces for one host, and for all hosts behind one beacon or in one block. */
export interface Paces {
  readonly host: Pace;
  readonly shared: Pace;
  /** Requests per second on open connections to one host; by default that of the transport. */
  readonly requestsPerSecond?: number;
}

/** For all hosts together behind one beacon or in one block. */
export const PACE_OF_NETWORK: Pace = { perSecond: 50, concurrency: 32 };

const EVERY_MS = 25;
/** Headers, TLS records and chunks add to the size of the content. */
const ON_THE_WIRE = 1.25;
/** Headers and certificates precede the content, and buffers delay some of it. */
const WITHOUT_CONTENT = 512 * 1_024;

/**
 * Aborts when more bytes arrive on the socket than a response may have. Counting in the reader is not enough, because TLS records
 * without content never reach it. It also aborts if the content arrives in pieces of a few bytes, each of which takes as long as
 * a large one.
 */
export function limitReceivedBytes(
  socket: TargetSocket,
  bytes: number,
  signal: AbortSignal,
  clock: { end(reason: ExchangeError): void },
  content: { readonly receivedBytes: number },
): void {
  const watch = setInterval(() => {
    const isTooLarge = socket.bytesRead > bytes * ON_THE_WIRE;
    if (!isTooLarge && socket.bytesRead <= WITHOUT_CONTENT + 2 * content.receivedBytes) return;
    clearInterval(watch);
    clock.end(
      isTooLarge
        ? new ExchangeError('too_large', `the response is larger than ${bytes} bytes`)
        : new ExchangeError('protocol', 'most of what arrives is no content of the response'),
    );
  }, EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(watch), { once: true });
}

/** A chain with more aliases counts as a circle. */
export const MOST_ALIASES = 8;
