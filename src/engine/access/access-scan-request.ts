import type { AccessKind, NamedAccount } from '../access-record';
import type { Check } from '../check';
import type { Coverage, Sighting } from '../scan-request';
import type { Target, WebTarget } from '../target';
import type { Transport, Via } from '../transport/transport';

export interface AccessAccount extends NamedAccount {
  /** The values that an admin entered as belonging to it alone. */
  readonly values: readonly string[];
  /** The requests that its crawl has found. */
  readonly paths: readonly string[];
}

export interface AccessScanRequest {
  readonly target: WebTarget;
  readonly checks: readonly Check[];
  readonly transport: Transport;
  readonly first: AccessAccount;
  readonly second: AccessAccount;
  /** Whether the first account has more rights than the second; otherwise they are equals. */
  readonly isAbove: boolean;
  /** Paths that both may request. A path that ends with a slash includes all below it. */
  readonly shared: readonly string[];
  /** The pages of the crawl without a session. */
  readonly publicPaths: readonly string[];
  readonly isInScope?: (place: Target) => boolean;
  /** Runs work in a new session of each account. */
  readonly series: <T>(work: (first: Via, second: Via) => Promise<T>) => Promise<T>;
}

export type AccessSighting = Sighting & { readonly seenAs: NamedAccount | null };

export interface AccessScan {
  readonly sightings: readonly AccessSighting[];
  readonly coverage: readonly Coverage[];
}

/** Addresses of both accounts, and of one of them, that are looked at. */
export const MOST_COMMON = 20;
export const MOST_OWN = 20;

export const CHECK_OF: Readonly<Record<AccessKind, string>> = {
  object: 'object-access',
  function: 'function-access',
  cache: 'cached-private-page',
};
