import MarkdownIt, { type Token } from 'markdown-it';
import { markdownRefusal } from '../../../../kernel/markdown-limits';
import { type FontFallback, isRightToLeft } from './font-fallback';
import { inlinesOf } from './markdown-inlines';
import type { Block, Cell } from './markdown-tree';

/** With more columns, words do not fit. */
const MAX_COLUMNS = 5;
const TABLE_WIDTH_MM = 114;
/** The widest letter of a table's text. */
const LETTER_WIDTH_MM = 2.8;
const MIN_COLUMN_WIDTH = 14;
const MAX_COLUMN_WIDTH = 36;

/** The tokens between the opening and the closing of a table. */
function tableOf(tokens: readonly Token[], fonts: FontFallback): Block {
  const [head = [], ...rows] = rowsOf(tokens);
  const lengths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.content.length ?? 0)));
  const shares = lengths.map((length) => Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, length)));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const wide = head.length > MAX_COLUMNS;
  const cellOf = (inline: Token, column: number): Cell => {
    const room = wide ? TABLE_WIDTH_MM / 2 : (TABLE_WIDTH_MM * (shares[column] ?? MIN_COLUMN_WIDTH)) / whole;
    const c = inlinesOf(inline.children ?? [], fonts, Math.floor(room / LETTER_WIDTH_MM));
    return isRightToLeft(inline.content) ? { c, r: true } : { c };
  };
  if (!wide) return { t: 'table', widths: shares, head: head.map(cellOf), rows: rows.map((row) => row.map(cellOf)) };
  const names = head.map(cellOf);
  const record = (row: readonly Token[]) =>
    row.flatMap((inline, column): [Cell, Cell][] =>
      inline.content === '' ? [] : [[names[column] ?? { c: [] }, cellOf(inline, column)]],
    );
  return { t: 'records', rows: (rows.length === 0 ? [head] : rows).map(record) };
}

function rowsOf(tokens: readonly Token[]): Token[][] {
  const rows: Token[][] = [];
  for (const token of tokens) {
    if (token.type === 'tr_open') rows.push([]);
    if (token.type === 'inline') rows.at(-1)?.push(token);
  }
  return rows;
}

/** The parser of findings, except that images become links and nesting is limited. */
const markdown = new MarkdownIt({ html: false, maxNesting: 600 }).disable('reference');
markdown.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url);

/** The deepest level of nesting that fits the page. Deeper content is moved to this level. */
const MAX_DEPTH = 5;
/** Findings are the second level of headings, the parts of a finding the third. */
const FIRST_HEADING = 4;
const LAST_HEADING = 6;

/** The blocks of a Markdown text. A text that exceeds the limits of the parser is shown as written. */
export const blocksOf = (text: string, fonts: FontFallback): readonly Block[] =>
  markdownRefusal(text) === null
    ? new Reader(markdown.parse(text, {}), fonts).blocks(0)
    : [{ t: 'code', s: fonts.codeBlock(text) }];

class Reader {
  private at = 0;
  private heading = FIRST_HEADING - 1;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly fonts: FontFallback,
  ) {}

  /** Reads up to and including the closing token. */
  blocks(depth: number): Block[] {
    const blocks: Block[] = [];
    for (let token = this.next(); token !== undefined && token.nesting !== -1; token = this.next()) {
      blocks.push(...this.block(token, depth));
    }
    return blocks;
  }

  private next(): Token | undefined {
    return this.tokens[this.at++];
  }

  private block(token: Token, depth: number): readonly Block[] {
    switch (token.type) {
      case 'paragraph_open':
        return this.words(depth, (c) => ({ t: 'p', c }));
      case 'heading_open':
        return this.words(depth, (c) => this.titled(Number(token.tag.slice(1)), depth, c));
      case 'bullet_list_open':
        return this.list(depth, (items) => ({ t: 'ul', items }));
      case 'ordered_list_open':
        return this.list(depth, (items) => ({ t: 'ol', start: Number(token.attrGet('start') ?? 1), items }));
      case 'blockquote_open':
        return this.inside(depth, (b) => [directed({ t: 'quote', b }, b)]);
      case 'table_open':
        return [tableOf(this.skip('table_close'), this.fonts)];
      case 'fence':
      case 'code_block':
        return [{ t: 'code', s: this.fonts.codeBlock(token.content) }];
      case 'hr':
        return [{ t: 'hr' }];
      default:
        return [];
    }
  }

  private words(depth: number, make: (c: ReturnType<typeof inlinesOf>) => Block): Block[] {
    const inline = this.next();
    this.next();
    const c = inlinesOf(inline?.children ?? [], this.fonts, 36 - 3 * depth);
    if (c.length === 0) return [];
    const block = make(c);
    return [isRightToLeft(inline?.content ?? '') ? { ...block, r: true } : block];
  }

  /** Headings may not skip a level. Headings inside other blocks become bold text. */
  private titled(level: number, depth: number, c: ReturnType<typeof inlinesOf>): Block {
    if (depth > 0) return { t: 'title', c };
    this.heading = Math.min(FIRST_HEADING + level - 1, this.heading + 1, LAST_HEADING);
    return { t: 'h', n: Math.max(FIRST_HEADING, this.heading), c };
  }

  private list(depth: number, make: (items: readonly (readonly Block[])[]) => Block): readonly Block[] {
    const items: (readonly Block[])[] = [];
    for (let token = this.next(); token?.type === 'list_item_open'; token = this.next()) {
      items.push(this.blocks(Math.min(depth + 1, MAX_DEPTH)));
    }
    return depth < MAX_DEPTH ? [directed(make(items), items.flat())] : items.flat();
  }

  private inside(depth: number, make: (blocks: readonly Block[]) => readonly Block[]): readonly Block[] {
    const blocks = this.blocks(Math.min(depth + 1, MAX_DEPTH));
    return depth < MAX_DEPTH ? make(blocks) : blocks;
  }

  private skip(closing: string): readonly Token[] {
    const from = this.at;
    while (this.at < this.tokens.length && this.tokens[this.at]?.type !== closing) this.at += 1;
    this.at += 1;
    return this.tokens.slice(from, this.at - 1);
  }
}

/** A block that contains others has the direction of the first one. */
const directed = (block: Block, inside: readonly Block[]): Block =>
  inside[0]?.r === true ? { ...block, r: true } : block;
