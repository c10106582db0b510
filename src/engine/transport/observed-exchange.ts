import type { Exchange, FailureCode } from './exchange';

/** What an observer learns of an exchange: nothing that names the target, and nothing that was sent or received. */
export interface ObservedExchange {
  readonly kind: Exchange['kind'];
  /** Of HTTP requests. */
  readonly method?: string;
  /** Of complete responses to HTTP requests. */
  readonly status?: number;
  readonly check?: { readonly id: string };
  /** The number of the probe of a verification. */
  readonly turn?: number;
  readonly isThroughBeacon: boolean;
  /** In milliseconds since 1970. */
  readonly started: number;
  readonly ms: number;
  /** The part of `ms` in which it waited for the rate limit of the target. */
  readonly waitedMs: number;
  readonly failure?: FailureCode | 'canceled';
}
