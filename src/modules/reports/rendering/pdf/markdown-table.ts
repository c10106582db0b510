import type { Token } from 'markdown-it';
import { type FontFallback, isRightToLeft } from './font-fallback';
import { inlinesOf } from './markdown-inlines';
import type { Block, Cell } from './markdown-tree';

/** More columns than this leave no room for words. */
const mostColumns = 5;
const roomMm = 114;
/** The widest letter of a table's text. */
const letterMm = 2.8;
const narrowest = 14;
const widest = 36;

/** The tokens between the opening and the closing of a table. */
export function tableOf(tokens: readonly Token[], fonts: FontFallback): Block {
  const [head = [], ...rows] = rowsOf(tokens);
  const lengths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.content.length ?? 0)));
  const shares = lengths.map((length) => Math.min(widest, Math.max(narrowest, length)));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const wide = head.length > mostColumns;
  const cellOf = (inline: Token, column: number): Cell => {
    const room = wide ? roomMm / 2 : (roomMm * (shares[column] ?? narrowest)) / whole;
    const c = inlinesOf(inline.children ?? [], fonts, Math.floor(room / letterMm));
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
