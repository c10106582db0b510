import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SearchBudget } from './search-budget';
import type { CompiledExpressions } from './compile-expressions';
import type { TextSearch } from './expressions/function-table';
import { ExpressionError, ExpressionLimitExceeded } from './expressions/value';
import { CompilationBudget, LinearRegex } from './linear-regex';
import { includes, toLowerCase } from './word-search';

/** Parsing a pattern takes as long as this many steps for each of its characters. */
const STEPS_PER_PATTERN_CHARACTER = 50;

/** The searches of one probe, with one budget for all of them. */
export class ResponseSearch implements TextSearch {
  private readonly budget = new SearchBudget();
  private readonly compilation = new CompilationBudget();
  /** Compiled patterns whose text was not known before. */
  private readonly own = new Map<string, LinearRegex>();

  constructor(private readonly expressions: CompiledExpressions) {}

  async matches(pattern: string, text: string): Promise<boolean> {
    return (await this.expression(pattern).find(text, this.budget, null)) !== null;
  }

  /** The text of the group (0 is the whole match), or '' if there is no match, or if the group did not match. */
  async find(pattern: string, text: string, group: number): Promise<string> {
    return (await this.expression(pattern).find(text, this.budget, group)) ?? '';
  }

  async replace(pattern: string, text: string, replacement: string): Promise<string> {
    const replaced = this.expression(pattern).replaceIn(text, replacement);
    // The search runs on this thread.
    await yieldToEventLoop();
    if (replaced === null) throw new ExpressionLimitExceeded('the text of replace_regex is too long');
    return replaced;
  }

  includes(word: string, text: string): Promise<boolean> {
    return includes(text, word, this.budget);
  }

  toLowerCase(text: string): Promise<string> {
    return toLowerCase(text, this.budget);
  }

  private expression(pattern: string): LinearRegex {
    const known = this.expressions.get(pattern) ?? this.own.get(pattern);
    if (known !== undefined) return known;
    this.budget.spend(pattern.length * STEPS_PER_PATTERN_CHARACTER);
    const result = LinearRegex.compile(pattern, this.compilation);
    if ('refusal' in result) throw new ExpressionError(`the pattern cannot be compiled as RE2: ${result.refusal}`);
    this.own.set(pattern, result.expression);
    return result.expression;
  }
}
