/** In characters. A longer line is refused without being kept. */
export const MAX_LINE = 8 * 1024 * 1024;

export interface FileLine {
  readonly line: number;
  readonly text: string;
  /** The file ends here, without a line feed. */
  readonly isLast: boolean;
  readonly refused: string | null;
}

/** Splits a text of any size into its lines. */
export async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<FileLine> {
  let parts: string[] = [];
  let size = 0;
  let line = 1;
  const keep = (text: string) => {
    size += text.length;
    if (size <= MAX_LINE) parts.push(text);
    else parts = [];
  };
  const finish = (isLast: boolean): FileLine => {
    const refused = size > MAX_LINE ? `The line is larger than ${MAX_LINE / 1024 / 1024} MiB.` : null;
    const content = parts.join('');
    const text = line === 1 && content.startsWith('\uFEFF') ? content.slice(1) : content;
    const result = { line, text, isLast, refused };
    parts = [];
    size = 0;
    line += 1;
    return result;
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', from)) {
      keep(piece.slice(from, at));
      yield finish(false);
      from = at + 1;
    }
    keep(piece.slice(from));
  }
  if (size > 0) yield finish(true);
}
