import { ExpressionError } from './value';

/** A part of a text: characters, or the source of an expression in two pairs of braces. */
export type TextPart = { readonly text: string } | { readonly source: string };

export type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] }
  | { readonly kind: 'name'; readonly name: string }
  /** An expression in braces outside of a text. */
  | { readonly kind: 'inline'; readonly source: string }
  | { readonly kind: 'operator'; readonly operator: string };

const MOST_TOKENS = 2_000;
const LONGEST_EXPRESSION = 32_768;

const TOKEN =
  /\s*(?:(?<number>0[xX][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_]\w*)|(?<operator>&&|\|\||==|!=|<=|>=|=~|!~|\*\*|\?\?|<<|>>|[-+*/%<>!~&|^?:,()])|(?<quote>["'])|(?<open>\{\{)|(?<end>$))/uy;

/** The end of the expression that begins after two braces at `at`, or -1. Braces in it may be nested. */
export function closingBraces(text: string, at: number): number {
  let depth = 1;
  for (let place = at; place < text.length - 1; place += 1) {
    const pair = text.slice(place, place + 2);
    if (pair !== '{{' && pair !== '}}') continue;
    depth += pair === '{{' ? 1 : -1;
    if (depth === 0) return place;
    place += 1;
  }
  return -1;
}

/** Each of them is looked for up to the end. */
const MOST_OPEN_BRACES = 50;

class Tokenizer {
  private at = 0;
  private openBraces = 0;

  constructor(private readonly source: string) {}

  *tokens(): Generator<Token> {
    for (;;) {
      TOKEN.lastIndex = this.at;
      const groups = TOKEN.exec(this.source)?.groups;
      if (groups === undefined) throw this.unexpected();
      this.at = TOKEN.lastIndex;
      const { number, name, operator, quote, open } = groups;
      if (number !== undefined) yield { kind: 'number', value: Number(number) };
      else if (name !== undefined) yield { kind: 'name', name };
      else if (operator !== undefined) yield { kind: 'operator', operator };
      else if (quote !== undefined) yield { kind: 'text', parts: this.text(quote) };
      else if (open !== undefined) yield { kind: 'inline', source: this.inBraces() };
      else return;
    }
  }

  private unexpected(): ExpressionError {
    const rest = this.source.slice(this.at).trimStart();
    return new ExpressionError(`unexpected ${JSON.stringify(rest.slice(0, 20))}`);
  }

  private inBraces(): string {
    const end = closingBraces(this.source, this.at);
    if (end < 0) throw new ExpressionError('two braces are not closed');
    const source = this.source.slice(this.at, end);
    this.at = end + 2;
    return source;
  }

  private isClosed(at: number): boolean {
    if (closingBraces(this.source, at) >= 0) return true;
    this.openBraces += 1;
    if (this.openBraces > MOST_OPEN_BRACES) throw new ExpressionError('two braces are not closed');
    return false;
  }

  /** After a backslash a character stands for itself. */
  private text(quote: string): TextPart[] {
    const parts: TextPart[] = [];
    let text = '';
    for (;;) {
      const character = this.source[this.at];
      if (character === undefined) throw new ExpressionError(`a text is not closed with ${quote}`);
      this.at += 1;
      if (character === quote) return [...parts, { text }];
      if (character === '{' && this.source[this.at] === '{' && this.isClosed(this.at + 1)) {
        this.at += 1;
        // Quotes of the text around it are escaped.
        parts.push({ text }, { source: this.inBraces().replaceAll(/\\(["'])/g, '$1') });
        text = '';
      } else if (character === '\\') {
        text += this.source[this.at] ?? '';
        this.at += 1;
      } else text += character;
    }
  }
}

export function tokensOf(source: string): Token[] {
  if (source.length > LONGEST_EXPRESSION)
    throw new ExpressionError(`an expression is longer than ${LONGEST_EXPRESSION} characters`);
  const tokens: Token[] = [];
  for (const token of new Tokenizer(source).tokens()) {
    if (tokens.push(token) > MOST_TOKENS) throw new ExpressionError(`an expression has more than ${MOST_TOKENS} parts`);
  }
  return tokens;
}
