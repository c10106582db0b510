import { invalid } from '../../../kernel/domain-error';
import { ExpressionError } from './value';

/** A part of a text: characters, or the source of an expression in double braces. */
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

const MOST_PARTS_TOGETHER = 4_000;
/** Nested braces are read once for each pair around them. */
const MOST_CHARACTERS = 500_000;

/**
 * Limits how much of a template's expressions is read. Its errors are not ExpressionErrors, which would leave the braces as they
 * are.
 */
export class ReadingBudget {
  private parts = MOST_PARTS_TOGETHER;
  private characters = MOST_CHARACTERS;

  addPart(): void {
    this.parts -= 1;
    if (this.parts < 0) throw invalid(`check: together its expressions have more than ${MOST_PARTS_TOGETHER} parts.`);
  }

  addCharacters(count: number): void {
    this.characters -= count;
    if (this.characters < 0) throw invalid('check: too many of its braces are nested or not closed.');
  }
}

/** The end of the expression after two braces at `at`, or -1. It may contain nested braces. */
export function closingBraces(text: string, at: number, budget: ReadingBudget): number {
  let depth = 1;
  for (let place = at; place < text.length - 1; place += 1) {
    const character = text[place];
    if ((character !== '{' && character !== '}') || text[place + 1] !== character) continue;
    depth += character === '{' ? 1 : -1;
    place += 1;
    if (depth > 0) continue;
    budget.addCharacters(place - at);
    return place - 1;
  }
  budget.addCharacters(text.length - at);
  return -1;
}

class Tokenizer {
  private at = 0;

  constructor(
    private readonly source: string,
    private readonly budget: ReadingBudget,
  ) {}

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
    const end = closingBraces(this.source, this.at, this.budget);
    if (end < 0) throw new ExpressionError('two braces are not closed');
    const source = this.source.slice(this.at, end);
    this.at = end + 2;
    return source;
  }

  /** After a backslash, a character is literal. */
  private text(quote: string): TextPart[] {
    const parts: TextPart[] = [];
    let text = '';
    for (;;) {
      const character = this.source[this.at];
      if (character === undefined) throw new ExpressionError(`a text is not closed with ${quote}`);
      this.at += 1;
      if (character === quote) return [...parts, { text }];
      if (
        character === '{' &&
        this.source[this.at] === '{' &&
        closingBraces(this.source, this.at + 1, this.budget) >= 0
      ) {
        this.at += 1;
        // Quotes are escaped because of the text around it.
        parts.push({ text }, { source: this.inBraces().replaceAll(/\\(["'])/g, '$1') });
        text = '';
      } else if (character === '\\') {
        text += this.source[this.at] ?? '';
        this.at += 1;
      } else text += character;
    }
  }
}

export function tokensOf(source: string, budget: ReadingBudget): Token[] {
  if (source.length > LONGEST_EXPRESSION)
    throw new ExpressionError(`an expression is longer than ${LONGEST_EXPRESSION} characters`);
  budget.addCharacters(source.length);
  budget.addPart();
  const tokens: Token[] = [];
  for (const token of new Tokenizer(source, budget).tokens()) {
    budget.addPart();
    if (tokens.push(token) > MOST_TOKENS) throw new ExpressionError(`an expression has more than ${MOST_TOKENS} parts`);
  }
  return tokens;
}
