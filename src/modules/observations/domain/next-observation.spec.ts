import { nextObservation } from './next-observation';

it('the next observation is up to a tenth of the interval earlier or later', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  expect(nextObservation(now, 10, () => 0)).toEqual(new Date('2026-01-01T09:00:00Z'));
  expect(nextObservation(now, 10, () => 1)).toEqual(new Date('2026-01-01T11:00:00Z'));
});
