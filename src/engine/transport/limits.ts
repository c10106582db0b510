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
