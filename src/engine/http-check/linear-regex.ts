import { setImmediate as breath } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { costOf } from './expression-cost';

/** A step is a character against an instruction: twenty million are about half a second, in which nothing else runs. */
const LONGEST_SEARCH = 20_000_000;
const LARGEST_PROGRAM = 2_000;
/** Of all expressions of a check: some forty milliseconds. */
const LARGEST_CHECK = 10_000;
/** What the smallest expression costs beside its program: no check has more than 400. */
const EACH = 22;

/** Linear in the text, but a large expression on a large text is still more than we do for a stranger. */
export class TooMuchToSearch extends Error {
  constructor() {
    super('the answers are too long for the expressions of the check');
    this.name = 'TooMuchToSearch';
  }
}

/** What one look of a check may spend on searching. */
export class Effort {
  private steps = 10 * LONGEST_SEARCH;

  spend(steps: number): void {
    this.steps -= steps;
    if (steps > LONGEST_SEARCH || this.steps < 0) throw new TooMuchToSearch();
  }
}

/** What the expressions of one check may cost together before any text is searched. */
export class CompilingEffort {
  private left = LARGEST_CHECK;

  /** Why a program of this size, with so much to do for its classes, is not compiled; or null. */
  refusal(size: number, classes: number): string | null {
    if (size > LARGEST_PROGRAM) return 'it is too large';
    this.left -= EACH + size + classes;
    return this.left < 0 ? 'with it the expressions of the check are too many, or too large together' : null;
  }
}

const isTied = (pattern: string): boolean => /\^|\\A/.test(pattern) && /\$|\\z/.test(pattern);
const isQuotingAtItsEnd = (pattern: string): boolean => pattern.replace(/\\Q[^]*?\\E|\\[^Q]/g, '').includes('\\Q');

/**
 * For what is tied to both ends of the text RE2JS looks for a faster program, in a time that is cubic in its size. A
 * group at the end, which holds nothing, keeps it from that.
 */
function spared(pattern: string): string {
  if (!isTied(pattern)) return pattern;
  return isQuotingAtItsEnd(pattern) ? `${pattern}\\E()` : `${pattern}()`;
}

/** An expression in the dialect of RE2: no look-around, no back-references, and no pattern that takes for ever. */
export class LinearRegex {
  private constructor(
    private readonly compiled: RE2JS,
    private readonly size: number,
  ) {}

  /** The expression, or why it is none. */
  static compile(pattern: string, effort: CompilingEffort): LinearRegex | string {
    const { size, classes } = costOf(pattern);
    const refusal = effort.refusal(size, classes);
    if (refusal !== null) return refusal;
    try {
      const compiled = RE2JS.compile(spared(pattern));
      return new LinearRegex(compiled, compiled.programSize());
    } catch (error) {
      return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it cannot be read';
    }
  }

  /** The first match, or the given group of it; null when there is none. */
  async find(text: string, effort: Effort, group = 0): Promise<string | null> {
    effort.spend(this.size * text.length);
    // Others get their turn between two searches.
    await breath();
    const matcher = this.compiled.matcher(text);
    if (!matcher.find() || group > matcher.groupCount()) return null;
    return matcher.group(group) ?? null;
  }
}
