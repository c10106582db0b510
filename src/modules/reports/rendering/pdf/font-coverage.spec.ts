import { existsSync, readdirSync } from 'node:fs';
import { coverageOf } from './font-coverage';
import { mono, others, text } from './fonts';

const all = [text, mono, ...others];

it.each(all.map((family) => [family.name, family] as const))('%s covers what it is for', (name, { covers }) => {
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
    'Noto Sans SC': '漢かカ龘',
    'Noto Sans KR': '가힣',
    'Noto Sans Symbols': '⚕',
    'Noto Sans Symbols 2': '✗✔☑☢',
    'Noto Sans Math': '∀𝔸→',
    'Noto Emoji': '🔥🏽',
  };
  expect(Array.from(samples[name] ?? '?').filter((letter) => !covers(letter.codePointAt(0) ?? 0))).toEqual([]);
  expect(covers(0xe000)).toBe(false);
});

it('has each weight in a folder with nothing else that is a font', () => {
  const folders = all.flatMap((family) => family.folders);
  const fonts = folders.map((folder) =>
    (existsSync(folder) ? readdirSync(folder) : []).filter((file) => /\.[ot]tf$/i.test(file)),
  );
  expect(fonts.map((files) => files.length)).toEqual(folders.map(() => 1));
});

it('says of a file that is no font that it is none', () => {
  expect(() => coverageOf(__filename)).toThrow(/is no font that says what it covers|outside buffer bounds/);
});
