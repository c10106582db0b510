import { requireCve } from './cve';

describe('the name of a CVE', () => {
  it.each(['CVE-1999-0001', 'CVE-2026-12345678'])('is %j', (text) => {
    expect(requireCve(text)).toBe(text);
  });

  it.each(['', 'CVE-2026-123', 'cve-2026-1234', 'CVE-26-1234', 'CVE-2026-1234\n', ' CVE-2026-1234', 'CVE-2026-1234a'])(
    'is not %j',
    (text) => {
      expect(() => requireCve(text)).toThrow(/^cve must be/);
    },
  );
});
