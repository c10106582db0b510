import type { Page } from '../page';
import type { KnownDistinction } from '../experiment-record';

/**
 * `proved`: chance, caches, firewalls and slow servers cannot have done it. `sound`: the application answered, and the weakness is
 * not there. `disturbed`: something stood in the way, so it is unknown.
 */
export type Outcome =
  | {
      readonly state: 'proved';
      readonly detail: string;
      readonly certainty: string;
      readonly variant: string;
      readonly distinction?: KnownDistinction;
    }
  | { readonly state: 'sound'; readonly detail: string }
  | {
      readonly state: 'disturbed';
      readonly reason: string;
      /** A value is refused, and a harmless one like it is not. */
      readonly refused?: AnsweredTwin & { readonly answer: Page };
    };

/** A value like a payload without its signs, and how it is answered. */
export interface AnsweredTwin {
  readonly harmless: string;
  readonly twin: Page;
  readonly isAlike: boolean;
}

export type Proof = Extract<Outcome, { readonly state: 'proved' }>;
