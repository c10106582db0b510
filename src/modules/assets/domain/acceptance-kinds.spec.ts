import { endOf, kindOf, storedEnds } from './acceptance-kinds';

const now = new Date('2026-11-01T12:00:00Z');
const later = new Date('2027-01-31T00:00:00Z');

it.each(['findings', 'incompleteness'] as const)('an acceptance that covers %s is read as it was stored', (covers) => {
  const stored = storedEnds(covers, later, now);
  expect([kindOf(stored), endOf(stored)]).toEqual([covers, later]);
});

it('an acceptance of incompleteness is an expired one of findings for the previous version', () => {
  expect(storedEnds('incompleteness', later, now).until).toEqual(now);
});

it('an acceptance that the previous version has changed covers findings', () => {
  const changed = { ...storedEnds('incompleteness', later, now), until: later };
  expect([kindOf(changed), endOf(changed)]).toEqual(['findings', later]);
});
