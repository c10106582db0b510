import type { CookieJar } from './cookie-jar';
import type { Reach } from './page';
import type { Forged, Submission } from './sent-request';

export interface ProbeRequest {
  /** Default: the target's path. */
  readonly path?: string;
  readonly method?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Buffer;
  /** Replaces the path in baselines, if the path differs between probes. */
  readonly name?: string;
  readonly cookies?: CookieJar;
  /** The number of redirects to follow; none by default. */
  readonly hops?: number;
  /** How far redirects are followed; within the asset by default. */
  readonly reach?: Reach;
  /** Adds a random query, so that no cache can respond. */
  readonly fresh?: boolean;
  /** Whether no test may send another such request to the host meanwhile. */
  readonly alone?: boolean;
  /** If it submits a form or calls a writing operation. */
  readonly submits?: Submission;
  /** If another site sends it. */
  readonly forged?: Forged;
}
