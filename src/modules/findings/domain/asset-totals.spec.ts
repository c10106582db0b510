import * as fc from 'fast-check';
import { SEVERITIES, severityNumber } from '../../../kernel/severity';
import { changeOfTotals, isNoChange, type Totals, type CountedFinding } from './asset-totals';
import { FINDING_STATUS, isOpen } from './finding-status';
import { RISK_WEIGHTS } from './risk-score';
import { VERIFICATION_RESULTS } from './verification';

const finding = fc.record({
  status: fc.constantFrom(...Object.values(FINDING_STATUS)),
  severity: fc.nat(SEVERITIES.length - 1),
  verification: fc.constantFrom(...VERIFICATION_RESULTS),
});

const none: Totals = { findings: 0, low: 0, medium: 0, high: 0, critical: 0, cosmic: 0, proved: 0, refuted: 0 };

const sum = (one: Totals, other: Totals): Totals => ({
  findings: one.findings + other.findings,
  low: one.low + other.low,
  medium: one.medium + other.medium,
  high: one.high + other.high,
  critical: one.critical + other.critical,
  cosmic: one.cosmic + other.cosmic,
  proved: one.proved + other.proved,
  refuted: one.refuted + other.refuted,
});

/** Counts all findings. The changes must add up to this. */
function totalsOf(findings: readonly CountedFinding[]): Totals {
  const standing = (severity: (typeof SEVERITIES)[number]): number =>
    findings.filter((one) => isOpen(one.status) && one.severity === severityNumber(severity)).length;
  const weightOf = (verification: CountedFinding['verification']): number =>
    findings
      .filter((one) => isOpen(one.status) && one.verification === verification)
      .reduce((total, { severity }) => total + (RISK_WEIGHTS[severity] ?? 0), 0);
  return {
    findings: findings.length,
    low: standing('low'),
    medium: standing('medium'),
    high: standing('high'),
    critical: standing('critical'),
    cosmic: standing('cosmic'),
    proved: weightOf('confirmed'),
    refuted: weightOf('refuted'),
  };
}

describe('changeOfTotals', () => {
  it.each([
    [null, { status: 1, severity: 4, verification: 'untested' }, { ...none, findings: 1, high: 1 }],
    [null, { status: 1, severity: 1, verification: 'untested' }, { ...none, findings: 1 }],
    [
      { status: 1, severity: 4, verification: 'untested' },
      { status: 5, severity: 4, verification: 'untested' },
      { ...none, high: -1 },
    ],
    [
      { status: 6, severity: 2, verification: 'untested' },
      { status: 2, severity: 2, verification: 'untested' },
      { ...none, low: 1 },
    ],
    [
      { status: 1, severity: 4, verification: 'untested' },
      { status: 1, severity: 4, verification: 'confirmed' },
      { ...none, proved: 598 },
    ],
    [
      { status: 1, severity: 4, verification: 'confirmed' },
      { status: 1, severity: 4, verification: 'refuted' },
      { ...none, proved: -598, refuted: 598 },
    ],
    [
      { status: 2, severity: 3, verification: 'untested' },
      { status: 2, severity: 6, verification: 'untested' },
      { ...none, medium: -1, cosmic: 1 },
    ],
  ] as const)('from %j to %j is %j', (before, after, change) => {
    expect(changeOfTotals(before, after)).toEqual(change);
  });

  it('is zero for a transition that does not affect the totals', () => {
    expect(
      isNoChange(
        changeOfTotals(
          { status: 1, severity: 4, verification: 'untested' },
          { status: 3, severity: 4, verification: 'untested' },
        ),
      ),
    ).toBe(true);
    expect(
      isNoChange(
        changeOfTotals(
          { status: 5, severity: 4, verification: 'untested' },
          { status: 1, severity: 4, verification: 'untested' },
        ),
      ),
    ).toBe(false);
    expect(isNoChange(changeOfTotals(null, { status: 5, severity: 0, verification: 'untested' }))).toBe(false);
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
