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
  | 'known limit';

export type Result = 'still_vulnerable' | 'fixed' | 'inconclusive';

export type Judgement = 'right' | 'false fixed' | 'false alarm' | 'not recognized' | 'not seen';

const isWeak = (truth: Truth): boolean => truth === 'weak' || truth === 'hidden' || truth === 'unknowable';

export function judge(truth: Truth, result: Result): Judgement {
  if (result === 'fixed') return isWeak(truth) ? 'false fixed' : 'right';
  if (result === 'still_vulnerable')
    return truth === 'fixed' || truth === 'unknowable' || truth === 'another target' ? 'false alarm' : 'right';
  if (truth === 'weak') return 'not seen';
  return truth === 'fixed' ? 'not recognized' : 'right';
}
