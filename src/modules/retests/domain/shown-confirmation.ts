import type { Baseline, Refusal } from '../../../engine';

/** Who has confirmed that a refusal is the fix of a finding, and why. */
export interface ShownConfirmation {
  readonly by: number;
  readonly at: Date;
  /** Null of those of earlier versions. */
  readonly reason: string | null;
  readonly refusal: Refusal;
}

/** Null if nobody has, or the weakness was seen since. */
export function shownConfirmation(baseline: Baseline | null): ShownConfirmation | null {
  const confirmed = baseline?.on === 'web' ? baseline.confirmedRefusal : undefined;
  return confirmed === undefined ? null : { reason: null, ...confirmed, at: new Date(confirmed.at) };
}
