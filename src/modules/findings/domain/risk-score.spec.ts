import * as fc from 'fast-check';
import { SEVERITIES } from '../../../kernel/severity';
import { RISK_WEIGHTS, riskScore } from './risk-score';

const COUNTED = ['low', 'medium', 'high', 'critical', 'cosmic'] as const;

const weightOf = (counts: Readonly<Partial<Record<(typeof COUNTED)[number], number>>>): number =>
  COUNTED.reduce((sum, one) => sum + (counts[one] ?? 0) * (RISK_WEIGHTS[SEVERITIES.indexOf(one)] ?? 0), 0);

describe('riskScore', () => {
  it.each([
    [{}, '0.0'],
    [{ low: 1 }, '0.5'],
    [{ low: 2 }, '1.0'],
    [{ medium: 1 }, '2.0'],
    [{ high: 1 }, '4.5'],
    [{ critical: 1 }, '7.0'],
    [{ cosmic: 1 }, '9.0'],
    [{ medium: 1, low: 1 }, '2.4'],
    [{ cosmic: 4 }, '10.0'],
    [{ low: 1_000_000 }, '10.0'],
  ])('of %j that are proved is %s', (standing, expected) => {
    expect(riskScore({ ...standing, proved: weightOf(standing) })).toBe(expected);
  });

  it('counts no findings of the severities none and info', () => {
    expect(riskScore({ none: 1_000, info: 1_000 })).toBe('0.0');
  });

  it('of claims is at most 4.0, which is less than that of one proved high finding', () => {
    expect(riskScore({ critical: 1 })).toBe('2.8');
    expect(riskScore({ critical: 1_000 })).toBe('4.0');
    expect(riskScore({ high: 1, proved: weightOf({ high: 1 }) })).toBe('4.5');
  });

  it('adds nothing for what was refuted', () => {
    expect(riskScore({ critical: 2, refuted: weightOf({ critical: 2 }) })).toBe('0.0');
    expect(riskScore({ critical: 2, refuted: weightOf({ critical: 1 }) })).toBe('2.8');
  });

  it('has one decimal from 0.0 to 10.0, and never decreases when a finding is added or a claim is proved', () => {
    const count = fc.nat(30);
    const counts = fc.record({ low: count, medium: count, high: count, critical: count, cosmic: count });
    fc.assert(
      fc.property(counts, counts, fc.constantFrom(...COUNTED), (proved, claimed, added) => {
        const all = Object.fromEntries(COUNTED.map((one) => [one, proved[one] + claimed[one]])) as typeof proved;
        const score = riskScore({ ...all, proved: weightOf(proved) });
        expect(score).toMatch(/^(\d\.\d|10\.0)$/);
        const more = riskScore({ ...all, [added]: all[added] + 1, proved: weightOf(proved) });
        expect(Number(more)).toBeGreaterThanOrEqual(Number(score));
        expect(Number(riskScore({ ...all, proved: weightOf(all) }))).toBeGreaterThanOrEqual(Number(score));
      }),
    );
  });
});
