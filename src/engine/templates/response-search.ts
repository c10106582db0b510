import { SearchBudget } from './search-budget';
import type { CompiledExpressions } from './compile-expressions';
import type { LinearRegex } from './linear-regex';
import { includes, toLowerCase } from './word-search';

/** The searches of one probe, with one budget for all of them. */
export class ResponseSearch {
  private readonly budget = new SearchBudget();

  constructor(private readonly expressions: CompiledExpressions) {}

  async test(pattern: string, text: string): Promise<boolean> {
    return (await this.expression(pattern).find(text, this.budget, null)) !== null;
  }

  /** The text of the group (0 is the whole match), or '' if there is no match, or if the group has none. */
  async find(pattern: string, text: string, group: number): Promise<string> {
    return (await this.expression(pattern).find(text, this.budget, group)) ?? '';
  }

  includes(word: string, text: string): Promise<boolean> {
    return includes(text, word, this.budget);
  }

  toLowerCase(text: string): Promise<string> {
    return toLowerCase(text, this.budget);
  }

  private expression(pattern: string): LinearRegex {
    const expression = this.expressions.get(pattern);
    if (expression === undefined) throw new Error('the expression was not compiled with the check');
    return expression;
  }
}
