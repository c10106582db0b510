import parseRange from 'range-parser';

/** Offsets of the first and the last byte. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The last n bytes. For shorter files that is the whole file, but range-parser rejects it. */
const SUFFIX = /^bytes=-0*[1-9]\d*$/;

/**
 * The range of a Range header; `outside` if it begins after the end of the file. Null for the whole file: other units and
 * several ranges may be ignored (RFC 9110, 14.2).
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'outside' | null {
  if (header === undefined) return null;
  const ranges = parseRange(size, header);
  if (ranges === -1) return SUFFIX.test(header) && size > 0 ? null : 'outside';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length > 1) return null;
  const [range] = ranges;
  return range === undefined ? null : { from: range.start, to: range.end };
}

/** Whether If-None-Match contains this entity tag, weak or strong. */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((named) => named.trim().replace(/^W\//, '') === tag));
