import { type Exchange, ExchangeFailed, type FailureCode } from './exchange';
import type { Recording } from './recording';

/** What an observer learns about an exchange: nothing that was sent or received. Traces must not contain its place. */
export interface ObservedExchange {
  readonly kind: Exchange['kind'];
  /** A URL, `host:port`, or the DNS question; redacted. */
  readonly place: string;
  /** Only for HTTP requests. */
  readonly method?: string;
  /** Only for complete responses to HTTP requests. */
  readonly status?: number;
  readonly check?: { readonly id: string };
  /** The id of the account as which an HTTP request was sent. */
  readonly account?: string;
  /** The number of the probe of a verification. */
  readonly turn?: number;
  readonly isThroughBeacon: boolean;
  /** In milliseconds since 1970. */
  readonly started: number;
  readonly ms: number;
  /** The part of `ms` that it waited for the rate limit of the target. */
  readonly waitedMs: number;
  readonly failure?: FailureCode | 'canceled';
}

interface Observer extends Pick<ObservedExchange, 'check' | 'turn'> {
  readonly observe?: (exchange: ObservedExchange) => void;
  readonly route?: object;
  readonly session?: { readonly account: string } | undefined;
}

/** Does nothing without an observer. */
export function observed<T>(
  recording: Recording,
  { observe, check, turn, route, session }: Observer,
  exchanged: Promise<T>,
  facts: (outcome: T | undefined) => Pick<ObservedExchange, 'method' | 'status'> = () => ({}),
): Promise<T> {
  if (observe === undefined) return exchanged;
  const startedAt = performance.now();
  const started = Date.now();
  const report = (outcome: T | undefined, failure: ObservedExchange['failure']): void =>
    observe({
      ...facts(outcome),
      kind: recording.kind,
      place: recording.place,
      check,
      turn,
      ...(session !== undefined && recording.kind === 'http' && { account: session.account }),
      isThroughBeacon: route !== undefined,
      started,
      ms: performance.now() - startedAt,
      waitedMs: recording.waitedMs,
      failure,
    });
  return exchanged.then(
    (outcome) => {
      report(outcome, undefined);
      return outcome;
    },
    (error: unknown) => {
      report(undefined, error instanceof ExchangeFailed ? error.failure.code : 'canceled');
      throw error;
    },
  );
}
