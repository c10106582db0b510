import { withLineBreaks, hasLongRun } from './line-breaks';

describe('broken', () => {
  it.each([
    ['short words stay whole', 'short words stay whole'],
    [`${'w'.repeat(8)} x`, `${'w'.repeat(8)} x`],
    [`a ${'w'.repeat(9)} b`, ['a wwww', 'wwww', 'w b']],
    ['see https://example.com/a?b=c', ['see http', 's://', 'exam', 'ple.', 'com/', 'a?', 'b=', 'c']],
    ['漢字'.repeat(20), '漢字'.repeat(20)],
    ['a\u00a0b\u00a0c\u00a0d\u00a0e\u00a0f', ['a\u00a0b\u00a0', 'c\u00a0d\u00a0', 'e\u00a0f']],
    ['👍🏽'.repeat(3), ['👍🏽👍🏽👍🏽']],
  ])('cuts %j as %j', (text, pieces) => {
    const cut = withLineBreaks(text, 8);
    expect([cut].flat()).toEqual([pieces].flat());
    expect([cut].flat().join('')).toBe(text);
  });

  it('divides every word that is too long without losing characters', () => {
    const text = `${'x'.repeat(65_536)} ${'%27'.repeat(500)} é${'\u0301y'.repeat(99)}`;
    const pieces = [withLineBreaks(text, 24)].flat();
    expect(pieces.join('')).toBe(text);
    expect(pieces.filter((piece) => hasLongRun(piece, 24))).toEqual([]);
  });
});
