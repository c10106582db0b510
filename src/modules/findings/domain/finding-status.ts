import { invalid } from '../../../kernel/domain-error';
import { Transitions } from '../../../kernel/transitions';

export const FINDING_STATUS = {
  open: 1,
  accepted: 2,
  in_progress: 3,
  ready_for_retest: 4,
  resolved: 5,
  risk_accepted: 6,
  false_positive: 7,
  duplicate: 8,
  informative: 9,
  out_of_scope: 10,
} as const;

export type FindingStatus = (typeof FINDING_STATUS)[keyof typeof FINDING_STATUS];

const TRANSITIONS: Readonly<Record<FindingStatus, readonly FindingStatus[]>> = {
  1: [2, 3, 4, 5, 6, 7, 8, 9, 10],
  2: [3, 4, 5, 6, 7, 8, 9, 10],
  3: [2, 4, 5, 6],
  4: [2, 3, 5],
  5: [1],
  6: [1, 2, 5],
  7: [1],
  8: [1],
  9: [1],
  10: [1],
};

const NAMES = new Map<number, string>(Object.entries(FINDING_STATUS).map(([name, number]) => [number, name]));

const label = (status: FindingStatus): string => `${status} (${NAMES.get(status)})`;

export const findingTransitions = new Transitions<FindingStatus>('finding', TRANSITIONS, label);

const STATUSES = Object.values(FINDING_STATUS);

/** Each as a sentence says it. */
export const findingStatusLabels = STATUSES.map(label);

export const findingStatusVocabulary = Object.entries(FINDING_STATUS).map(([name, number]) => ({
  number,
  name,
  transitions: TRANSITIONS[number],
}));

export const isFindingStatus = (value: unknown): value is FindingStatus => STATUSES.some((status) => status === value);

/** A finding that stands is a risk: nobody has resolved it or set it aside. */
export const isOpen = (status: FindingStatus): boolean => status <= 4;

/** Set aside by a decision of people, 6 to 10: it counts no more, although it may still be there. */
export const isDismissed = (status: FindingStatus): boolean => status >= 6;

/** To set a finding aside, or to take that back, is for admins. */
export const needsAdmin = (from: FindingStatus, to: FindingStatus): boolean =>
  from !== to && (isDismissed(from) || isDismissed(to));

/** What a request for a status comes to; a move that is not in the table is a conflict. */
export function requestedChange(from: FindingStatus, to: FindingStatus): 'unchanged' | 'updated' {
  if (from === to) return 'unchanged';
  findingTransitions.requireAllowed(from, to);
  return 'updated';
}

/** Only the acceptance of a risk ends by itself, and only later than now. */
export function requireValidUntil(to: FindingStatus, until: Date | null, now: Date): void {
  if (until === null) return;
  if (to !== FINDING_STATUS.risk_accepted) {
    throw invalid(`until goes with the status ${label(FINDING_STATUS.risk_accepted)} only.`);
  }
  if (until <= now) throw invalid('until must lie in the future.');
}

/** Found again: what was resolved is open again, every other status is a decision that stays. */
export const statusWhenSeen = (from: FindingStatus): FindingStatus =>
  from === FINDING_STATUS.resolved ? FINDING_STATUS.open : from;

/** There is nothing to test on what is no finding of its own, or nobody's to test. */
export const isTestable = (status: FindingStatus): boolean =>
  status !== FINDING_STATUS.false_positive &&
  status !== FINDING_STATUS.duplicate &&
  status !== FINDING_STATUS.out_of_scope;

export type TestResult = 'fixed' | 'still_vulnerable' | 'inconclusive';

const AFTER_TEST: Readonly<Record<TestResult, Partial<Record<FindingStatus, FindingStatus>>>> = {
  fixed: { 1: 5, 2: 5, 3: 5, 4: 5, 6: 5 },
  still_vulnerable: { 4: 2, 5: 1 },
  inconclusive: {},
};

/** What a test makes of the status that the finding has now; null where the result alone is kept. */
export const statusAfterTest = (result: TestResult, from: FindingStatus): FindingStatus | null =>
  AFTER_TEST[result][from] ?? null;
