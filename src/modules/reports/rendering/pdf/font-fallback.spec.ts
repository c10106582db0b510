import * as fc from 'fast-check';
import { HOSTILE_TEXTS } from '../testing/hostile-texts';
import { worldFindings } from '../testing/world-findings';
import { mono, FALLBACKS, text } from './fonts';
import { isRightToLeft, FontFallback } from './font-fallback';

const familiesOf = (words: string): string[] => {
  const fonts = new FontFallback();
  fonts.paragraph(words);
  return fonts.families.map(({ name }) => name);
};

describe('FontFallback', () => {
  it.each([
    ['a control', 'a\u0000b\u001b[31m', 'a‹U+0000›b‹U+001B›[31m'],
    ['many of one', 'a\u0000\u0000\u0000b', 'a‹U+0000 ×3›b'],
    ['what turns the text around', 'invoice\u202egpj.exe', 'invoice‹U+202E›gpj.exe'],
    ['half a character', 'a\ud83db', 'a\ufffdb'],
    ['what has no glyph', 'a\ue000b', 'a\ufffdb'],
    ['letter and mark as one where they are one', 'e\u0301', '\u00e9'],
    ['marks without letters', '\u0301x', '\u25cc\u0301x'],
    ['a mark that no font has together with its letter', 'ก\u20e3', 'ก\u25cc\u20e3'],
    ['spaces and ends of lines', 'a \n\t b\u2028c', 'a b c'],
    ['a family, a skin, a flag', '👨‍👩‍👧 👍🏽 🇩🇪', '👨‍👩‍👧 👍🏽 🇩🇪'],
  ])('shows %s', (_what, raw, expected) => {
    expect(new FontFallback().plainText(raw)).toBe(expected);
  });

  it('gives each of many marks its own position', () => {
    expect(new FontFallback().plainText(`x${'\u0302'.repeat(7)}`)).toBe(`x${'\u25cc\u0302'.repeat(7)}`);
  });

  it('counts the characters that no font has a glyph for', () => {
    const fonts = new FontFallback();
    fonts.paragraph('\ue000\ue001 x');
    fonts.codeBlock('\u{10330}');
    expect(fonts.missingCharacters).toBe(3);
  });

  it('keeps the lines and spaces of code, and writes tabs as four spaces', () => {
    expect(new FontFallback().codeBlock('a\r\n\tb  c\n\n\n\nd\n\n')).toBe('a\n    b  c\n\nd');
  });

  it.each([
    ['Latin, ½ € “x” …', []],
    ['ثغرة', ['Vazirmatn']],
    ['ﷺ', ['Noto Sans Arabic']],
    ['漢字 かな', ['Noto Sans SC']],
    ['한국어', ['Noto Sans KR']],
    ['✗ ∀', ['Noto Sans Symbols 2', 'Noto Sans Math']],
    ['🔥', ['Noto Emoji']],
  ])('uses no more fonts than it needs for %s', (words, families) => {
    expect(familiesOf(words)).toEqual(families);
  });

  it('has glyphs for every supported script', () => {
    const fonts = new FontFallback();
    for (const { title, md } of worldFindings()) {
      fonts.paragraph(title);
      fonts.codeBlock(md ?? '');
    }
    expect(fonts.missingCharacters).toBe(0);
  });

  it('takes the direction of a text from its first letter', () => {
    expect(new FontFallback().paragraph('(2) ثغرة x')).toEqual({ rtl: '(2) ثغرة x' });
    expect(['שלום', '1. نص', 'a ثغرة', '123', ''].map(isRightToLeft)).toEqual([true, true, false, false, false]);
  });

  it('returns only characters that a font can draw, for any input', () => {
    const drawn = (line: string): boolean =>
      Array.from(line).every((character) => {
        const point = character.codePointAt(0) ?? 0;
        const ignored = /[\n\p{Default_Ignorable_Code_Point}]/u.test(character);
        return ignored || [text, mono, ...FALLBACKS].some(({ covers }) => covers(point));
      });
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(...Object.values(HOSTILE_TEXTS)),
    );
    fc.assert(
      fc.property(anything, (raw) => {
        const fonts = new FontFallback();
        const lines = [fonts.plainText(raw), [fonts.codeBlock(raw)].flat().join('')];
        expect(lines.filter((line) => !line.isWellFormed() || !drawn(line))).toEqual([]);
      }),
    );
  });

  it.each([
    ['control characters', 'a\u0007'],
    ['marks of two classes in turn', '\u0301\u0327'],
    ['flags', '🇩🇪'],
    ['letters without spaces', 'ثغرة'],
    ['line feeds, with a letter behind them', '\n'],
  ])('takes time in proportion to the length of a text: %s', (_name, unit) => {
    const cpuMsOf = (length: number): number => {
      const raw = `a${unit.repeat(length / unit.length)}b`;
      const before = process.cpuUsage();
      new FontFallback().codeBlock(raw);
      new FontFallback().paragraph(raw);
      return process.cpuUsage(before).user / 1_000;
    };
    // Fonts are read when they are first needed.
    cpuMsOf(100);
    const [short, long] = [cpuMsOf(8_192), cpuMsOf(16 * 8_192)];
    // With quadratic growth the longer text would take 256 times as long.
    expect(long).toBeLessThan(60 * Math.max(20, short));
  });
});
