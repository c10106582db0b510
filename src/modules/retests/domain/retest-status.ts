import { conflict } from '../../../kernel/domain-error';
import { RESULT_EFFECTS } from '../../../kernel/result-effects';
import { Transitions } from '../../../kernel/transitions';

export const RETEST_STATUSES = ['pending', 'in_progress', 'finished', 'error', 'canceled'] as const;

export type RetestStatus = (typeof RETEST_STATUSES)[number];

/** From pending to finished: a verdict by hand, where no check can run. */
const MOVES: Readonly<Record<RetestStatus, readonly RetestStatus[]>> = {
  pending: ['in_progress', 'finished', 'error', 'canceled'],
  in_progress: ['finished', 'error', 'canceled'],
  finished: [],
  error: [],
  canceled: [],
};

export const retestTransitions = new Transitions<RetestStatus>('retest', MOVES);

export const retestStatusVocabulary = RETEST_STATUSES.map((name) => ({ name, transitions: MOVES[name] }));

export const RETEST_RESULTS = ['fixed', 'still_vulnerable', 'inconclusive', 'blocked'] as const;

export type RetestResult = (typeof RETEST_RESULTS)[number];

/** The verdicts that a person may give. Only a test can see a refusal. */
export const RESULTS_BY_HAND = RETEST_RESULTS.filter((result) => RESULT_EFFECTS[result].byHand);

export const retestResultVocabulary = RETEST_RESULTS.map((name) => ({ name }));

/** A finding has one unfinished retest at most. */
export const isRetestOver = (status: RetestStatus): boolean => MOVES[status].length === 0;

/** Canceling again changes nothing; a retest that has ended otherwise is a conflict. */
export function cancelRetest(status: RetestStatus): 'unchanged' | 'canceled' {
  if (status !== 'canceled') retestTransitions.requireAllowed(status, 'canceled');
  return status === 'canceled' ? 'unchanged' : 'canceled';
}

/** A person may give the verdict of a retest that no worker has begun. */
export function requireVerdictByHand(status: RetestStatus): void {
  if (status !== 'pending') throw conflict(`The retest is ${status}; a verdict can be given while it is pending.`);
}

/** Retests of a finding that are kept before a new one starts. */
export const KEPT_OF_FINDING = 99;
