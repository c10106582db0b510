import parseRange from 'range-parser';

/** Bytes of a file, from the first to the last of them. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The last n bytes: of a shorter file that is all of it, which range-parser takes for a range outside of it. */
const suffix = /^bytes=-0*[1-9]\d*$/;

/**
 * The one range of bytes that a Range header asks for; `outside` if it lies behind the end. Null for the whole file: what is
 * not one range of bytes may be ignored (RFC 9110, 14.2).
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'outside' | null {
  if (header === undefined) return null;
  const ranges = parseRange(size, header);
  if (ranges === -1) return suffix.test(header) && size > 0 ? null : 'outside';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length > 1) return null;
  const [range] = ranges;
  return range === undefined ? null : { from: range.start, to: range.end };
}

/** Whether If-None-Match names this entity tag; `W/` makes no difference. */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((named) => named.trim().replace(/^W\//, '') === tag));
