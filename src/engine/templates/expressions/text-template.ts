import { closingBraces, ReadingBudget } from './tokens';
import { type Environment } from './function-table';
import { evaluate } from './evaluate';
import { type Expression, isDynamic, parseExpression, withinExpression } from './parse-expression';
import { boundedJoin, ExpressionError, ExpressionLimitExceeded, textOf } from './value';

type Part = { readonly text: string } | { readonly expression: Expression; readonly source: string };

/** A text with expressions in double braces. */
export class TextTemplate {
  readonly expressions: readonly Expression[];
  /** The names whose values it needs. */
  readonly names: readonly string[];

  private constructor(
    readonly source: string,
    private readonly parts: readonly Part[],
    /** Braces that do not contain an expression, with the reason. They stay in the text. */
    readonly literals: readonly { readonly source: string; readonly reason: string }[],
  ) {
    this.expressions = parts.flatMap((part) => ('expression' in part ? [part.expression] : []));
    const all = this.expressions.flatMap((one) => [...withinExpression(one)]);
    this.names = [...new Set(all.flatMap((one) => (one.kind === 'name' ? [one.name] : [])))];
  }

  /** Invalid expressions in braces stay as they are, because braces are common in scripts and JSON. */
  static parse(source: string, budget = new ReadingBudget()): TextTemplate {
    const parts: Part[] = [];
    const literals: { source: string; reason: string }[] = [];
    let at = 0;
    for (;;) {
      const open = source.indexOf('{{', at);
      const end = open < 0 ? -1 : closingBraces(source, open + 2, budget);
      const isOpen = end < 0 && open >= 0 && source.includes('}}', open);
      if (isOpen) {
        // These braces may contain others that are closed.
        parts.push({ text: source.slice(at, open + 1) });
        at = open + 1;
        continue;
      }
      if (end < 0) return new TextTemplate(source, [...parts, { text: source.slice(at) }], literals);
      const inner = source.slice(open + 2, end);
      const parsed = expressionOf(inner, budget);
      parts.push({ text: source.slice(at, open) });
      if ('expression' in parsed) parts.push({ ...parsed, source: inner });
      else {
        parts.push({ text: `{{${inner}}}` });
        if (parsed.reason !== null) literals.push({ source: inner, reason: parsed.reason });
      }
      at = end + 2;
    }
  }

  /** The text with these values. Other expressions stay as they are written, so that the label is the same in each run. */
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

  /** Throws for names without a value, unless `keepsUnknown` leaves them as they are. */
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
      // A value that takes too long to compute is not an unknown value.
      const isUnknown = error instanceof ExpressionError && !(error instanceof ExpressionLimitExceeded);
      if (keepsUnknown && isUnknown) return `{{${source}}}`;
      throw error;
    }
  }
}

/** Expressions that consist only of numbers are test strings for template injection, and are sent unchanged. */
function expressionOf(
  source: string,
  budget: ReadingBudget,
): { readonly expression: Expression } | { readonly reason: string | null } {
  try {
    const expression = parseExpression(source, budget);
    return isDynamic(expression) ? { expression } : { reason: null };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { reason: /[A-Za-z_]/.test(source) ? error.message : null };
  }
}
