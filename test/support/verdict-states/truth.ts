/** What is known about a target in a state, because the test has made it. */
export type Truth =
  /** The weakness is shown to everybody. */
  | 'weak'
  /** The weakness is there, but not shown to everybody, or not always. */
  | 'hidden'
  /** Another system responds, so that nobody can know. */
  | 'unknowable'
  /** The target no longer has the weakness. */
  | 'fixed'
  /** The target does not show it, and is another one or shut: both `fixed` and `inconclusive` are right. */
  | 'another target'
  /** Weak, in a way that docs/verdicts.md says cannot be seen. */
  | 'known limit'
  /** Requests for the weakness are refused, and those beside it are not. */
  | 'refused';

export type Result = 'still_vulnerable' | 'fixed' | 'blocked' | 'inconclusive';

export type Judgement = 'right' | 'false fixed' | 'false alarm' | 'not recognized' | 'not seen' | 'not blocked';

const WEAK: ReadonlySet<Truth> = new Set(['weak', 'hidden', 'unknowable', 'refused']);
/** Where an alarm would be false. */
const NOT_SHOWN: ReadonlySet<Truth> = new Set(['fixed', 'unknowable', 'another target', 'refused']);

export function judge(truth: Truth, result: Result): Judgement {
  if (result === 'fixed') return WEAK.has(truth) ? 'false fixed' : 'right';
  if (result === 'still_vulnerable') return NOT_SHOWN.has(truth) ? 'false alarm' : 'right';
  if (truth === 'refused') return result === 'blocked' ? 'right' : 'not blocked';
  if (truth === 'weak') return 'not seen';
  return truth === 'fixed' ? 'not recognized' : 'right';
}
