/** Bytes of a file, from the first to the last of them. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const form = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * What a Range header asks of so many bytes. Null for the whole: what is no single range of bytes is as if it were not
 * there, as RFC 9110 wants it. A range that lies behind the end is `outside`.
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'outside' | null {
  const [, first = '', last = ''] = form.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  const end = size - 1;
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'outside' : { from: size - count, to: end };
  }
  const from = Number(first);
  const to = last === '' ? end : Math.min(Number(last), end);
  if (last !== '' && Number(last) < from) return null;
  return from > end ? 'outside' : { from, to };
}

/** Whether a list of entity tags, as If-None-Match has it, names this one; `W/` makes no difference to that. */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((named) => named.trim().replace(/^W\//, '') === tag));
