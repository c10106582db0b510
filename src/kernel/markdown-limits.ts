import { isText } from './plain-text';

const MAX_CONTAINERS = 20;
const MAX_COLUMNS = 100;
/** In characters; see `QuoteCost`. Text just below the limit takes about 300 ms to parse. */
const MAX_QUOTE_COST = 32_000_000;

/** The line ends that the parser recognizes. U+2028 and U+2029 are not among them. */
const LINE_END = /\r\n?|\n/;
const TABLE_DELIMITER = /^[|:\- \t]*$/;

const REFUSALS = {
  control: 'has control characters other than tabs and ends of lines: remove them.',
  columns: `has a table with more than ${MAX_COLUMNS} columns: split it.`,
  containers: `has quotes and lists inside each other, more than ${MAX_CONTAINERS} deep: use fewer levels.`,
  quotes: 'has too many quotes without a blank line between them: put a blank line after each quote, or use fewer.',
} as const;

/**
 * Why a text must not be given to the Markdown parser: its structure makes rendering far slower than its length suggests.
 * Null if the text may be rendered. The check itself takes linear time.
 */
export function markdownRefusal(text: string): string | null {
  if (!isText(text)) return REFUSALS.control;
  const code = new IndentedCode();
  const quotes = new QuoteCost();
  for (const line of text.split(LINE_END)) {
    if (code.has(line)) continue;
    const containers = containersOf(line);
    const { count, end } = containers;
    if (count > MAX_CONTAINERS) return REFUSALS.containers;
    if (TABLE_DELIMITER.test(line.slice(end)) && line.split('|').length - 1 > MAX_COLUMNS) return REFUSALS.columns;
    if (quotes.add(line, containers) > MAX_QUOTE_COST) return REFUSALS.quotes;
  }
  return null;
}

interface Containers {
  readonly count: number;
  /** Quotes before the first list item of the line. */
  readonly leadingQuotes: number;
  /** Quotes after the first list item of the line. */
  readonly itemQuotes: number;
  /** The index at which the text of the line begins. */
  readonly end: number;
}

const LIST_MARKER = /(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/y;

/** The markers of quotes and list items at the start of a line. */
function containersOf(line: string): Containers {
  const length = lengthBeforeRule(line);
  let [leadingQuotes, itemQuotes, items, at] = [0, 0, 0, 0];
  while (at < length) {
    const character = line[at];
    LIST_MARKER.lastIndex = at;
    if (character === ' ' || character === '\t') at += 1;
    else if (character === '>') {
      if (items === 0) leadingQuotes += 1;
      else itemQuotes += 1;
      at += 1;
    } else if (LIST_MARKER.test(line)) {
      items += 1;
      at = LIST_MARKER.lastIndex;
    } else break;
  }
  return { count: leadingQuotes + itemQuotes + items, leadingQuotes, itemQuotes, end: at };
}

/** `- - - -` and `* * * *` at the end of a line are a horizontal rule, not a list. */
function lengthBeforeRule(line: string): number {
  let length = line.length;
  while (isBlankAt(line, length - 1)) length -= 1;
  const marker = line[length - 1];
  if (marker !== '-' && marker !== '*') return line.length;
  while (isBlankAt(line, length - 1) || line[length - 1] === marker) length -= 1;
  return length;
}

const isBlankAt = (line: string, at: number): boolean => line[at] === ' ' || line[at] === '\t';

const isBlank = (line: string): boolean => /^[ \t]*$/.test(line);

/**
 * An estimate of how much the parser reads for the quotes of a text. For each quote that opens, it reads to the next blank
 * line. This adds up the lengths of those lines, once for each quote.
 */
class QuoteCost {
  private cost = 0;
  private opened = 0;
  private depth = 0;

  add(line: string, { leadingQuotes, itemQuotes }: Containers): number {
    if (isBlank(line)) this.opened = 0;
    const continued = isBlank(line) ? 0 : Math.min(this.depth, leadingQuotes);
    this.opened += leadingQuotes - continued + itemQuotes;
    this.depth = leadingQuotes;
    this.cost += this.opened * (line.length + 10);
    return this.cost;
  }
}

/** Recognizes indented code, in which markers have no meaning: outside of lists, after a blank line. */
class IndentedCode {
  private mayBegin = true;
  private inList = false;

  has(line: string): boolean {
    if (isBlank(line)) {
      this.mayBegin = true;
      return false;
    }
    if (/^(?: {4}| {0,3}\t)/.test(line)) return this.mayBegin && !this.inList;
    LIST_MARKER.lastIndex = line.search(/[^ >]/);
    const isStillInList = this.inList && (line.startsWith(' ') || !this.mayBegin);
    this.inList = LIST_MARKER.test(line) || isStillInList;
    this.mayBegin = false;
    return false;
  }
}
