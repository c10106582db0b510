import type { RetestResult } from './retest-status';

/** The look at a fixed finding some hours later. */
export interface SecondLook {
  /** When the next one is planned; null for none. */
  readonly due: Date | null;
  /** When the last one ended. */
  readonly finished: Date | null;
  /** Null if nothing was sent. */
  readonly result: RetestResult | null;
  readonly reason: string | null;
}

/** As a retest stores it. */
export interface StoredSecondLook {
  readonly secondLookDue: Date | null;
  readonly secondLookFinished: Date | null;
  readonly secondLookResult: RetestResult | null;
  readonly secondLookReason: string | null;
}

/** Null if there is none. */
export const secondLookOf = (retest: StoredSecondLook): SecondLook | null =>
  retest.secondLookDue === null && retest.secondLookFinished === null
    ? null
    : {
        due: retest.secondLookDue,
        finished: retest.secondLookFinished,
        result: retest.secondLookResult,
        reason: retest.secondLookReason,
      };
