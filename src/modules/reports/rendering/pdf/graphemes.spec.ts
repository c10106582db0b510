import * as fc from 'fast-check';
import { graphemesOf } from './graphemes';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

describe('graphemesOf', () => {
  it('divides texts of any length as the segmenter does', () => {
    const part = fc.constantFrom(
      'a',
      ' ',
      '\r\n',
      'e\u0301',
      '👨‍👩‍👧',
      '🇩',
      '👍🏽',
      '\u1100\u1161',
      'क्ष',
      '\ud83d',
      '\u0f71',
      '中',
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 300, maxLength: 1_500 }), (parts) => {
        const text = parts.join('');
        expect([...graphemesOf(text)]).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment));
      }),
      { numRuns: 50 },
    );
  });

  it('divides a grapheme of ten thousand marks without losing any', () => {
    const text = `a${'\u0301'.repeat(5_000)}${'\u{e0041}'.repeat(5_000)}b`;
    const graphemes = [...graphemesOf(text)];
    expect(graphemes.join('')).toBe(text);
    expect(graphemes.every((grapheme) => grapheme.isWellFormed() && grapheme.length <= 512)).toBe(true);
  });
});
