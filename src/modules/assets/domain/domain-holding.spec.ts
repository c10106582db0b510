import { settle } from './domain-holding';
import type { Judgement } from './domain-proof';

const found: Judgement = { verdict: 'found', reason: 'example.com has the record.' };

describe('settle', () => {
  it.each([[[]], [['absent']], [['absent', 'absent']]] as const)(
    'gives it to who proved it when %j is left',
    (holders) => {
      expect(settle(found, holders)).toBe(found);
    },
  );

  it.each([[['found']], [['unknown']], [[undefined]], [['absent', 'found']], [['absent', 'unknown']]] as const)(
    'leaves it where it is when %j is left, and names nobody',
    (holders) => {
      const { verdict, reason } = settle(found, holders);
      expect(verdict).toBe('unknown');
      expect(reason).toMatch(/^The record is there, but another verification record .* still stands\./);
    },
  );

  it.each(['absent', 'unknown'] as const)('changes nothing about a look-up that came to %s', (verdict) => {
    const judgement = { verdict, reason: 'Nothing.' };
    expect(settle(judgement, ['absent'])).toBe(judgement);
    expect(settle(judgement, ['found'])).toBe(judgement);
  });
});
