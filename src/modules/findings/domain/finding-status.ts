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

export const labelOfStatus = (status: FindingStatus): string => `${status} (${NAMES.get(status)})`;

export const findingTransitions = new Transitions<FindingStatus>('finding', TRANSITIONS, labelOfStatus);

const STATUSES = Object.values(FINDING_STATUS);

/** The statuses as messages show them. */
export const FINDING_STATUS_LABELS = STATUSES.map(labelOfStatus);

export const findingStatusVocabulary = Object.entries(FINDING_STATUS).map(([name, number]) => ({
  number,
  name,
  transitions: TRANSITIONS[number],
}));

/** "open" covers every finding that has not ended, and "accepted" reads like an accepted risk, so pages use other words. */
const READ_AS = new Map([
  ['open', 'new'],
  ['accepted', 'triaged'],
]);

/** The name of a status on pages and in reports. The API and machine-readable files use the original name. */
export const wordOfStatus = (name: string): string => READ_AS.get(name) ?? name.replaceAll('_', ' ');

export const isFindingStatus = (value: unknown): value is FindingStatus => STATUSES.some((status) => status === value);

/** An open finding is a risk: it is neither resolved nor dismissed. */
export const isOpen = (status: FindingStatus): boolean => status <= 4;

/** Dismissed by a person (6 to 10): it no longer counts, although the weakness may still exist. */
export const isDismissed = (status: FindingStatus): boolean => status >= 6;

/** Only admins dismiss a finding or reverse that. */
export const needsAdmin = (from: FindingStatus, to: FindingStatus): boolean =>
  from !== to && (isDismissed(from) || isDismissed(to));

/** Throws a conflict if the table does not allow the transition. */
export function requestedChange(from: FindingStatus, to: FindingStatus): 'unchanged' | 'updated' {
  if (from === to) return 'unchanged';
  findingTransitions.requireAllowed(from, to);
  return 'updated';
}

/** Only an accepted risk may have an end date, and the date must be in the future. */
export function requireValidUntil(to: FindingStatus, until: Date | null, now: Date): void {
  if (until === null) return;
  if (to !== FINDING_STATUS.risk_accepted) {
    throw invalid(`until is only allowed with the status ${labelOfStatus(FINDING_STATUS.risk_accepted)}.`);
  }
  if (until <= now) throw invalid('until must be in the future.');
}

/** A resolved finding that is seen again is reopened. Every other status stays the same. */
export const statusWhenSeen = (from: FindingStatus): FindingStatus =>
  from === FINDING_STATUS.resolved ? FINDING_STATUS.open : from;

/** False positives, duplicates and findings out of scope are not tested. */
export const isTestable = (status: FindingStatus): boolean =>
  status !== FINDING_STATUS.false_positive &&
  status !== FINDING_STATUS.duplicate &&
  status !== FINDING_STATUS.out_of_scope;

export type TestResult = 'fixed' | 'still_vulnerable' | 'inconclusive' | 'blocked';

const AFTER_TEST: Readonly<Record<TestResult, Partial<Record<FindingStatus, FindingStatus>>>> = {
  fixed: { 1: 5, 2: 5, 3: 5, 4: 5, 6: 5 },
  still_vulnerable: { 4: 2, 5: 1 },
  inconclusive: {},
  blocked: {},
};

/** The new status after a test, or null if the status does not change. */
export const statusAfterTest = (result: TestResult, from: FindingStatus): FindingStatus | null =>
  AFTER_TEST[result][from] ?? null;
