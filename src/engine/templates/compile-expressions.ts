import type { RequestBlock } from './template-schema';
import { type Expression, withinExpression } from './expressions/parse-expression';
import { ExpressionError } from './expressions/value';
import { CompilationBudget, LinearRegex } from './linear-regex';
import type { ProblemPath, TemplateProblem } from './template-problem';
import type { TemplateTexts } from './template-texts';

/** The compiled expressions of a check, by their text. */
export type CompiledExpressions = ReadonlyMap<string, LinearRegex>;

/** The field of a template that contains its request blocks. */
export type RequestsField = 'http' | 'requests';

interface LocatedPattern {
  readonly pattern: string;
  readonly path: ProblemPath;
}

const PATTERN_FUNCTIONS = /^regex(?:_?(?:all|any))?$/;

/** The constant patterns in an expression. Others are compiled once their text is known. */
function* patternsIn(expression: Expression): Generator<string> {
  for (const one of withinExpression(expression)) {
    const operands =
      one.kind === 'call' && PATTERN_FUNCTIONS.test(one.name)
        ? one.values.slice(0, -1)
        : one.kind === 'binary' && (one.operator === '=~' || one.operator === '!~')
          ? [one.right]
          : [];
    for (const operand of operands) if (operand.kind === 'constant') yield String(operand.value);
  }
}

function* patternsOf(
  blocks: readonly RequestBlock[],
  field: RequestsField,
  expressionOf: (source: string) => Expression | null,
): Generator<LocatedPattern> {
  for (const [blockIndex, block] of blocks.entries()) {
    for (const kind of ['matchers', 'extractors'] as const) {
      for (const [entryIndex, entry] of (block[kind] ?? []).entries()) {
        const path = [field, blockIndex, kind, entryIndex, entry.type];
        if (entry.type === 'regex') yield* entry.regex.map((pattern, index) => ({ pattern, path: [...path, index] }));
        if (entry.type !== 'dsl') continue;
        for (const [index, source] of entry.dsl.entries()) {
          const expression = expressionOf(source);
          if (expression === null) continue;
          for (const pattern of patternsIn(expression)) yield { pattern, path: [...path, index] };
        }
      }
    }
  }
}

/** Compiles the patterns of a template, up to the first one that cannot be compiled. */
export function compileExpressions(
  blocks: readonly RequestBlock[],
  field: RequestsField,
  texts: TemplateTexts,
  problems: TemplateProblem[],
): CompiledExpressions {
  const expressions = new Map<string, LinearRegex>();
  const budget = new CompilationBudget();
  const expressionOf = (source: string): Expression | null => {
    try {
      return texts.expression(source);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      // Reported when the expressions themselves are parsed.
      return null;
    }
  };
  for (const { pattern, path } of patternsOf(blocks, field, expressionOf)) {
    if (expressions.has(pattern)) continue;
    const result = LinearRegex.compile(pattern, budget);
    if ('refusal' in result) {
      problems.push({ path, reason: `cannot be compiled as RE2: ${result.refusal}` });
      return expressions;
    }
    expressions.set(pattern, result.expression);
  }
  return expressions;
}
