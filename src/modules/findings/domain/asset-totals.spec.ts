import * as fc from 'fast-check';
import { SEVERITIES, severityNumber } from '../../../kernel/severity';
import { changeOfTotals, isNoChange, type Totals, type CountedFinding } from './asset-totals';
import { FINDING_STATUS, isOpen } from './finding-status';

const finding = fc.record({
  status: fc.constantFrom(...Object.values(FINDING_STATUS)),
  severity: fc.nat(SEVERITIES.length - 1),
});

const none: Totals = { findings: 0, low: 0, medium: 0, high: 0, critical: 0, cosmic: 0 };

const sum = (one: Totals, other: Totals): Totals => ({
  findings: one.findings + other.findings,
  low: one.low + other.low,
  medium: one.medium + other.medium,
  high: one.high + other.high,
  critical: one.critical + other.critical,
  cosmic: one.cosmic + other.cosmic,
});

/** Counts all findings. The changes must add up to this. */
function totalsOf(findings: readonly CountedFinding[]): Totals {
  const standing = (severity: (typeof SEVERITIES)[number]): number =>
    findings.filter((one) => isOpen(one.status) && one.severity === severityNumber(severity)).length;
  return {
    findings: findings.length,
    low: standing('low'),
    medium: standing('medium'),
    high: standing('high'),
    critical: standing('critical'),
    cosmic: standing('cosmic'),
  };
}

describe('changeOfTotals', () => {
  it.each([
    [null, { status: 1, severity: 4 }, { ...none, findings: 1, high: 1 }],
    [null, { status: 1, severity: 1 }, { ...none, findings: 1 }],
    [
      { status: 1, severity: 4 },
      { status: 5, severity: 4 },
      { ...none, high: -1 },
    ],
    [
      { status: 6, severity: 2 },
      { status: 2, severity: 2 },
      { ...none, low: 1 },
    ],
    [
      { status: 2, severity: 3 },
      { status: 2, severity: 6 },
      { ...none, medium: -1, cosmic: 1 },
    ],
  ] as const)('from %j to %j is %j', (before, after, change) => {
    expect(changeOfTotals(before, after)).toEqual(change);
  });

  it('is zero for a transition that does not affect the totals', () => {
    expect(isNoChange(changeOfTotals({ status: 1, severity: 4 }, { status: 3, severity: 4 }))).toBe(true);
    expect(isNoChange(changeOfTotals({ status: 5, severity: 4 }, { status: 1, severity: 4 }))).toBe(false);
    expect(isNoChange(changeOfTotals(null, { status: 5, severity: 0 }))).toBe(false);
  });

  it('always adds up to a fresh count of the findings', () => {
    fc.assert(
      fc.property(fc.array(fc.array(finding, { minLength: 1, maxLength: 6 })), (lives) => {
        const changes = lives.flatMap((life) => life.map((after, at) => changeOfTotals(life[at - 1] ?? null, after)));
        expect(changes.reduce(sum, none)).toEqual(totalsOf(lives.flatMap((life) => life.slice(-1))));
      }),
    );
  });
});
