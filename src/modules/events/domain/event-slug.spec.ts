import * as fc from 'fast-check';
import { newEventSlug } from './event-slug';

describe('newEventSlug', () => {
  it.each([
    ['Q4 Pentest', 'q4-pentest-abc123'],
    ['  --Crème Brûlée!--  ', 'creme-brulee-abc123'],
    ['STRASSE & Straße', 'strasse-strasse-abc123'],
    ['ﬁnal ① ℡', 'final-1-tel-abc123'],
    ['İstanbul', 'istanbul-abc123'],
    ['渗透测试', 'event-abc123'],
    ['тест на проникновение 2026', '2026-abc123'],
    ['🎯', 'event-abc123'],
    ['a'.repeat(200), `${'a'.repeat(56)}-abc123`],
    [`${'a'.repeat(55)} b`, `${'a'.repeat(55)}-abc123`],
  ])('%j is %s', (name, slug) => {
    expect(newEventSlug(name, 'abc123')).toBe(slug);
  });

  it('fits its pattern for every name, and no two are the same', () => {
    const anyText = fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points));
    fc.assert(
      fc.property(anyText, (name) => {
        const slug = newEventSlug(name);
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*-[a-z0-9]{6}$/);
        expect(slug.length).toBeLessThanOrEqual(63);
        expect(newEventSlug(name)).not.toBe(slug);
      }),
    );
  });
});
