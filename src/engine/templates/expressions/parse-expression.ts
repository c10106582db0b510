import { functionNamed } from './functions';
import { ReadingBudget, type TextPart, type Token, tokensOf } from './tokens';
import { ExpressionError, type Value } from './value';

export type Expression =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Expression[] }
  | { readonly kind: 'unary'; readonly operator: string; readonly value: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'choice';
      readonly condition: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    }
  | { readonly kind: 'list'; readonly values: readonly Expression[] }
  /** A text that contains expressions. */
  | { readonly kind: 'text'; readonly parts: readonly Expression[] }
  /** An expression in braces outside of a text. Its value is a number if it looks like one. */
  | { readonly kind: 'inline'; readonly value: Expression };

const DEEPEST = 60;

/** The precedence of binary operators. Only `**` is right-associative. */
const BINARY = new Map<string, number>(
  [
    ['??', 2],
    ['||', 3],
    ['&&', 4],
    ...['==', '!=', '<', '<=', '>', '>=', '=~', '!~', 'in'].map((one) => [one, 5] as const),
    ...['&', '|', '^'].map((one) => [one, 6] as const),
    ...['<<', '>>'].map((one) => [one, 7] as const),
    ...['+', '-'].map((one) => [one, 8] as const),
    ...['*', '/', '%'].map((one) => [one, 9] as const),
    ['**', 10],
  ].map(([operator, power]) => [String(operator), Number(power)]),
);
const TERNARY = 1;
const PREFIX = 11;
const PREFIXES = new Set(['!', '-', '~']);
const CONSTANTS = new Map<string, Value>([
  ['true', true],
  ['false', false],
]);

/** A Pratt parser. */
class Parser {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly budget: ReadingBudget,
    private readonly depth: number,
  ) {}

  whole(): Expression {
    const expression = this.expression(0, this.depth);
    if (this.tokens[this.at] !== undefined) throw new ExpressionError(`unexpected ${this.shown()}`);
    return expression;
  }

  private shown(): string {
    const token = this.tokens[this.at];
    if (token === undefined) return 'end';
    if (token.kind === 'operator') return `"${token.operator}"`;
    return token.kind === 'name' ? `"${token.name}"` : token.kind;
  }

  private operator(): string | null {
    const token = this.tokens[this.at];
    if (token?.kind === 'operator') return token.operator;
    return token?.kind === 'name' && token.name === 'in' ? 'in' : null;
  }

  private expect(operator: string): void {
    if (this.operator() !== operator) throw new ExpressionError(`expected "${operator}" before ${this.shown()}`);
    this.at += 1;
  }

  private expression(power: number, depth: number): Expression {
    if (depth > DEEPEST) throw new ExpressionError('an expression is nested too deeply');
    let left = this.operand(depth);
    for (;;) {
      const operator = this.operator();
      if (operator === '?' && power < TERNARY) {
        this.at += 1;
        const yes = this.expression(0, depth + 1);
        this.expect(':');
        left = { kind: 'choice', condition: left, yes, no: this.expression(0, depth + 1) };
        continue;
      }
      const own = operator === null ? undefined : BINARY.get(operator);
      if (operator === null || own === undefined || own <= power) return left;
      this.at += 1;
      const right = this.expression(operator === '**' ? own - 1 : own, depth + 1);
      left = { kind: 'binary', operator, left, right };
    }
  }

  private operand(depth: number): Expression {
    const token = this.tokens[this.at];
    if (token === undefined) throw new ExpressionError('the expression ends too early');
    this.at += 1;
    if (token.kind === 'number') return { kind: 'constant', value: token.value };
    if (token.kind === 'text') return textExpression(token.parts, this.budget, depth + 1);
    if (token.kind === 'inline')
      return { kind: 'inline', value: parseExpression(token.source, this.budget, depth + 1) };
    if (token.kind === 'name') return this.named(token.name, depth);
    if (PREFIXES.has(token.operator)) {
      return { kind: 'unary', operator: token.operator, value: this.expression(PREFIX, depth + 1) };
    }
    this.at -= 1;
    this.expect('(');
    const values = this.values(depth);
    const [only] = values;
    return values.length === 1 && only !== undefined ? only : { kind: 'list', values };
  }

  private named(name: string, depth: number): Expression {
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return { kind: 'constant', value: constant };
    if (this.operator() !== '(') return { kind: 'name', name };
    this.at += 1;
    const values = this.values(depth);
    const { least, most } = functionNamed(name);
    if (values.length < least || values.length > most)
      throw new ExpressionError(`${name} takes ${least === most ? least : `${least} to ${most}`} values`);
    return { kind: 'call', name, values };
  }

  /** The values up to the closing parenthesis. */
  private values(depth: number): Expression[] {
    const values: Expression[] = [];
    if (this.operator() === ')') {
      this.at += 1;
      return values;
    }
    for (;;) {
      values.push(this.expression(0, depth + 1));
      if (this.operator() === ')') {
        this.at += 1;
        return values;
      }
      this.expect(',');
    }
  }
}

/** Characters that only resemble an expression, as in a script, stay as they are. */
function partOf(part: TextPart, budget: ReadingBudget, depth: number): Expression {
  if ('text' in part) return { kind: 'constant', value: part.text };
  try {
    const expression = parseExpression(part.source, budget, depth);
    if (isDynamic(expression)) return expression;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
  }
  return { kind: 'constant', value: `{{${part.source}}}` };
}

function textExpression(parts: readonly TextPart[], budget: ReadingBudget, depth: number): Expression {
  const expressions = parts.map((part) => partOf(part, budget, depth));
  const [only] = expressions;
  return expressions.length === 1 && only !== undefined ? only : { kind: 'text', parts: expressions };
}

/** An expression and all expressions that it contains. */
export function* withinExpression(expression: Expression): Generator<Expression> {
  const waiting = [expression];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    waiting.push(...childrenOf(next).toReversed());
  }
}

function childrenOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'call' || expression.kind === 'list') return expression.values;
  if (expression.kind === 'unary' || expression.kind === 'inline') return [expression.value];
  if (expression.kind === 'binary') return [expression.left, expression.right];
  if (expression.kind === 'choice') return [expression.condition, expression.yes, expression.no];
  return expression.kind === 'text' ? expression.parts : [];
}

/** Whether it contains a name or a call. Otherwise the braces around it are literal. */
export const isDynamic = (expression: Expression): boolean =>
  [...withinExpression(expression)].some(({ kind }) => kind === 'name' || kind === 'call');

/** Throws an ExpressionError with the reason. */
export const parseExpression = (source: string, budget = new ReadingBudget(), depth = 0): Expression => {
  if (depth > DEEPEST) throw new ExpressionError('an expression is nested too deeply');
  return new Parser(tokensOf(source, budget), budget, depth).whole();
};
