import type { Page } from '../page';
import type { KnownDistinction } from './experiment-record';

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
  | { readonly state: 'disturbed'; readonly reason: string };

export type Proof = Extract<Outcome, { readonly state: 'proved' }>;

/** Whether a fix answers so what was sent to show the weakness, although a harmless word is answered otherwise. */
export type IsFix = (answer: Page) => boolean;
