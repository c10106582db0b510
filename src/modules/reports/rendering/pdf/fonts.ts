import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type Coverage, coverageOf } from './font-coverage';

export interface Family {
  /** The family name in the font file. */
  readonly name: string;
  readonly covers: Coverage;
  /** The OpenType files, one for each weight and style. */
  readonly fonts: () => readonly Buffer[];
}

type Style = '400Regular' | '400Regular_Italic' | '600SemiBold' | '600SemiBold_Italic';

const FOLDER = join(__dirname, 'fonts');

const read = (name: string, style: Style): Buffer =>
  brotliDecompressSync(readFileSync(join(FOLDER, `${name.replaceAll(' ', '')}_${style}.ttf.br`)));

/** Files are read when a report needs them for the first time. */
function family(name: string, ...styles: readonly Style[]): Family {
  let fonts: readonly Buffer[] | undefined;
  let coverage: Coverage | undefined;
  const load = (): readonly Buffer[] => (fonts ??= styles.map((style) => read(name, style)));
  const loadCoverage = (): Coverage => (coverage ??= coverageOf(read(name, '400Regular')));
  return { name, fonts: load, covers: (point) => loadCoverage()(point) };
}

const UPRIGHT = ['400Regular', '600SemiBold'] as const;

export const text = family('Noto Sans', ...UPRIGHT, '400Regular_Italic', '600SemiBold_Italic');
export const mono = family('Noto Sans Mono', ...UPRIGHT);

/** In the order in which they are tried for a character that the previous fonts lack. */
export const FALLBACKS: readonly Family[] = [
  family('Vazirmatn', ...UPRIGHT),
  family('Noto Sans Arabic', ...UPRIGHT),
  family('Noto Sans Hebrew', ...UPRIGHT),
  family('Noto Sans Devanagari', ...UPRIGHT),
  family('Noto Sans Bengali', ...UPRIGHT),
  family('Noto Sans Tamil', ...UPRIGHT),
  family('Noto Sans Thai', ...UPRIGHT),
  family('Noto Sans Symbols', ...UPRIGHT),
  family('Noto Sans Symbols 2', '400Regular'),
  family('Noto Sans Math', '400Regular'),
  // Chinese and Japanese. It also has symbols, but it is large, so it is tried late.
  family('Noto Sans SC', ...UPRIGHT),
  family('Noto Sans KR', ...UPRIGHT),
  family('Noto Emoji', '400Regular'),
  family('Noto Sans SC Rare', '400Regular'),
  family('Noto Sans KR Rare', '400Regular'),
];
