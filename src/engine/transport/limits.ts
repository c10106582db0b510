import { ExchangeError } from './exchange';
import type { TargetSocket } from './routed-socket';

/** Limits of one exchange, and of the load on a target. */
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
  /** An exchange that takes longer leaves its slot at the address to other organizations. */
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

/** Exchanges begun in a second, and under way at once. */
export type Pace = Pick<Limits, 'perSecond' | 'concurrency'>;

/** For one host, and for all hosts behind one beacon or in one block. */
export interface Paces {
  readonly host: Pace;
  readonly shared: Pace;
  /** Of requests on open connections, to one host; as the transport is limited by default. */
  readonly requestsPerSecond?: number;
}

/** All hosts behind one beacon or in one block together. */
export const PACE_OF_NETWORK: Pace = { perSecond: 50, concurrency: 32 };

const EVERY_MS = 25;
/** Headers, TLS records and chunks add to the size of the content. */
const ON_THE_WIRE = 1.25;
/** Headers and certificates come before content, and buffers hold some of it back. */
const WITHOUT_CONTENT = 512 * 1_024;

/**
 * Aborts when more bytes arrive on the socket than a response may have. TLS records without content never reach the
 * reader of the response, so counting there is not enough. Nor may the content come in pieces of a few bytes, of which each
 * takes as long as a large one.
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

/** More aliases of a name than this are a circle. */
export const MOST_ALIASES = 8;
