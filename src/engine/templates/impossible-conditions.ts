import type { Expression } from './expressions/parse-expression';
import { isPredicate } from './expressions/functions';
import type { Value } from './expressions/value';
import { isNumberOfResponse, isTextOfResponse } from './response-parts';
import type { Matcher, RequestBlock } from './template-schema';
import type { TemplateTexts } from './template-texts';

type Kind = 'boolean' | 'number' | 'text' | 'list';
/** Names that the template defines take precedence over those of the response. */
type IsDefined = (name: string) => boolean;

const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>=', '=~', '!~', 'in', '&&', '||']);

function kindOfName(name: string, isDefined: IsDefined): Kind | null {
  if (isDefined(name)) return null;
  if (isNumberOfResponse(name)) return 'number';
  return isTextOfResponse(name) ? 'text' : null;
}

function kindOfValue(value: Value): Kind {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  return typeof value === 'string' ? 'text' : 'list';
}

/** The type of the value, if the expression can have only one type. */
function kindOf(expression: Expression, isDefined: IsDefined): Kind | null {
  switch (expression.kind) {
    case 'constant':
      return kindOfValue(expression.value);
    case 'name':
      return kindOfName(expression.name, isDefined);
    case 'list':
      return 'list';
    case 'unary':
      return expression.operator === '!' ? 'boolean' : 'number';
    case 'binary':
      if (COMPARISONS.has(expression.operator)) return 'boolean';
      return expression.operator === '+' || expression.operator === '??' ? null : 'number';
    case 'call':
      if (isPredicate(expression.name)) return 'boolean';
      return expression.name === 'len' ? 'number' : null;
    case 'text':
      return 'text';
    default:
      return null;
  }
}

/** The name and the constant of a comparison such as `status_code == 200`. */
function equality(expression: Expression): { readonly name: string; readonly value: Value } | null {
  if (expression.kind !== 'binary' || expression.operator !== '==') return null;
  const { left, right } = expression;
  if (left.kind === 'name' && right.kind === 'constant') return { name: left.name, value: right.value };
  return right.kind === 'name' && left.kind === 'constant' ? { name: right.name, value: left.value } : null;
}

/** The operands of `&&`. */
function partsOf(expression: Expression): Expression[] {
  const parts: Expression[] = [];
  const waiting = [expression];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'binary' && next.operator === '&&') waiting.push(next.right, next.left);
    else parts.push(next);
  }
  return parts;
}

/** The name that would need two values at the same time, or null. */
function contradiction(parts: readonly Expression[]): string | null {
  const values = new Map<string, Value>();
  for (const one of parts.flatMap((part) => equality(part) ?? [])) {
    if (values.has(one.name) && values.get(one.name) !== one.value) return one.name;
    values.set(one.name, one.value);
  }
  return null;
}

/** Why an expression is never true, as a clause; null if it can be true. */
export function whyNeverTrue(expression: Expression, isDefined: IsDefined): string | null {
  const kind = kindOf(expression, isDefined);
  if (kind !== null && kind !== 'boolean') return `it is a ${kind}, and neither true nor false`;
  if (expression.kind === 'constant') return expression.value === true ? null : 'it is false';
  if (expression.kind !== 'binary') return null;
  const { operator, left, right } = expression;
  if (operator === '||') return whyNeverTrue(right, isDefined) && whyNeverTrue(left, isDefined);
  if (operator === '&&') {
    const parts = partsOf(expression);
    const name = contradiction(parts);
    if (name !== null) return `${name} cannot have two values`;
    return parts.map((part) => whyNeverTrue(part, isDefined)).find((reason) => reason !== null) ?? null;
  }
  if (operator !== '==') return null;
  const [one, other] = [kindOf(left, isDefined), kindOf(right, isDefined)];
  return one !== null && other !== null && one !== other ? `a ${one} is never equal to a ${other}` : null;
}

export interface ImpossibleCondition {
  readonly matcher: number;
  /** The index of the expression in the matcher, if it is one. */
  readonly entry: number | null;
  readonly reason: string;
}

const ONE_STATUS = 'a response has one status';

/** Whether matchers joined with `and` require several statuses of one response. */
function needsTwoStatuses(matchers: readonly Matcher[]): boolean {
  const wanted = matchers.flatMap((one) => (one.type === 'status' && !one.negative ? [one.status] : []));
  const [first = [], ...others] = wanted;
  return wanted.length > 1 && !first.some((status) => others.every((other) => other.includes(status)));
}

/** The matchers of a block that never match, with the reasons. */
export function impossibleConditions(
  { matchers = [], 'matchers-condition': condition }: RequestBlock,
  texts: TemplateTexts,
  isDefined: IsDefined,
): ImpossibleCondition[] {
  if (condition === 'and' && needsTwoStatuses(matchers))
    return [{ matcher: matchers.findLastIndex(({ type }) => type === 'status'), entry: null, reason: ONE_STATUS }];
  return matchers.flatMap((one, matcher) => {
    if (one.negative) return [];
    const whole = (reason: string): ImpossibleCondition[] => [{ matcher, entry: null, reason }];
    if (one.type === 'status') return one.condition === 'and' && new Set(one.status).size > 1 ? whole(ONE_STATUS) : [];
    if (one.type !== 'dsl') return [];
    const expressions = one.dsl.map((source) => texts.expression(source));
    const found = expressions.flatMap((expression, entry) => {
      const reason = whyNeverTrue(expression, isDefined);
      return reason === null ? [] : [{ matcher, entry, reason }];
    });
    const name = one.condition === 'and' ? contradiction(expressions.flatMap(partsOf)) : null;
    return found.length > 0 || name === null ? found : whole(`${name} cannot have two values`);
  });
}
