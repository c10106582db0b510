import { resolveOwnership } from './domain-ownership';
import type { LookupResult } from './domain-proof';

const found: LookupResult = { verdict: 'found', reason: 'example.com has the record.' };

describe('settle', () => {
  it.each([[[]], [['absent']], [['absent', 'absent']]] as const)(
    'gives it to who proved it when %j is left',
    (owners) => {
      expect(resolveOwnership(found, owners)).toBe(found);
    },
  );

  it.each([[['found']], [['unknown']], [[undefined]], [['absent', 'found']], [['absent', 'unknown']]] as const)(
    'leaves it where it is when %j is left, and names nobody',
    (owners) => {
      const { verdict, reason } = resolveOwnership(found, owners);
      expect(verdict).toBe('unknown');
      expect(reason).toMatch(/^The record is there, but another verification record .* still stands\./);
    },
  );

  it.each(['absent', 'unknown'] as const)('changes nothing about a look-up that came to %s', (verdict) => {
    const result = { verdict, reason: 'Nothing.' };
    expect(resolveOwnership(result, ['absent'])).toBe(result);
    expect(resolveOwnership(result, ['found'])).toBe(result);
  });
});
