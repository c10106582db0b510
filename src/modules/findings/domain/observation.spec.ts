import { FINDING_STATUS, type FindingStatus } from './finding-status';
import { decideObservation, isStatement, type Knowledge, renewsTerm } from './observation';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const at = (hours: number): Date => new Date(START + hours * HOUR);

/** The kinds of observations: by a job, a retest, a repeated test or a file. A person's statement counts from when it is made. */
const SEEN = ['seen', 'still_vulnerable', 'fixed'] as const;
type Kind = (typeof SEEN)[number];

const later = (one: Date | null, other: Date): Date => (one !== null && one > other ? one : other);

function after(known: Knowledge, kind: Kind, time: Date): Knowledge {
  const { status } = decideObservation(known, { kind, at: time });
  return kind === 'fixed'
    ? { ...known, status, fixedAt: later(known.fixedAt, time) }
    : { ...known, status, seenAt: later(known.seenAt, time) };
}

const found: Knowledge = { status: FINDING_STATUS.open, seenAt: at(0), fixedAt: null, statedAt: null };
const proved: Knowledge = { status: FINDING_STATUS.resolved, seenAt: at(0), fixedAt: at(1), statedAt: null };
const said: Knowledge = { status: FINDING_STATUS.resolved, seenAt: at(0), fixedAt: null, statedAt: at(1) };

describe('two observations', () => {
  const pairs = SEEN.flatMap((first) => SEEN.map((second) => [first, second] as const));
  const states: [string, Knowledge][] = [
    ['an open finding', found],
    ['a proved fix', proved],
    ['a fix that a person stated', said],
  ];
  it.each(states)('of %s end with the same status in any order', (_name, known) => {
    for (const [first, second] of pairs) {
      const inOrder = after(after(known, first, at(2)), second, at(4));
      const late = after(after(known, second, at(4)), first, at(2));
      expect([first, second, late.status]).toEqual([first, second, inOrder.status]);
      expect(inOrder.status).toBe(second === 'fixed' ? FINDING_STATUS.resolved : FINDING_STATUS.open);
    }
  });

  it('at the same moment leave the finding open', () => {
    for (const kinds of [
      ['seen', 'fixed'],
      ['fixed', 'seen'],
    ] as const) {
      const both = kinds.reduce((known, kind) => after(known, kind, at(2)), found);
      expect(both.status).toBe(FINDING_STATUS.open);
    }
  });
});

describe('an observation', () => {
  it.each<[string, Knowledge, Kind, number, FindingStatus, string | null, boolean]>([
    ['seen before a proved fix', proved, 'seen', 0.5, 5, 'fixed', false],
    ['seen after a proved fix', proved, 'seen', 2, 1, null, false],
    ['seen before a person said that it is fixed', said, 'seen', 0.5, 5, 'stated', true],
    ['tested before a person said that it is fixed', said, 'still_vulnerable', 0.5, 5, 'stated', true],
    ['seen after a person said that it is fixed', said, 'seen', 2, 1, null, false],
    ['fixed before it was seen again', { ...found, seenAt: at(3) }, 'fixed', 2, 1, 'seen', false],
    ['fixed before a person reopened it', { ...found, statedAt: at(3) }, 'fixed', 2, 1, 'stated', false],
    ['fixed after it was seen', found, 'fixed', 2, 5, null, false],
    ['tested before a file without times had it', { ...proved, seenAt: at(3) }, 'still_vulnerable', 2, 1, null, false],
    ['of a false positive', { ...found, status: 7 }, 'seen', 2, 7, null, false],
  ])('%s', (_name, known, kind, hours, status, outdatedBy, contradicts) => {
    expect(decideObservation(known, { kind, at: at(hours) })).toMatchObject({ status, outdatedBy, contradicts });
  });

  it.each<[string, Knowledge, FindingStatus, boolean]>([
    ['an open finding', found, 1, false],
    ['a proved fix', proved, 5, true],
    ['a fix that a person stated', said, 5, true],
    ['a fix of which nothing is known', { ...proved, seenAt: null, fixedAt: null }, 5, true],
  ])('without a time changes nothing of %s', (_name, known, status, contradicts) => {
    const decision = decideObservation(known, { kind: 'seen', at: at(9), isDated: false });
    expect(decision).toMatchObject({ status, contradicts, renewsTerm: false });
  });

  it('of a job of two hours, beside a retest, counts from its response', () => {
    const retested = after(found, 'fixed', at(1));
    expect(after(retested, 'seen', at(0.1)).status).toBe(FINDING_STATUS.resolved);
    expect(after(retested, 'seen', at(1.9)).status).toBe(FINDING_STATUS.open);
  });
});

describe('the term of a finding that returns', () => {
  it.each<[string, Knowledge, boolean]>([
    ['that a test proved to be fixed', proved, true],
    ['that a person said to be fixed', said, false],
    ['that a person said to be fixed after an earlier proof', { ...proved, statedAt: at(3) }, false],
    ['that a test proved to be fixed after a person said so', { ...said, fixedAt: at(2) }, true],
  ])('%s begins again only after a proved fix', (_name, known, isRenewed) => {
    expect(decideObservation(known, { kind: 'seen', at: at(9) }).renewsTerm).toBe(isRenewed);
    expect(decideObservation(known, { kind: 'still_vulnerable', at: at(9) }).renewsTerm).toBe(isRenewed);
    expect(renewsTerm(known, FINDING_STATUS.open)).toBe(isRenewed);
  });
});

describe('a change of the status', () => {
  it('is a statement if it says whether the weakness is there', () => {
    expect(isStatement(1, 5)).toBe(true);
    expect(isStatement(5, 1)).toBe(true);
    expect(isStatement(1, 4)).toBe(true);
    expect(isStatement(1, 3)).toBe(false);
    expect(isStatement(5, 5)).toBe(false);
  });
});
