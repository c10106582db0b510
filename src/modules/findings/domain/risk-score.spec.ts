import * as fc from 'fast-check';
import { riskScore } from './risk-score';

describe('riskScore', () => {
  it.each([
    [{}, '0.0'],
    [{ none: 1000, info: 1000 }, '0.0'],
    [{ low: 1 }, '0.5'],
    [{ low: 2 }, '1.0'],
    [{ medium: 1 }, '2.0'],
    [{ high: 1 }, '4.5'],
    [{ critical: 1 }, '7.0'],
    [{ cosmic: 1 }, '9.0'],
    [{ medium: 1, low: 1 }, '2.4'],
    // 10 x (1 - 0.3 x 0.95) is 7.15, and five hundredths are rounded up.
    [{ critical: 1, low: 1 }, '7.2'],
    [{ cosmic: 3 }, '10.0'],
    [{ low: 1_000_000 }, '10.0'],
  ])('of %j is %s', (standing, expected) => {
    expect(riskScore(standing)).toBe(expected);
  });

  it('has one decimal from 0.0 to 10.0 and never decreases when a finding is added', () => {
    const count = fc.nat(30);
    const counts = fc.record({ low: count, medium: count, high: count, critical: count, cosmic: count });
    fc.assert(
      fc.property(counts, fc.constantFrom('low', 'medium', 'high', 'critical', 'cosmic'), (standing, added) => {
        const score = riskScore(standing);
        expect(score).toMatch(/^(\d\.\d|10\.0)$/);
        const more = riskScore({ ...standing, [added]: standing[added] + 1 });
        expect(Number(more)).toBeGreaterThanOrEqual(Number(score));
      }),
    );
  });
});
