/** The characters that a font has a glyph for, from the cmap table of its OpenType file (formats 4 and 12). */
export type Coverage = (codePoint: number) => boolean;

const BITMAP_BYTES = 0x110000 / 8;

export function coverageOf(font: Buffer): Coverage {
  const covered = new Uint8Array(BITMAP_BYTES);
  const add = (from: number, to: number): void => {
    for (let point = from; point <= to; point += 1)
      covered[point >> 3] = (covered[point >> 3] ?? 0) | (1 << (point & 7));
  };
  const cmap = cmapOf(font);
  for (const table of subtablesOf(cmap)) {
    const format = table.readUInt16BE(0);
    if (format === 4) addSegments(table, add);
    if (format === 12) addGroups(table, add);
  }
  return (point) => ((covered[point >> 3] ?? 0) & (1 << (point & 7))) !== 0;
}

function cmapOf(font: Buffer): Buffer {
  const end = 12 + font.readUInt16BE(4) * 16;
  for (let at = 12; at < end; at += 16) {
    if (font.toString('latin1', at, at + 4) === 'cmap') return font.subarray(font.readUInt32BE(at + 8));
  }
  throw new Error('The font has no table cmap.');
}

const subtablesOf = (cmap: Buffer): Buffer[] =>
  Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4)));

type Add = (from: number, to: number) => void;

function addSegments(table: Buffer, add: Add): void {
  const doubled = table.readUInt16BE(6);
  for (let at = 0; at < doubled; at += 2) {
    const to = table.readUInt16BE(14 + at);
    const from = table.readUInt16BE(16 + doubled + at);
    const shift = table.readUInt16BE(16 + 2 * doubled + at);
    const place = 16 + 3 * doubled + at;
    const offset = table.readUInt16BE(place);
    for (let point = from; point <= to && point < 0xffff; point += 1) {
      const entry = offset === 0 ? point : table.readUInt16BE(place + offset + 2 * (point - from));
      // Glyph 0 means "missing", also in an array of glyphs, where the shift does not apply to it.
      if (offset === 0 ? ((entry + shift) & 0xffff) !== 0 : entry !== 0) add(point, point);
    }
  }
}

function addGroups(table: Buffer, add: Add): void {
  const groups = table.readUInt32BE(12);
  for (let at = 16; at < 16 + groups * 12; at += 12) add(table.readUInt32BE(at), table.readUInt32BE(at + 4));
}
