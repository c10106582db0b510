import { RE2JS } from 're2js';
import type { SearchBudget } from './search-budget';
import { costOf } from './expression-cost';
import { searchThread } from './search-thread';

const MAX_PROGRAM_SIZE = 2_000;
/** Of all expressions of a check: some forty milliseconds. */
const MAX_CHECK_COST = 10_000;
/** What the smallest expression costs beside its program: no check has more than 400. */
const COST_PER_EXPRESSION = 22;
const GROUPS_PER_STEP = 4;
/** Some ten milliseconds. */
const MOST_STEPS_AT_ONCE = 400_000;

/** What the expressions of one check may cost together before any text is searched. */
export class CompilationBudget {
  private left = MAX_CHECK_COST;

  /** Why a program of this size, with so much to do for its classes, is not compiled; or null. */
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
 * For what is tied to both ends of the text RE2JS looks for a faster program, in a time that is cubic in its size. A
 * group at the end, which holds nothing, keeps it from that.
 */
function withoutOnePass(pattern: string): string {
  if (!isAnchoredAtBothEnds(pattern)) return pattern;
  return endsInQuotation(pattern) ? `${pattern}\\E()` : `${pattern}()`;
}

/** A compiled expression, or the reason why it is refused. */
type CompilationResult = { readonly expression: LinearRegex } | { readonly refusal: string };

/** An expression in the dialect of RE2: no look-around, no back-references, and no pattern that takes forever. */
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
   * The text of the group (0 is the whole match), or '' if no group is requested. Null if there is no match, or if the
   * group has none.
   */
  async find(text: string, budget: SearchBudget, group: number | null = 0): Promise<string | null> {
    // Where the groups are is asked in a second search, which takes all of them along at every step.
    const copies = group === null || group === 0 ? 0 : this.compiled.groupCount() / GROUPS_PER_STEP;
    budget.spend(this.compiled.programSize() * text.length * (1 + copies));
    return searchThread.search({ pattern: this.pattern, text, group });
  }

  /** For short texts, on this thread and at once. Null where it would take too long. */
  replaceIn(text: string, replacement: string): string | null {
    if (this.compiled.programSize() * text.length > MOST_STEPS_AT_ONCE) return null;
    return this.compiled.matcher(text).replaceAll(replacement);
  }

  /** For a few hundred characters of ours, on this thread and at once. */
  occursIn(text: string): boolean {
    return this.compiled.test(text);
  }
}
