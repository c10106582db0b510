import { verificationOfReplay } from './verification';

it.each([
  ['vulnerable', 'confirmed'],
  ['not_vulnerable', 'inconclusive'],
  ['inconclusive', 'inconclusive'],
] as const)('a replay that is %s makes a finding %s', (state, result) => {
  const verification = verificationOfReplay(state, 'what it saw');
  expect(verification).toEqual({ result, reason: expect.stringContaining('what it saw') });
  expect(verification.reason.includes('refutes nothing')).toBe(state === 'not_vulnerable');
});
