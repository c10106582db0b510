import type { TestClock } from '../../../kernel/test-clock';
import type { Launchable, SessionRequest } from '../../retests';
import type { Found } from '../job-found-so-far';

/** What limits a job besides its time. */
export interface JobTerms {
  /** When nothing more may be sent, and why. */
  readonly end?: { readonly at: Date; readonly reason: string };
}

export interface TestLimits {
  readonly launch: Launchable;
  readonly limitMs: number;
  /** Of the job: it stands still while the job waits for its turn of an account. */
  readonly clock: TestClock;
  readonly whileWaiting: NonNullable<SessionRequest['whileWaiting']>;
  readonly terms: JobTerms;
  /** Why it may not go on, by the rules of now; null if it may. */
  readonly refusal: () => Promise<string | null>;
  readonly found: Found;
}

/** By the clock of the job, which begins with it. */
export const msLeft = ({ limitMs, clock }: Pick<TestLimits, 'limitMs' | 'clock'>): number =>
  Math.ceil(Math.max(1, limitMs - clock.ms));
