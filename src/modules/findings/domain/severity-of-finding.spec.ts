import * as fc from 'fast-check';
import { SEVERITIES, severityFromScore } from '../../../kernel/severity';
import { requireScore, severityOfFinding } from './severity-of-finding';

const HEARTBLEED = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';

describe('severityOfFinding', () => {
  it('derives score and severity from the vector', () => {
    expect(severityOfFinding({ cvssVector: HEARTBLEED })).toEqual({
      severity: 'high',
      score: 7.5,
      cvssVector: HEARTBLEED,
    });
  });

  it('derives the severity from the score', () => {
    expect(severityOfFinding({ score: 9.9 })).toEqual({ severity: 'critical', score: 9.9, cvssVector: null });
  });

  it.each(SEVERITIES)('accepts %s without a score', (severity) => {
    expect(severityOfFinding({ severity, score: null })).toEqual({ severity, score: null, cvssVector: null });
  });

  it('accepts all three when they agree', () => {
    expect(severityOfFinding({ severity: 'high', score: 7.5, cvssVector: HEARTBLEED }).score).toBe(7.5);
  });

  it.each([
    [{}, 'Set one of severity, score and cvss_vector.'],
    [{ severity: null, score: null, cvssVector: null }, 'Set one of severity, score and cvss_vector.'],
    [{ score: 7.4, cvssVector: HEARTBLEED }, 'score 7.4 contradicts cvss_vector, which says 7.5.'],
    [{ severity: 'low', score: 7.4 }, 'severity low contradicts the score 7.4, which is high.'],
    [{ severity: 'critical', cvssVector: HEARTBLEED }, 'severity critical contradicts the score 7.5, which is high.'],
    [{ severity: 'info', score: 0 }, 'severity info contradicts the score 0.0, which is none.'],
    [{ severity: 'High' }, 'severity must be one of none, info, low, medium, high, critical, cosmic.'],
    [{ severity: '' }, 'severity must be one of'],
    [{ score: 10.1 }, 'score must be a number from 0.0 to 10.0'],
    [{ score: 5, cvssVector: '' }, 'cvss_vector must begin with'],
  ])('refuses %j', (statement, why) => {
    expect(() => severityOfFinding(statement)).toThrow(why);
  });

  it('accepts its own result as input', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (tenths) => {
        const answer = severityOfFinding({ score: tenths / 10 });
        expect(answer.severity).toBe(severityFromScore(tenths / 10));
        expect(severityOfFinding(answer)).toEqual(answer);
      }),
    );
  });
});

describe('requireScore', () => {
  it('accepts every tenth from 0.0 to 10.0', () => {
    const tenths = Array.from({ length: 101 }, (_, index) => Number((index / 10).toFixed(1)));
    expect(tenths.map((score) => requireScore(score, 'requested_score'))).toEqual(tenths);
  });

  it.each([-0.1, 10.1, 7.55, 0.01, NaN, Infinity, -Infinity])('refuses %d', (score) => {
    expect(() => requireScore(score, 'requested_score')).toThrow(/^requested_score must be a number/);
  });
});
