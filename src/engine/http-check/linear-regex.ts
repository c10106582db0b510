import { setImmediate as breath } from 'node:timers/promises';
import { RE2JS } from 're2js';

/** A step is a character against an instruction: twenty million are about half a second, in which nothing else runs. */
const LONGEST_SEARCH = 20_000_000;
const LARGEST_PROGRAM = 1_000;

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

/** An expression in the dialect of RE2: no look-around, no back-references, and no pattern that takes for ever. */
export class LinearRegex {
  private constructor(
    private readonly compiled: RE2JS,
    private readonly size: number,
  ) {}

  /** The expression, or why it is none. */
  static compile(pattern: string): LinearRegex | string {
    try {
      const compiled = RE2JS.compile(pattern);
      const size = compiled.programSize();
      return size > LARGEST_PROGRAM ? 'it is too large' : new LinearRegex(compiled, size);
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
