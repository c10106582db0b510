/** Replaces control characters, so that text of a tenant or target cannot control the terminal. */
export const printable = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? 'unknown')).replace(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}');

export type Cell = string | number | Date | null;

const shown = (cell: Cell): string =>
  cell === null ? '-' : cell instanceof Date ? cell.toISOString().slice(0, 19) + 'Z' : printable(cell);

/** Aligned columns; numbers to the right. */
export function textTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = rows.map((row) => row.map(shown));
  const widths = head.map((name, index) => Math.max(name.length, ...texts.map((row) => (row[index] ?? '').length)));
  const line = (cells: readonly string[], source: readonly Cell[]): string =>
    cells
      .map((cell, index) =>
        typeof source[index] === 'number' ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(head, rows[0] ?? head), ...texts.map((row, index) => line(row, rows[index] ?? []))].join('\n');
}

/** One document of JSON, or the text for people. */
export function print(result: unknown, { json = false }: { readonly json?: boolean }, text: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(result, null, 2) : text()}\n`);
}
