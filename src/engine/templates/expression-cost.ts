/** The estimated cost of compiling an expression. Compilation expands every repetition. */
export interface ExpressionCost {
  /** At least the number of instructions of the program. */
  readonly size: number;
  /** The additional cost of its character classes, in instructions. */
  readonly classes: number;
}

/** The instructions at the beginning and end of every program. */
const PROGRAM_OVERHEAD = 3;
const GROUP = 3;
const ALTERNATIVE = 2;
/** A Unicode class has hundreds of ranges. */
const UNICODE_CLASS = 60;
/** If case is ignored, each character of a range is looked up. This many take as long as one instruction. */
const CHARACTERS_PER_STEP = 8;
const WIDEST_RANGE = 1_000;
/** The cost of looking up the ranges of `\w` and similar classes. */
const NAMED_CLASS = 16;

const UNICODE = String.raw`\\[pP](?:\{\^?\w*\}|[^{])`;
const PERL = String.raw`\\[dDsSwW]`;
const CHARACTER = String.raw`(?:\\x\{[\da-fA-F]*\}|\\[^]|[^\\])`;

/** The tokens of RE2; anything without a group name is an atom of one instruction. */
const TOKEN = new RegExp(
  [
    String.raw`\\Q(?<quoted>[^]*?)(?:\\E|$)`,
    `(?<unicode>${UNICODE})`,
    `(?<named>${PERL})`,
    String.raw`(?<class>\[\^?)`,
    String.raw`(?<flags>\(\?[a-zA-Z-]*\))`,
    String.raw`(?<open>\((?:\?P?<\w*>|\?[a-zA-Z-]*:)?)`,
    String.raw`(?<close>\))`,
    String.raw`(?<bar>\|)`,
    String.raw`(?<repeat>[*+?]|\{(?<least>0|[1-9]\d*)(?:,(?<most>0|[1-9]\d*)?)?\})\??`,
    CHARACTER,
  ].join('|'),
  'uy',
);

/** The items of a character class. The first character may be a bracket. */
const ITEM = new RegExp(
  [
    `(?<unicode>${UNICODE})`,
    String.raw`(?<named>\[:\^?\w+:\]|${PERL})`,
    String.raw`(?<from>${CHARACTER})-(?!\])(?<to>${CHARACTER})`,
    CHARACTER,
  ].join('|'),
  'uy',
);

type Token = Readonly<Record<string, string | undefined>>;

/** The code point of a literal end of a range; NaN for an escape. */
const codeOf = (end: string): number => (end.startsWith('\\') ? NaN : (end.codePointAt(0) ?? NaN));

function rangeCost(from: string, to: string): number {
  const width = codeOf(to) - codeOf(from);
  return Number.isNaN(width) ? WIDEST_RANGE : Math.min(WIDEST_RANGE, width / CHARACTERS_PER_STEP);
}

/** The size of a repeated term, including what joins the copies. */
function repeated(term: number, { repeat = '', least = '', most }: Token): number {
  if (!repeat.startsWith('{')) return term + 2;
  const copies = Number(least) * term;
  return most === undefined ? copies + 2 : copies + Math.max(0, Number(most) - Number(least)) * (term + 1) + 2;
}

/** Walks through an expression like RE2, but compiles nothing. */
class Estimate {
  private at = 0;
  /** For each open group, the size of the terms before the last one. */
  private readonly before = [0];
  private last = 0;
  private classes = 0;

  constructor(
    private readonly pattern: string,
    private readonly ignoresCase: boolean,
  ) {}

  total(): ExpressionCost {
    while (this.at < this.pattern.length) this.take(this.next(TOKEN));
    const size = this.before.reduce((sum, terms) => sum + terms, this.last + PROGRAM_OVERHEAD);
    return { size, classes: this.classes };
  }

  private next(kind: RegExp): Token {
    kind.lastIndex = this.at;
    const found = kind.exec(this.pattern);
    this.at += found?.[0].length ?? 1;
    return found?.groups ?? {};
  }

  private take(token: Token): void {
    if (token['repeat'] !== undefined) this.last = repeated(this.last, token);
    else if (token['open'] !== undefined) this.open();
    else if (token['close'] !== undefined) this.close();
    else if (token['flags'] === undefined) this.add(token);
  }

  private open(): void {
    this.settle();
    this.before.push(0);
  }

  /** In its parent, a group is one term. */
  private close(): void {
    this.settle();
    this.last = (this.before.pop() ?? 0) + GROUP;
    if (this.before.length === 0) this.before.push(0);
  }

  private settle(term = 0): void {
    this.before.push((this.before.pop() ?? 0) + this.last);
    this.last = term;
  }

  private add({ quoted, bar, ...token }: Token): void {
    this.classes += this.classCost(token);
    // A repetition only applies to the last character of a quotation.
    const atoms = quoted === undefined ? [bar === undefined ? 1 : ALTERNATIVE] : Array.from(quoted, () => 1);
    for (const atom of atoms) this.settle(atom);
  }

  private classCost({ unicode, named, from, to, class: opened }: Token): number {
    if (unicode !== undefined) return UNICODE_CLASS;
    if (opened !== undefined) return this.insideClass();
    if (!this.ignoresCase) return 0;
    if (from !== undefined && to !== undefined) return rangeCost(from, to);
    return named === undefined ? 0 : NAMED_CLASS;
  }

  private insideClass(): number {
    let cost = 0;
    do cost += this.classCost(this.next(ITEM));
    while (this.at < this.pattern.length && this.pattern[this.at] !== ']');
    this.at += 1;
    return cost;
  }
}

/** Goes through the expression as RE2 does. */
export const costOf = (pattern: string): ExpressionCost =>
  new Estimate(pattern, /\(\?[a-zA-Z-]*i/.test(pattern)).total();
