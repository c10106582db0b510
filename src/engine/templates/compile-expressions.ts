import { invalid } from '../../kernel/domain-error';
import type { RequestBlock } from './template-schema';
import { CompilationBudget, LinearRegex } from './linear-regex';

/** The expressions of a check by their text, each of them compiled once. */
export type CompiledExpressions = ReadonlyMap<string, LinearRegex>;

/** The field of a template that contains its request blocks. */
export type RequestsField = 'http' | 'requests';

interface LocatedPattern {
  readonly pattern: string;
  readonly location: string;
}

function* patternsOf(blocks: readonly RequestBlock[], field: RequestsField): Generator<LocatedPattern> {
  for (const [blockIndex, block] of blocks.entries()) {
    for (const kind of ['matchers', 'extractors'] as const) {
      for (const [entryIndex, entry] of (block[kind] ?? []).entries()) {
        const location = `${field}[${blockIndex}].${kind}[${entryIndex}].regex`;
        const patterns = entry.type === 'regex' ? entry.regex : [];
        yield* patterns.map((pattern, patternIndex) => ({ pattern, location: `${location}[${patternIndex}]` }));
      }
    }
  }
}

/** Refuses the first expression that cannot be compiled, and compiles no further ones. */
export function compileExpressions(blocks: readonly RequestBlock[], field: RequestsField): CompiledExpressions {
  const expressions = new Map<string, LinearRegex>();
  const budget = new CompilationBudget();
  for (const { pattern, location } of patternsOf(blocks, field)) {
    if (expressions.has(pattern)) continue;
    const result = LinearRegex.compile(pattern, budget);
    if ('refusal' in result) throw invalid(`check: ${location}: cannot be compiled as RE2: ${result.refusal}.`);
    expressions.set(pattern, result.expression);
  }
  return expressions;
}
