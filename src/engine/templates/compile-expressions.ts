import { invalid } from '../../kernel/domain-error';
import type { Block } from './template-schema';
import { CompilationBudget, LinearRegex } from './linear-regex';

/** The expressions of a check by their text, each of them compiled once. */
export type Expressions = ReadonlyMap<string, LinearRegex>;

interface Placed {
  readonly pattern: string;
  readonly place: string;
}

function* expressionsOf(blocks: readonly Block[], name: string): Generator<Placed> {
  for (const [at, block] of blocks.entries()) {
    for (const kind of ['matchers', 'extractors'] as const) {
      for (const [index, one] of (block[kind] ?? []).entries()) {
        const place = `${name}[${at}].${kind}[${index}].regex`;
        const patterns = one.type === 'regex' ? one.regex : [];
        yield* patterns.map((pattern, which) => ({ pattern, place: `${place}[${which}]` }));
      }
    }
  }
}

/** Refuses the first expression that cannot be compiled, and compiles no further ones. */
export function compileExpressions(blocks: readonly Block[], name: string): Expressions {
  const expressions = new Map<string, LinearRegex>();
  const budget = new CompilationBudget();
  for (const { pattern, place } of expressionsOf(blocks, name)) {
    const expression = expressions.get(pattern) ?? LinearRegex.compile(pattern, budget);
    if (typeof expression === 'string') throw invalid(`check: ${place}: cannot be compiled as RE2: ${expression}.`);
    expressions.set(pattern, expression);
  }
  return expressions;
}
