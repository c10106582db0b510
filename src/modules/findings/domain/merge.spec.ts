import { mainOfAlike, mayBePartOf, type MergedFinding, requireMergeable } from './merge';
import { FINDING_STATUS, type FindingStatus, isDismissed, isOpen, needsAdmin, statusWhenSeen } from './finding-status';

const STATUSES = Object.values(FINDING_STATUS);
const pairs = STATUSES.flatMap((part) => STATUSES.map((main) => [part, main] as const));

const reopensWhenSeen = (status: FindingStatus): boolean => isOpen(statusWhenSeen(status));

const finding = (fields: Partial<MergedFinding>): MergedFinding => ({
  id: 1,
  mergedInto: null,
  status: 1,
  severity: 4,
  score: null,
  cvssVector: null,
  edits: null,
  verification: 'untested',
  ...fields,
});

const merge =
  (main: Partial<MergedFinding>, part: Partial<MergedFinding>, isAdmin = false) =>
  (): void => {
    requireMergeable(finding({ id: 1, ...main }), new Map([[2, finding({ id: 2, ...part })]]), [2], isAdmin);
  };

describe('a merge', () => {
  it('hides no finding that is open or would be reopened, and dismisses none', () => {
    const possible = pairs.filter(([part, main]) => mayBePartOf(part, main));
    const hides = ([part, main]: (typeof pairs)[number]): boolean =>
      (isOpen(part) && !isOpen(main)) || (reopensWhenSeen(part) && !reopensWhenSeen(main));
    // Otherwise members could do what needs an admin.
    const dismisses = ([part, main]: (typeof pairs)[number]): boolean =>
      isDismissed(main) && !isDismissed(part) && needsAdmin(part, main);
    expect(possible.filter((pair) => hides(pair) || dismisses(pair))).toEqual([]);
    expect(possible.length).toBe(4 * 10 + 6 + 5 * 5);
  });

  it('into an open finding is possible with every status, and between findings of the same status', () => {
    for (const status of STATUSES) {
      expect([1, 2, 3, 4].every((main) => mayBePartOf(status, main as FindingStatus))).toBe(true);
      expect(mayBePartOf(status, status)).toBe(true);
    }
    expect(merge({}, {})).not.toThrow();
  });

  it('that would hide a finding names the statuses and what to do', () => {
    expect(merge({ status: 5 }, { status: 3 })).toThrow(
      'Finding 2 has the status 3 (in_progress) and finding 1 the status 5 (resolved), so the merge would hide finding 2: reopen finding 1 first.',
    );
  });

  it('into a less severe finding needs an admin', () => {
    expect(merge({ severity: 3 }, { severity: 5 })).toThrow(
      'Finding 2 (critical) is more severe than finding 1 (medium). Only an admin may merge it: merge finding 1 into finding 2 instead.',
    );
    expect(merge({ severity: 3 }, { severity: 5 }, true)).not.toThrow();
    expect(merge({ severity: 5 }, { severity: 3 })).not.toThrow();
  });
});

describe('two findings of one weakness', () => {
  const mainOf = (one: Partial<MergedFinding>, other: Partial<MergedFinding>): number | null =>
    mainOfAlike(finding({ id: 1, ...one }), finding({ id: 2, ...other }))?.id ?? null;

  it('become the more severe one, or else the older one', () => {
    expect([mainOf({}, {}), mainOf({ severity: 3 }, {}), mainOf({}, { severity: 3 })]).toEqual([1, 2, 1]);
    expect(mainOf({ id: 7 }, {})).toBe(2);
  });

  it('become the open one, unless the other is more severe', () => {
    expect([mainOf({ status: 5 }, {}), mainOf({}, { status: 5 })]).toEqual([2, 1]);
    expect(mainOf({ status: 5 }, { severity: 3 })).toBeNull();
  });

  it('are left to people if one of them is dismissed, and a merge hides nothing', () => {
    for (const [one, other] of pairs) {
      const main = mainOf({ status: one }, { status: other });
      if (isDismissed(one) || isDismissed(other)) expect(main).toBeNull();
      else if (main !== null) expect(mayBePartOf(main === 1 ? other : one, main === 1 ? one : other)).toBe(true);
    }
  });
});
