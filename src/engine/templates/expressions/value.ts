/** A value of an expression. Bytes that are not valid UTF-8 are stored in texts as lone surrogates, one for each byte. */
export type Value = string | number | boolean | readonly Value[];

/** The expression has no value: it uses an unknown name, or its types do not match. */
export class ExpressionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Thrown if the expression would take too long, or its value would be too large. This proves nothing about the target. */
export class ExpressionLimitExceeded extends ExpressionError {}

export class UndefinedName extends ExpressionError {
  constructor(readonly variable: string) {
    super(`${variable} has no value`);
  }
}

/** The longest text that a function accepts and that an expression produces. Only searches accept longer ones. */
export const LONGEST_VALUE = 1_000_000;

const MOST_ITEMS = 10_000;

export function bounded<T extends Value>(value: T): T {
  if (typeof value === 'string' && value.length > LONGEST_VALUE)
    throw new ExpressionLimitExceeded(`a text is longer than ${LONGEST_VALUE} characters`);
  if (typeof value === 'object' && value.length > MOST_ITEMS)
    throw new ExpressionLimitExceeded(`a list has more than ${MOST_ITEMS} items`);
  return value;
}

export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  const texts = value.map(textOf);
  return `[${boundedJoin(texts, ' ')}]`;
}

export function boundedJoin(texts: readonly string[], separator: string): string {
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  if (length > LONGEST_VALUE) throw new ExpressionLimitExceeded(`a text is longer than ${LONGEST_VALUE} characters`);
  return texts.join(separator);
}

export function numberOf(value: Value): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw new ExpressionError(`${describe(value)} is not a number`);
  return number;
}

export function describe(value: Value): string {
  return typeof value === 'object' ? 'a list' : JSON.stringify(typeof value === 'string' ? value.slice(0, 40) : value);
}

const ESCAPED_BYTE = /[\udc80-\udcff]/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The allowed second bytes, for sequences that do not allow every continuation byte. */
const SECOND_BYTES = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

/** The length of the UTF-8 sequence at this position, or 0 if there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let place = 1; place < length; place += 1) {
    const [least = 0x80, most = 0xbf] = place === 1 ? (SECOND_BYTES.get(first) ?? []) : [];
    const byte = bytes[at + place] ?? 0;
    if (byte < least || byte > most) return 0;
  }
  return length;
}

export function textFromBytes(bytes: Buffer): string {
  bounded(' '.repeat(Math.min(bytes.length, LONGEST_VALUE + 1)));
  try {
    return utf8.decode(bytes);
  } catch {
    const units = new Uint16Array(bytes.length);
    let length = 0;
    for (let at = 0; at < bytes.length;) {
      const count = sequenceLength(bytes, at);
      const first = bytes[at] ?? 0;
      let code = count === 0 ? 0xdc00 + first : count === 1 ? first : first & (0xff >> (count + 1));
      for (let place = 1; place < count; place += 1) code = (code << 6) | ((bytes[at + place] ?? 0) & 0x3f);
      if (code > 0xffff) {
        units[length++] = 0xd7c0 + (code >> 10);
        code = 0xdc00 + (code & 0x3ff);
      }
      units[length++] = code;
      at += Math.max(1, count);
    }
    return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
  }
}

export function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (!ESCAPED_BYTE.test(text)) return bytes;
  // Each lone surrogate takes three bytes in UTF-8.
  let [from, to] = [0, 0];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) {
      bytes[to++] = code - 0xdc00;
      from += 3;
    } else {
      const end = from + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4);
      while (from < end) bytes[to++] = bytes[from++] ?? 0;
    }
  }
  return bytes.subarray(0, to);
}
