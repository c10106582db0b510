import * as fc from 'fast-check';
import {
  requestedChange,
  requireValidUntil,
  type FindingStatus,
  findingStatusVocabulary,
  FINDING_STATUS_LABELS,
  findingTransitions,
  isFindingStatus,
  isDismissed,
  isTestable,
  needsAdmin,
  isOpen,
  statusAfterTest,
  statusWhenSeen,
} from './finding-status';

const ALL: readonly FindingStatus[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const status = fc.constantFrom(...ALL);
const where = (holds: (status: FindingStatus) => boolean): FindingStatus[] => ALL.filter(holds);

describe('the status of a finding', () => {
  it('has these numbers, names and transitions', () => {
    expect(
      findingStatusVocabulary.map(({ number, name, transitions }) => `${number} ${name}: ${transitions.join(' ')}`),
    ).toEqual([
      '1 open: 2 3 4 5 6 7 8 9 10',
      '2 accepted: 3 4 5 6 7 8 9 10',
      '3 in_progress: 2 4 5 6',
      '4 ready_for_retest: 2 3 5',
      '5 resolved: 1',
      '6 risk_accepted: 1 2 5',
      '7 false_positive: 1',
      '8 duplicate: 1',
      '9 informative: 1',
      '10 out_of_scope: 1',
    ]);
  });

  it('is one of ten numbers, which messages show with their names', () => {
    expect(ALL.every(isFindingStatus)).toBe(true);
    expect([0, 11, -1, 1.5, NaN, '1', null, undefined].some(isFindingStatus)).toBe(false);
    expect(FINDING_STATUS_LABELS).toHaveLength(10);
    expect(FINDING_STATUS_LABELS[9]).toBe('10 (out_of_scope)');
  });

  it('is open in 1 to 4 and dismissed in 6 to 10', () => {
    expect(where(isOpen)).toEqual([1, 2, 3, 4]);
    expect(where(isDismissed)).toEqual([6, 7, 8, 9, 10]);
  });
});

describe('a change of status', () => {
  it('is reported as unchanged when the status is the same', () => {
    expect(ALL.map((same) => requestedChange(same, same))).toEqual(ALL.map(() => 'unchanged'));
  });

  it('is applied when the table allows it, and otherwise refused with the possible ones', () => {
    expect(requestedChange(1, 10)).toBe('updated');
    expect(() => requestedChange(5, 2)).toThrow(
      'The finding is 5 (resolved) and cannot become 2 (accepted); it may become: 1 (open).',
    );
  });

  it('is a conflict and no other error wherever the table does not allow it', () => {
    fc.assert(
      fc.property(status, status, (from, to) => {
        fc.pre(from !== to);
        if (findingTransitions.allows(from, to)) expect(requestedChange(from, to)).toBe('updated');
        else expect(() => requestedChange(from, to)).toThrow(expect.objectContaining({ kind: 'conflict' }));
      }),
    );
  });

  it('requires an admin only into and out of the statuses 6 to 10', () => {
    fc.assert(
      fc.property(status, status, (from, to) => {
        expect(needsAdmin(from, to)).toBe(from !== to && (from > 5 || to > 5));
      }),
    );
  });
});

describe('the end date of an accepted risk', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const later = new Date('2026-11-21T12:00:01Z');

  it('is allowed for status 6 in the future, and is optional', () => {
    expect(() => requireValidUntil(6, later, now)).not.toThrow();
    expect(() => ALL.forEach((to) => requireValidUntil(to, null, now))).not.toThrow();
  });

  it('is refused for other statuses and in the past', () => {
    for (const to of where((known) => known !== 6))
      expect(() => requireValidUntil(to, later, now)).toThrow(/^until is only allowed with/);
    expect(() => requireValidUntil(6, now, now)).toThrow('until must be in the future.');
  });
});

describe('the status after a detection or a test', () => {
  it('is reopened from resolved when it is detected again, and otherwise unchanged', () => {
    expect(ALL.map(statusWhenSeen)).toEqual([1, 2, 3, 4, 1, 6, 7, 8, 9, 10]);
  });

  it('does not allow a test of a false positive, a duplicate or an out-of-scope finding', () => {
    expect(where(isTestable)).toEqual([1, 2, 3, 4, 5, 6, 9]);
  });

  it.each([
    ['fixed', [5, 5, 5, 5, null, 5, null, null, null, null]],
    ['still_vulnerable', [null, null, null, 2, 1, null, null, null, null, null]],
    ['inconclusive', ALL.map(() => null)],
  ] as const)('%s changes the status only where the table allows it', (result, expected) => {
    expect(ALL.map((from) => statusAfterTest(result, from))).toEqual(expected);
    for (const from of ALL) {
      const to = statusAfterTest(result, from);
      expect(to === null || findingTransitions.allows(from, to)).toBe(true);
    }
  });
});
