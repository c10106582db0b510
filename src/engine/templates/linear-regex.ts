import { RE2JS } from 're2js';
import type { SearchBudget } from './search-budget';
import { costOf } from './expression-cost';
import { searchThread } from './search-thread';

const MAX_PROGRAM_SIZE = 2_000;
/** For all expressions of a check: about forty milliseconds. */
const MAX_CHECK_COST = 10_000;
/** The cost of the smallest expression besides its program: no check has more than 400. */
const COST_PER_EXPRESSION = 22;
const GROUPS_PER_STEP = 4;
/** About ten milliseconds. */
const MOST_STEPS_AT_ONCE = 400_000;

/** Limits the cost of compiling the expressions of one check, before any text is searched. */
export class CompilationBudget {
  private left = MAX_CHECK_COST;

  /** Why a program of this size and with this cost of classes is not compiled; or null. */
  refusal(size: number, classes: number): string | null {
    if (size > MAX_PROGRAM_SIZE) return 'it is too large';
    this.left -= COST_PER_EXPRESSION + size + classes;
    return this.left < 0 ? 'together, the expressions of the check are too large' : null;
  }
}

const isAnchoredAtBothEnds = (pattern: string): boolean => /\^|\\A/.test(pattern) && /\$|\\z/.test(pattern);
const endsInQuotation = (pattern: string): boolean =>
  [...pattern.matchAll(/\\Q[^]*?(?:\\E|(?<isOpen>$))|\\[^Q]/g)].some(({ groups }) => groups?.['isOpen'] === '');

/**
 * For expressions that are anchored at both ends, RE2JS looks for a faster program, in cubic time. An empty group at the end
 * prevents that.
 */
function withoutOnePass(pattern: string): string {
  if (!isAnchoredAtBothEnds(pattern)) return pattern;
  return endsInQuotation(pattern) ? `${pattern}\\E()` : `${pattern}()`;
}

/** A compiled expression, or the reason why it is refused. */
type CompilationResult = { readonly expression: LinearRegex } | { readonly refusal: string };

/** An RE2 expression: it has no look-around and no back-references, and always takes linear time. */
export class LinearRegex {
  private constructor(
    private readonly pattern: string,
    private readonly compiled: RE2JS,
  ) {}

  static compile(pattern: string, budget: CompilationBudget): CompilationResult {
    const { size, classes } = costOf(pattern);
    const refusal = budget.refusal(size, classes);
    if (refusal !== null) return { refusal };
    try {
      const program = withoutOnePass(pattern);
      return { expression: new LinearRegex(program, RE2JS.compile(program)) };
    } catch (error) {
      return {
        refusal: error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it cannot be read',
      };
    }
  }

  /**
   * The text of the group (0 is the whole match), or '' if no group is requested. Null if there is no match, or if the group did
   * not match.
   */
  async find(text: string, budget: SearchBudget, group: number | null = 0): Promise<string | null> {
    // A second search finds the groups. It copies all of them at every step.
    const copies = group === null || group === 0 ? 0 : this.compiled.groupCount() / GROUPS_PER_STEP;
    budget.spend(this.compiled.programSize() * text.length * (1 + copies));
    return searchThread.search({ pattern: this.pattern, text, group });
  }

  /** For short texts, synchronously on this thread. Null if it would take too long. */
  replaceIn(text: string, replacement: string): string | null {
    if (this.compiled.programSize() * text.length > MOST_STEPS_AT_ONCE) return null;
    return this.compiled.matcher(text).replaceAll(replacement);
  }

  /** For a few hundred characters of our own, synchronously on this thread. */
  occursIn(text: string): boolean {
    return this.compiled.test(text);
  }
}
