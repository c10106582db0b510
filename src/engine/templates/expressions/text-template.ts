import { closingBraces } from './tokens';
import { type Environment } from './function-table';
import { evaluate } from './evaluate';
import { type Expression, isDynamic, parseExpression, withinExpression } from './parse-expression';
import { boundedJoin, ExpressionError, ExpressionLimitExceeded, textOf } from './value';

/** Each of them is looked for up to the end. */
const MOST_OPEN_BRACES = 50;

type Part = { readonly text: string } | { readonly expression: Expression; readonly source: string };

/** A text in which expressions stand in two pairs of braces. */
export class TextTemplate {
  private constructor(
    readonly source: string,
    private readonly parts: readonly Part[],
    /** What is in braces and is no expression, with the reason. It stays in the text. */
    readonly literals: readonly { readonly source: string; readonly reason: string }[],
  ) {}

  /** Never throws: braces are common in scripts and in JSON. */
  static parse(source: string): TextTemplate {
    const parts: Part[] = [];
    const literals: { source: string; reason: string }[] = [];
    let at = 0;
    let openBraces = 0;
    for (;;) {
      const open = source.indexOf('{{', at);
      const end = open < 0 ? -1 : closingBraces(source, open + 2);
      const isOpen = end < 0 && open >= 0 && source.includes('}}', open) && openBraces < MOST_OPEN_BRACES;
      if (isOpen) {
        // Braces within these may be closed.
        openBraces += 1;
        parts.push({ text: source.slice(at, open + 1) });
        at = open + 1;
        continue;
      }
      if (end < 0) {
        if (openBraces === MOST_OPEN_BRACES) literals.push({ source: '…', reason: 'too many braces are not closed' });
        return new TextTemplate(source, [...parts, { text: source.slice(at) }], literals);
      }
      const inner = source.slice(open + 2, end);
      const parsed = expressionOf(inner);
      parts.push({ text: source.slice(at, open) });
      if ('expression' in parsed) parts.push({ ...parsed, source: inner });
      else {
        parts.push({ text: `{{${inner}}}` });
        if (parsed.reason !== null) literals.push({ source: inner, reason: parsed.reason });
      }
      at = end + 2;
    }
  }

  get expressions(): Expression[] {
    return this.parts.flatMap((part) => ('expression' in part ? [part.expression] : []));
  }

  /** The names that it takes values from. */
  get names(): string[] {
    const all = this.expressions.flatMap((one) => [...withinExpression(one)]);
    return [...new Set(all.flatMap((one) => (one.kind === 'name' ? [one.name] : [])))];
  }

  /** The text with these values. Other expressions stay as they are written, so that it is the same in each run. */
  label(values: Readonly<Record<string, string>>): string {
    return this.parts
      .map((part) => {
        if ('text' in part) return part.text;
        const { expression, source } = part;
        const value = expression.kind === 'name' ? values[expression.name] : undefined;
        return value ?? `{{${source}}}`;
      })
      .join('');
  }

  /** Names without a value throw, unless they are kept as they are. */
  async fill(environment: Environment, keepsUnknown = false): Promise<string> {
    const texts: string[] = [];
    for (const part of this.parts) {
      if ('text' in part) texts.push(part.text);
      else texts.push(await this.filled(part, environment, keepsUnknown));
    }
    await environment.work.onTexts(texts);
    return boundedJoin(texts, '');
  }

  private async filled(
    { expression, source }: Extract<Part, { expression: Expression }>,
    environment: Environment,
    keepsUnknown: boolean,
  ): Promise<string> {
    try {
      return textOf(await evaluate(expression, environment));
    } catch (error) {
      // A value that takes too long to find is not one that there is not.
      const isUnknown = error instanceof ExpressionError && !(error instanceof ExpressionLimitExceeded);
      if (keepsUnknown && isUnknown) return `{{${source}}}`;
      throw error;
    }
  }
}

/** Expressions of numbers alone are test strings for template injection, and are sent as they are. */
function expressionOf(source: string): { readonly expression: Expression } | { readonly reason: string | null } {
  try {
    const expression = parseExpression(source);
    return isDynamic(expression) ? { expression } : { reason: null };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { reason: /[A-Za-z_]/.test(source) ? error.message : null };
  }
}
