import type { Environment } from './function-table';
import { functionNamed } from './functions';
import type { Expression } from './parse-expression';
import { bounded, boundedJoin, describe, ExpressionError, numberOf, textOf, UndefinedName, type Value } from './value';

/** Per evaluation. Even the largest expression has fewer parts; only nested texts evaluate any of them twice. */
const UNITS_PER_STEP = 50;

const isTrue = (value: Value): boolean => {
  if (typeof value !== 'boolean') throw new ExpressionError(`${describe(value)} is not true or false`);
  return value;
};

function exactNumber(value: Value): number {
  if (typeof value !== 'number') throw new ExpressionError(`${describe(value)} is not a number`);
  return value;
}

function finite(number: number): number {
  if (!Number.isFinite(number)) throw new ExpressionError('a number is too large, or is divided by 0');
  return number;
}

function isBefore(left: Value, right: Value): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left < right;
  return exactNumber(left) < exactNumber(right);
}

const isSame = (left: Value, right: Value): boolean =>
  typeof left === 'object' && typeof right === 'object'
    ? left.length === right.length && left.every((one, at) => isSame(one, right[at] ?? ''))
    : left === right;

const arithmetic =
  (calculate: (left: number, right: number) => number) =>
  (left: Value, right: Value): Value =>
    finite(calculate(exactNumber(left), exactNumber(right)));

const OPERATORS: Readonly<Record<string, (left: Value, right: Value) => Value>> = {
  '==': isSame,
  '!=': (left, right) => !isSame(left, right),
  '<': isBefore,
  '>': (left, right) => isBefore(right, left),
  '<=': (left, right) => !isBefore(right, left),
  '>=': (left, right) => !isBefore(left, right),
  '+': (left, right) =>
    typeof left === 'string' || typeof right === 'string'
      ? boundedJoin([textOf(left), textOf(right)], '')
      : finite(exactNumber(left) + exactNumber(right)),
  '-': arithmetic((left, right) => left - right),
  '*': arithmetic((left, right) => left * right),
  '/': arithmetic((left, right) => left / right),
  '%': arithmetic((left, right) => left % right),
  '**': arithmetic((left, right) => left ** right),
  '&': arithmetic((left, right) => left & right),
  '|': arithmetic((left, right) => left | right),
  '^': arithmetic((left, right) => left ^ right),
  '<<': arithmetic((left, right) => left << right),
  '>>': arithmetic((left, right) => left >> right),
  in: (left, right) => {
    if (typeof right !== 'object') throw new ExpressionError('the right side of in is not a list');
    return right.some((one) => isSame(left, one));
  },
};

const NUMERIC = /^-?(?:\d+(?:\.\d+)?|0x[\da-f]+)$/i;

class Evaluation {
  constructor(private readonly environment: Environment) {}

  async value(expression: Expression): Promise<Value> {
    await this.environment.work.spend(UNITS_PER_STEP);
    switch (expression.kind) {
      case 'constant':
        return expression.value;
      case 'name':
        return this.named(expression.name);
      case 'unary':
        return this.unary(expression.operator, await this.value(expression.value));
      case 'binary':
        return this.binary(expression);
      case 'choice':
        return this.value(isTrue(await this.value(expression.condition)) ? expression.yes : expression.no);
      case 'list':
        return this.list(await this.values(expression.values));
      case 'text':
        return boundedJoin((await this.list(await this.values(expression.parts))).map(textOf), '');
      case 'inline': {
        const value = await this.value(expression.value);
        return typeof value === 'string' && NUMERIC.test(value) ? numberOf(value) : value;
      }
      case 'call':
        return this.call(expression.name, await this.values(expression.values));
      default:
        return expression satisfies never;
    }
  }

  private async call(name: string, values: readonly Value[]): Promise<Value> {
    const { work } = this.environment;
    const called = functionNamed(name);
    await work.onCall(name, values);
    const result = bounded(await called.call(values, this.environment));
    await work.onCall(name, [result]);
    return result;
  }

  private async list(values: readonly Value[]): Promise<readonly Value[]> {
    await this.environment.work.onTexts(values);
    return bounded(values);
  }

  private named(name: string): Value {
    const value = this.environment.lookup(name);
    if (value === undefined) throw new UndefinedName(name);
    return value;
  }

  private async values(expressions: readonly Expression[]): Promise<Value[]> {
    const values: Value[] = [];
    for (const one of expressions) values.push(await this.value(one));
    return values;
  }

  private unary(operator: string, value: Value): Value {
    if (operator === '!') return !isTrue(value);
    return operator === '-' ? -exactNumber(value) : ~exactNumber(value);
  }

  private async binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): Promise<Value> {
    if (operator === '??') return this.firstDefined(left, right);
    const first = await this.value(left);
    if (operator === '&&') return isTrue(first) && isTrue(await this.value(right));
    if (operator === '||') return isTrue(first) || isTrue(await this.value(right));
    const second = await this.value(right);
    await this.environment.work.onTexts([first, second]);
    if (operator === '=~' || operator === '!~') {
      const matches = await this.environment.search.matches(textOf(second), textOf(first));
      return matches === (operator === '=~');
    }
    const apply = OPERATORS[operator];
    if (apply === undefined) throw new ExpressionError(`the operator ${operator} is not supported`);
    return apply(first, second);
  }

  private async firstDefined(left: Expression, right: Expression): Promise<Value> {
    try {
      return await this.value(left);
    } catch (error) {
      if (error instanceof UndefinedName) return this.value(right);
      throw error;
    }
  }
}

/** Throws an ExpressionError if the expression has no value. Searches in the environment may throw other errors. */
export const evaluate = (expression: Expression, environment: Environment): Promise<Value> =>
  new Evaluation(environment).value(expression);
