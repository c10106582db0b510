import { readFileSync } from 'node:fs';
import { coverageOf } from './font-coverage';
import { mono, FALLBACKS, text } from './fonts';

const all = [text, mono, ...FALLBACKS];

it.each(all.map((family) => [family.name, family] as const))(
  '%s covers the scripts that it is declared for',
  (name, { covers }) => {
    const samples: Readonly<Record<string, string>> = {
      'Noto Sans': 'AzßΩЖệ€\ufffd',
      'Noto Sans Mono': 'Az0{}→●',
      Vazirmatn: 'ءيپگچ١۲',
      'Noto Sans Arabic': 'ءيﷺ',
      'Noto Sans Hebrew': 'את',
      'Noto Sans Devanagari': 'कष',
      'Noto Sans Bengali': 'কয়',
      'Noto Sans Tamil': 'தழ்',
      'Noto Sans Thai': 'กำ',
      'Noto Sans SC': '漢かカ們',
      'Noto Sans KR': '가한',
      'Noto Sans Symbols': '⚕',
      'Noto Sans Symbols 2': '✗✔☑☢',
      'Noto Sans Math': '∀𝔸→',
      'Noto Emoji': '🔥🏽',
      'Noto Sans SC Rare': '龘㐀',
      'Noto Sans KR Rare': '갂힣',
    };
    expect(Array.from(samples[name] ?? '?').filter((letter) => !covers(letter.codePointAt(0) ?? 0))).toEqual([]);
    expect(covers(0xe000)).toBe(false);
  },
);

it('throws for a file that is not a font', () => {
  expect(() => coverageOf(readFileSync(__filename))).toThrow(/has no table cmap|outside buffer bounds/);
});
