import { resolveOwnership } from './domain-ownership';
import type { LookupResult } from './domain-proof';

const found: LookupResult = { verdict: 'found', reason: 'example.com has the record.' };

describe('resolveOwnership', () => {
  it.each([[[]], [['absent']], [['absent', 'absent']]] as const)(
    'assigns the domain to the new claimant when the owners have %j',
    (owners) => {
      expect(resolveOwnership(found, owners)).toBe(found);
    },
  );

  it.each([[['found']], [['unknown']], [[undefined]], [['absent', 'found']], [['absent', 'unknown']]] as const)(
    'keeps the owner when the owners have %j, and names no other organization',
    (owners) => {
      const { verdict, reason } = resolveOwnership(found, owners);
      expect(verdict).toBe('unknown');
      expect(reason).toMatch(/^The record exists, but so does another verification record /);
    },
  );

  it.each(['absent', 'unknown'] as const)('does not change a lookup with the verdict %s', (verdict) => {
    const result = { verdict, reason: 'Nothing.' };
    expect(resolveOwnership(result, ['absent'])).toBe(result);
    expect(resolveOwnership(result, ['found'])).toBe(result);
  });
});
