import type { Page } from '../page';
import type { KnownDistinction } from '../experiment-record';

/**
 * `proved`: not explained by chance, caches, firewalls or slow servers. `sound`: the application answered, and the weakness is
 * absent. `disturbed`: something other than the application answered, so the result is unknown.
 */
export type Outcome =
  | {
      readonly state: 'proved';
      readonly detail: string;
      readonly certainty: string;
      readonly variant: string;
      readonly distinction?: KnownDistinction;
      readonly appearsAt?: string;
    }
  | { readonly state: 'sound'; readonly detail: string }
  | {
      readonly state: 'disturbed';
      readonly reason: string;
      /** Nothing here can be tested: in a job the check then does not apply. */
      readonly hasNoSubject?: boolean;
      /** Set if a value is refused but a similar harmless value is not. */
      readonly refused?: AnsweredTwin & { readonly answer: Page };
    };

/** A harmless value similar to a payload, and its response. */
export interface AnsweredTwin {
  readonly harmless: string;
  readonly twin: Page;
  readonly isAlike: boolean;
}

export type Proof = Extract<Outcome, { readonly state: 'proved' }>;
