import { believedSince, beliefOf } from './belief';

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));

it.each([
  ['confirmed', 'A job saw the weakness.', 'proved'],
  ['confirmed', null, 'proved'],
  ['refuted', 'It is not there.', 'refuted'],
  ['untested', 'Its test waits for a worker.', 'claimed'],
  ['inconclusive', 'The server did not answer.', 'claimed'],
  ['untested', null, 'untestable'],
] as const)('a finding that is %s because of %j is %s', (verification, verificationReason, belief) => {
  expect(beliefOf({ verification, verificationReason })).toBe(belief);
});

it.each([
  ['its change', 'confirmed', day(3), day(2), day(3)],
  ['the test, if only that is known', 'confirmed', null, day(2), day(2)],
  ['its record, if no test has decided', 'inconclusive', null, day(2), day(1)],
] as const)('a belief is as old as %s', (_what, verification, since, verifiedAt, expected) => {
  expect(believedSince({ verification, believedSince: since, verifiedAt, created: day(1) })).toEqual(expected);
});
