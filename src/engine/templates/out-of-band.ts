import type { RequestBlock, Extractor, Matcher } from './template-schema';
import type { Flow } from './flow';
import { type Expression, withinExpression } from './expressions/parse-expression';
import { isOutOfBandPart } from './response-parts';
import type { TemplateTexts } from './template-texts';

/**
 * Assay has no server that receives out-of-band requests. A condition on these is therefore unknown, but a condition that is
 * joined to it with `or` can still be true. Requests use a host below `.invalid`, which never resolves.
 */
export const OUT_OF_BAND_URL = 'interactsh-url';

export const OUT_OF_BAND_REFUSAL =
  'interactsh is not supported: Assay has no server for out-of-band requests, and nothing else in the template can show the weakness';

/** Null means unknown. */
export type Known = boolean | null;

export function joined(condition: 'and' | 'or', known: readonly Known[]): Known {
  const decisive = condition === 'or';
  if (known.includes(decisive)) return decisive;
  return known.includes(null) ? null : !decisive;
}

/** Whether an expression depends on out-of-band requests. */
export const isOutOfBandExpression = (expression: Expression): boolean =>
  [...withinExpression(expression)].some((one) => one.kind === 'name' && isOutOfBandPart(one.name));

export const isOutOfBandMatcher = (matcher: Matcher, texts: TemplateTexts): boolean =>
  matcher.type === 'dsl'
    ? matcher.dsl.some((source) => isOutOfBandExpression(texts.expression(source)))
    : 'part' in matcher && isOutOfBandPart(matcher.part ?? '');

/** Text that only the page of the missing server contains. */
const OF_SERVER = /interactsh(?:-version| server)/i;

function expressionCanHold(expression: Expression): boolean {
  if (expression.kind === 'binary' && (expression.operator === '&&' || expression.operator === '||')) {
    const sides = [expression.left, expression.right].map(expressionCanHold);
    return expression.operator === '&&' ? sides.every(Boolean) : sides.some(Boolean);
  }
  if (expression.kind === 'unary') return !isOutOfBandExpression(expression);
  return ![...withinExpression(expression)].some((one) =>
    one.kind === 'name'
      ? isOutOfBandPart(one.name)
      : one.kind === 'constant' && typeof one.value === 'string' && OF_SERVER.test(one.value),
  );
}

const anyOrAll = (condition: 'and' | 'or', can: readonly boolean[]): boolean =>
  condition === 'and' ? can.every(Boolean) : can.some(Boolean);

function matcherCanHold(matcher: Matcher, texts: TemplateTexts): boolean {
  if (matcher.type === 'dsl')
    return anyOrAll(
      matcher.condition,
      matcher.dsl.map((source) => expressionCanHold(texts.expression(source))),
    );
  if (isOutOfBandMatcher(matcher, texts)) return false;
  if (matcher.type !== 'word' || matcher.negative) return true;
  return anyOrAll(
    matcher.condition,
    matcher.words.map((word) => !OF_SERVER.test(word)),
  );
}

const extractorCanFind = (extractor: Extractor): boolean => !isOutOfBandPart(extractor.part);

/** Whether a block can match without the missing server. */
export function blockCanMatch(block: RequestBlock, texts: TemplateTexts): boolean {
  const { matchers, extractors } = block;
  if (matchers === undefined) return extractors === undefined || extractors.some(extractorCanFind);
  return anyOrAll(
    block['matchers-condition'],
    matchers.map((matcher) => matcherCanHold(matcher, texts)),
  );
}

/** Whether a flow can be true if only these blocks can match. The others are unknown, and so is their negation. */
export function flowCanHold(flow: Flow, canMatch: (index: number) => boolean): boolean {
  if (flow.kind === 'block') return canMatch(flow.index);
  if (flow.kind === 'not') return flowCanHold(flow.flow, canMatch);
  const sides = [flow.left, flow.right].map((side) => flowCanHold(side, canMatch));
  return anyOrAll(flow.kind, sides);
}
