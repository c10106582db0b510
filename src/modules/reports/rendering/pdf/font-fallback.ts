import { type Family, mono, fallbacks, text } from './fonts';
import { graphemesOf } from './graphemes';
import { withLineBreaks, hasLongRun, type BreakableText } from './line-breaks';

/** A text as the template takes it, marked where it is read from the right. */
export type DirectedText = BreakableText | { readonly rtl: BreakableText };

const PLAIN = /^[\x20-\x7e]*$/;
/** What the first font has for certain. */
const IN_FIRST_FONT = /^[\n\x20-\x7e\xa0-\xac\xae-\u024f\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2039\u203a]*$/;
/** Seen by nobody unless it is written out; some of it turns the text that follows it around. */
const HIDDEN = /([^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069])\1*/gu;
/** Drawn by no glyph, and by no font's fault; the fillers of Hangul are, as a space. */
const INVISIBLE = /(?![\u115f\u1160\u3164\uffa0])\p{Default_Ignorable_Code_Point}/u;
const MARK = /[\p{Mn}\p{Me}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const missing = '\ufffd';
const maxMarks = 6;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Makes texts fit to be set: what cannot be seen is written out, what no font has is marked, long words get chances to
 * break. It remembers which fonts that took, and how many characters there was no glyph for.
 */
export class FontFallback {
  private readonly used = new Set<Family>();
  private missing = 0;

  get families(): readonly Family[] {
    return fallbacks.filter((family) => this.used.has(family));
  }

  get missingCharacters(): number {
    return this.missing;
  }

  /** A text that is a paragraph of its own. */
  paragraph(raw: string, longest = 36): DirectedText {
    const inline = this.inline(raw, longest);
    return isRightToLeft(raw) ? { rtl: inline } : inline;
  }

  /** A part of running words: spaces and ends of lines in it are one space. */
  inline(raw: string, longest = 36): BreakableText {
    return this.singleLine(raw, text, longest);
  }

  /** In one piece: for what is no part of a page. */
  plainText(raw: string): string {
    return [this.inline(raw)].flat().join('');
  }

  /** Words of code among others. */
  inlineCode(raw: string, longest = 36): BreakableText {
    return this.singleLine(raw, mono, longest);
  }

  /** A text whose lines and spaces matter. */
  codeBlock(raw: string, longest = 24): BreakableText {
    if (PLAIN.test(raw) && !raw.includes('  ') && !hasLongRun(raw, longest)) return raw;
    const lines = trimTrailingLineFeeds(raw.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').replace(/\t/g, '    '));
    return withLineBreaks(this.makePrintable(lines.replace(/\n{3,}/g, '\n\n'), mono), longest);
  }

  private singleLine(raw: string, first: Family, longest: number): BreakableText {
    if (PLAIN.test(raw) && !raw.includes('  ') && !hasLongRun(raw, longest)) return raw;
    const line = raw.replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, ' ').replace(/[ \u00a0]{2,}/g, ' ');
    return withLineBreaks(this.makePrintable(line, first), longest);
  }

  private makePrintable(raw: string, first: Family): string {
    if (IN_FIRST_FONT.test(raw)) return raw;
    const clean = raw
      .toWellFormed()
      .replace(HIDDEN, (run, one: string) =>
        run.length === 1 ? `‹${codeOf(one)}›` : `‹${codeOf(one)} ×${run.length}›`,
      );
    if (IN_FIRST_FONT.test(clean)) return clean;
    // Composed one by one: composing takes the square of the number of marks that follow each other.
    return Array.from(graphemesOf(clean), (grapheme) => this.drawable(grapheme.normalize('NFC'), first)).join('');
  }

  /** One grapheme, as one font can draw it; or its characters one by one, each as any font can. */
  private drawable(grapheme: string, first: Family): string {
    if (IN_FIRST_FONT.test(grapheme)) return grapheme;
    const characters = Array.from(grapheme);
    const seen = characters.filter((character) => !INVISIBLE.test(character));
    const marks = seen.filter((character) => MARK.test(character));
    if (marks.length > maxMarks || (marks.length > 0 && marks[0] === seen[0]))
      return this.separateMarks(characters, first);
    const family = [first, text, ...fallbacks].find(({ covers }) =>
      seen.every((character) => covers(character.codePointAt(0) ?? 0)),
    );
    if (family !== undefined) {
      this.used.add(family);
      return grapheme;
    }
    if (characters.length > 1) return this.separateMarks(characters, first);
    this.missing += 1;
    return missing;
  }

  /** Marks that have no letter, that would be heaped on one, or that no font has together with it each get a place. */
  private separateMarks(characters: readonly string[], first: Family): string {
    return characters
      .map((character) =>
        MARK.test(character) ? this.markOnDottedCircle(character, first) : this.drawable(character, first),
      )
      .join('');
  }

  private markOnDottedCircle(markOnDottedCircle: string, first: Family): string {
    const point = markOnDottedCircle.codePointAt(0) ?? 0;
    const family = [first, text, ...fallbacks].find(({ covers }) => covers(point) && covers(0x25cc));
    if (family === undefined) return this.drawable(missing, first);
    this.used.add(family);
    return `\u25cc${markOnDottedCircle}`;
  }
}

/** Not by an expression: one that has to end with the text is tried again from each of many line feeds. */
function trimTrailingLineFeeds(lines: string): string {
  let end = lines.length;
  while (lines[end - 1] === '\n') end -= 1;
  return lines.slice(0, end);
}

/** By its first letter, as the bidirectional algorithm has it. */
export const isRightToLeft = (raw: string): boolean => RIGHT_TO_LEFT.test(/\p{L}/u.exec(raw)?.[0] ?? '');
