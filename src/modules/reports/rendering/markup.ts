/** Text that is markup already. Only `markup` and `trusted` make one, so unescaped text never gets in. */
export class Markup {
  private constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }

  /** For HTML that has been through the sanitizer, and for the constants of our own source. */
  static trusted(text: string): Markup {
    return new Markup(text);
  }
}

type Piece = Markup | string | number | null | undefined | false | readonly Piece[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** XML forbids these characters, so they become replacement characters. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function textOf(piece: Piece): string {
  if (piece instanceof Markup) return piece.toString();
  if (typeof piece === 'string' || typeof piece === 'number') return escaped(String(piece));
  if (Array.isArray(piece)) return piece.map(textOf).join('');
  return '';
}

/** Writes HTML and SVG. Every value is escaped for text and for quoted attributes; nested markup is kept. */
export const markup = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup =>
  Markup.trusted(strings.map((string, index) => (index === 0 ? string : textOf(pieces[index - 1]) + string)).join(''));
