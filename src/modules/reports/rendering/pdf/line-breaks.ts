import { graphemesOf } from './graphemes';

/** A text, or its parts between which a line may break. */
export type BreakableText = string | readonly string[];

const PLAIN = /^[\x20-\x7e]*$/;
/** Sequences without a chance to break. The typesetter itself breaks scripts that break anywhere or by dictionary. */
const RUN =
  /[^ \n\u0e00-\u0eff\u1000-\u109f\u1680\u1780-\u17ff\u2000-\u2006\u2008-\u200b\u205f\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
const AFTER = /[/\\\-._~?&=#%+:,;@|)\]}>]/;

/** Whether the text has a longer sequence without a space. */
export function hasLongRun(raw: string, longest: number): boolean {
  let run = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const code = raw.charCodeAt(at);
    run = code === 0x20 || code === 0x0a ? 0 : run + 1;
    if (run > longest) return true;
  }
  return false;
}

/** Divides longer words: after punctuation if there is any, else every few letters. */
export function withLineBreaks(clean: string, longest: number): BreakableText {
  if (!hasLongRun(clean, longest)) return clean;
  const pieces: string[] = [];
  let rest = '';
  let from = 0;
  for (const match of clean.matchAll(RUN)) {
    if (match[0].length <= longest) continue;
    const parts = partsOf(match[0], Math.max(2, Math.min(10, longest >> 1)));
    const [begin = '', ...others] = parts;
    pieces.push(rest + clean.slice(from, match.index) + begin, ...others.slice(0, -1));
    rest = others.at(-1) ?? '';
    from = match.index + match[0].length;
  }
  pieces.push(rest + clean.slice(from));
  return pieces.length === 1 ? (pieces[0] ?? '') : pieces.filter((piece) => piece !== '');
}

function partsOf(run: string, step: number): string[] {
  const parts: string[] = [];
  let part = '';
  let length = 0;
  for (const one of PLAIN.test(run) ? run : graphemesOf(run)) {
    if (length > 0 && (length >= step || (AFTER.test(part.at(-1) ?? '') && !AFTER.test(one)))) {
      parts.push(part);
      part = '';
      length = 0;
    }
    part += one;
    length += 1;
  }
  return [...parts, part];
}
