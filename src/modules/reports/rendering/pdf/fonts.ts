import { dirname, join } from 'node:path';
import { type Coverage, coverageOf } from './font-coverage';

export interface Family {
  /** As the font itself says it. */
  readonly name: string;
  /** One folder a weight, with nothing but that font in it. */
  readonly folders: readonly string[];
  readonly covers: Coverage;
}

type Weight = '400Regular' | '400Regular_Italic' | '600SemiBold' | '600SemiBold_Italic';

/**
 * Every weight that the template asks for is here, because the typesetter also knows the fonts of the machine, and takes
 * one of those only for a weight that we lack: a report must look the same wherever it is made.
 */
function family(name: string, slug: string, ...weights: readonly Weight[]): Family {
  const folder = dirname(require.resolve(`@expo-google-fonts/${slug}/package.json`));
  const file = `${name.replaceAll(' ', '')}_400Regular.ttf`;
  let known: Coverage | undefined;
  return {
    name,
    folders: weights.map((weight) => join(folder, weight)),
    covers: (point) => (known ??= coverageOf(join(folder, '400Regular', file)))(point),
  };
}

const upright = ['400Regular', '600SemiBold'] as const;

export const text = family('Noto Sans', 'noto-sans', ...upright, '400Regular_Italic', '600SemiBold_Italic');
export const mono = family('Noto Sans Mono', 'noto-sans-mono', ...upright);

/** Asked in this order for what the first ones lack. The Chinese one knows kana too, the Korean one is asked for Hangul. */
export const others: readonly Family[] = [
  family('Vazirmatn', 'vazirmatn', ...upright),
  family('Noto Sans Arabic', 'noto-sans-arabic', ...upright),
  family('Noto Sans Hebrew', 'noto-sans-hebrew', ...upright),
  family('Noto Sans Devanagari', 'noto-sans-devanagari', ...upright),
  family('Noto Sans Bengali', 'noto-sans-bengali', ...upright),
  family('Noto Sans Tamil', 'noto-sans-tamil', ...upright),
  family('Noto Sans Thai', 'noto-sans-thai', ...upright),
  family('Noto Sans Symbols', 'noto-sans-symbols', ...upright),
  family('Noto Sans Symbols 2', 'noto-sans-symbols-2', '400Regular'),
  family('Noto Sans Math', 'noto-sans-math', '400Regular'),
  // These have signs too, and are ten times as large: last but for what is drawn as a picture.
  family('Noto Sans SC', 'noto-sans-sc', ...upright),
  family('Noto Sans KR', 'noto-sans-kr', ...upright),
  family('Noto Emoji', 'noto-emoji', ...upright),
];
