import * as fc from 'fast-check';
import { isAtLeast, isSeverity, SEVERITIES, severityFromScore, severityNumber, severityVocabulary } from './severity';

describe('severity', () => {
  it('has the numbers 0 to 6', () => {
    expect(severityVocabulary).toEqual([
      { number: 0, name: 'none' },
      { number: 1, name: 'info' },
      { number: 2, name: 'low' },
      { number: 3, name: 'medium' },
      { number: 4, name: 'high' },
      { number: 5, name: 'critical' },
      { number: 6, name: 'cosmic' },
    ]);
    expect(severityNumber('high')).toBe(4);
  });

  it.each([
    [0, 'none'],
    [0.1, 'low'],
    [3.9, 'low'],
    [4, 'medium'],
    [6.9, 'medium'],
    [7, 'high'],
    [8.9, 'high'],
    [9, 'critical'],
    [9.9, 'critical'],
    [10, 'cosmic'],
  ] as const)('derives from a score of %d the severity %s', (score, severity) => {
    expect(severityFromScore(score)).toBe(severity);
  });

  it('never derives info, and never derives a lower severity from a higher score', () => {
    const score = fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(score, score, (one, other) => {
        expect(severityFromScore(one)).not.toBe('info');
        const [lower, higher] = one < other ? [one, other] : [other, one];
        expect(isAtLeast(severityFromScore(higher), severityFromScore(lower))).toBe(true);
      }),
    );
  });

  it('recognizes exactly the names of severities', () => {
    expect(SEVERITIES.every(isSeverity)).toBe(true);
    expect(['', 'High', 'unknown', 'toString', '4'].some(isSeverity)).toBe(false);
  });
});
