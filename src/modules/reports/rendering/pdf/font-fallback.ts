import { type Family, mono, FALLBACKS, text } from './fonts';
import { graphemesOf } from './graphemes';
import { withLineBreaks, hasLongRun, type BreakableText } from './line-breaks';

/** A text for the template, with its direction. */
export type DirectedText = BreakableText | { readonly rtl: BreakableText };

const PLAIN = /^[\x20-\x7e]*$/;
/** Characters that the first font certainly has. */
const IN_FIRST_FONT = /^[\n\x20-\x7e\xa0-\xac\xae-\u024f\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2039\u203a]*$/;
/** Invisible characters. Some of them change the direction of the text that follows, so they are written out. */
const HIDDEN = /([^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069])\1*/gu;
/** Characters that have no glyph in any font. Hangul fillers have one: a space. */
const INVISIBLE = /(?![\u115f\u1160\u3164\uffa0])\p{Default_Ignorable_Code_Point}/u;
const MARK = /[\p{Mn}\p{Me}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const REPLACEMENT_CHARACTER = '\ufffd';
const MAX_MARKS = 6;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Prepares texts for typesetting: invisible characters are written out, those that no font has are marked, long words get
 * chances to break. It remembers which fonts that took, and how many characters had no glyph.
 */
export class FontFallback {
  private readonly used = new Set<Family>();
  private missing = 0;

  get families(): readonly Family[] {
    return FALLBACKS.filter((family) => this.used.has(family));
  }

  get missingCharacters(): number {
    return this.missing;
  }

  /** A text that is one paragraph. */
  paragraph(raw: string, longest = 36): DirectedText {
    const inline = this.inline(raw, longest);
    return isRightToLeft(raw) ? { rtl: inline } : inline;
  }

  /** A part of a paragraph: spaces and line ends become one space. */
  inline(raw: string, longest = 36): BreakableText {
    return this.singleLine(raw, text, longest);
  }

  /** Without chances to break: for text that is not part of a page. */
  plainText(raw: string): string {
    return [this.inline(raw)].flat().join('');
  }

  /** Code inside a paragraph. */
  inlineCode(raw: string, longest = 36): BreakableText {
    return this.singleLine(raw, mono, longest);
  }

  /** A text whose line ends and spaces are kept. */
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
    // Normalized one by one: the time for a sequence of marks grows with the square of its length.
    return Array.from(graphemesOf(clean), (grapheme) => this.drawable(grapheme.normalize('NFC'), first)).join('');
  }

  /** A grapheme in one font that covers it, or else each of its characters in any font that covers it. */
  private drawable(grapheme: string, first: Family): string {
    if (IN_FIRST_FONT.test(grapheme)) return grapheme;
    const characters = Array.from(grapheme);
    const seen = characters.filter((character) => !INVISIBLE.test(character));
    const marks = seen.filter((character) => MARK.test(character));
    if (marks.length > MAX_MARKS || (marks.length > 0 && marks[0] === seen[0]))
      return this.separateMarks(characters, first);
    const family = [first, text, ...FALLBACKS].find(({ covers }) =>
      seen.every((character) => covers(character.codePointAt(0) ?? 0)),
    );
    if (family !== undefined) {
      this.used.add(family);
      return grapheme;
    }
    if (characters.length > 1) return this.separateMarks(characters, first);
    this.missing += 1;
    return REPLACEMENT_CHARACTER;
  }

  /** Marks get a position of their own if they have no letter, are too many, or have no font in common with it. */
  private separateMarks(characters: readonly string[], first: Family): string {
    return characters
      .map((character) =>
        MARK.test(character) ? this.markOnDottedCircle(character, first) : this.drawable(character, first),
      )
      .join('');
  }

  private markOnDottedCircle(markOnDottedCircle: string, first: Family): string {
    const point = markOnDottedCircle.codePointAt(0) ?? 0;
    const family = [first, text, ...FALLBACKS].find(({ covers }) => covers(point) && covers(0x25cc));
    if (family === undefined) return this.drawable(REPLACEMENT_CHARACTER, first);
    this.used.add(family);
    return `\u25cc${markOnDottedCircle}`;
  }
}

/** Not a regular expression: one anchored at the end is tried again from each line feed. */
function trimTrailingLineFeeds(lines: string): string {
  let end = lines.length;
  while (lines[end - 1] === '\n') end -= 1;
  return lines.slice(0, end);
}

/** The direction of the first letter, as in the bidirectional algorithm. */
export const isRightToLeft = (raw: string): boolean => RIGHT_TO_LEFT.test(/\p{L}/u.exec(raw)?.[0] ?? '');
