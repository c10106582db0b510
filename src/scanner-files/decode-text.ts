import { UnreadableFileError } from './unreadable-file-error';

/** The input is decoded in pieces of this size, even if it arrives in larger ones. */
const PIECE_BYTES = 64 * 1024;
/** The XML declaration, which names the encoding, is within these bytes. */
const HEAD_BYTES = 1_024;

const COMPRESSED: readonly (readonly [name: string, signature: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
];

const SUPPORTED = 'UTF-8, UTF-16, ISO-8859-1 and Windows-1252';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Encodings that an XML declaration may name for files in a superset of ASCII. */
const DECLARED_ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['ascii', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
]);

/**
 * Decodes a file by its byte order mark or its XML declaration, otherwise as UTF-8. Invalid bytes are an error with their line,
 * after the text before them. Pieces never end within a character.
 */
export async function* decodeText(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: PieceDecoder | null = null;
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      if (decoder !== null) {
        yield* decoder.decode(piece);
        continue;
      }
      held.push(piece);
      size += piece.length;
      if (size < HEAD_BYTES) continue;
      const head = Buffer.concat(held);
      held = [];
      decoder = decoderFor(head);
      yield* decoder.decode(head);
    }
  }
  if (decoder === null) {
    const head = Buffer.concat(held);
    decoder = decoderFor(head);
    yield* decoder.decode(head);
  }
  decoder.end();
}

function decoderFor(head: Buffer): PieceDecoder {
  const startsWith = (bytes: readonly number[]) => bytes.every((byte, index) => head[index] === byte);
  for (const [name, signature] of COMPRESSED)
    if (startsWith(signature))
      throw new UnreadableFileError(
        1,
        `The file is compressed (${name}): decompress it first, and send the file in it.`,
      );
  if (startsWith([0xff, 0xfe, 0, 0]) || startsWith([0, 0, 0xfe, 0xff]))
    throw new UnreadableFileError(1, `The file is encoded in UTF-32. Supported are ${SUPPORTED}.`);
  if (startsWith([0xef, 0xbb, 0xbf])) return new PieceDecoder('utf-8');
  if (startsWith([0xff, 0xfe])) return new PieceDecoder('utf-16le');
  if (startsWith([0xfe, 0xff])) return new PieceDecoder('utf-16be');
  if (head[0] !== 0 && head[1] === 0) return new PieceDecoder('utf-16le');
  if (head[0] === 0 && head[1] !== 0 && head.length > 1) return new PieceDecoder('utf-16be');
  return new PieceDecoder(declaredEncoding(head) ?? 'utf-8');
}

function declaredEncoding(head: Buffer): Encoding | null {
  const [, , name = null] =
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*(["'])([\w.:-]+)\1/i.exec(head.toString('latin1', 0, HEAD_BYTES)) ?? [];
  if (name === null) return null;
  const encoding = DECLARED_ENCODINGS.get(name.toLowerCase());
  if (encoding !== undefined) return encoding;
  const reason = /^utf-?16/i.test(name)
    ? `The XML declaration names ${name}, but the bytes are not UTF-16.`
    : `The encoding ${name} is not supported. Supported are ${SUPPORTED}.`;
  throw new UnreadableFileError(1, reason);
}

/** Decodes pieces. Its only state is the incomplete character at the end of the last piece. */
class PieceDecoder {
  private carried: Buffer = Buffer.alloc(0);
  private line = 1;

  constructor(private readonly encoding: Encoding) {}

  *decode(piece: Buffer): Generator<string> {
    const bytes = this.carried.length === 0 ? piece : Buffer.concat([this.carried, piece]);
    const length = this.completeLength(bytes);
    this.carried = Buffer.from(bytes.subarray(length));
    const complete = bytes.subarray(0, length);
    const text = this.tryDecode(complete);
    if (text !== null) {
      if (text !== '') yield this.count(text);
      return;
    }
    const valid = this.validLength(complete);
    const before = this.tryDecode(complete.subarray(0, valid)) ?? '';
    if (before !== '') yield this.count(before);
    const byte = complete
      .subarray(valid, valid + 1)
      .toString('hex')
      .toUpperCase();
    throw new UnreadableFileError(
      this.line,
      `The byte 0x${byte} is not valid in ${this.name()}: save the file as UTF-8.`,
    );
  }

  end(): void {
    if (this.carried.length > 0)
      throw new UnreadableFileError(
        this.line,
        `The file ends in the middle of a character of ${this.name()}: it is probably truncated.`,
      );
  }

  private name(): string {
    return this.encoding.slice(0, 6).toUpperCase();
  }

  private count(text: string): string {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.line += 1;
    return text;
  }

  private tryDecode(bytes: Buffer): string | null {
    try {
      return new TextDecoder(this.encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return null;
    }
  }

  /** The length of the longest valid prefix, found by bisection. An incomplete character at its end counts as valid. */
  private validLength(bytes: Buffer): number {
    let [valid, invalid] = [0, bytes.length];
    while (invalid - valid > 1) {
      const middle = Math.floor((valid + invalid) / 2);
      if (this.isValidBeginning(bytes.subarray(0, middle))) valid = middle;
      else invalid = middle;
    }
    return this.completeLength(bytes.subarray(0, valid));
  }

  private isValidBeginning(bytes: Buffer): boolean {
    try {
      new TextDecoder(this.encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
      return true;
    } catch {
      return false;
    }
  }

  /** Leaves out an incomplete character at the end. */
  private completeLength(bytes: Buffer): number {
    if (this.encoding === 'windows-1252') return bytes.length;
    return this.encoding === 'utf-8' ? completeUtf8(bytes) : completeUtf16(bytes, this.encoding === 'utf-16le');
  }
}

function completeUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function completeUtf16(bytes: Buffer, littleEndian: boolean): number {
  const even = bytes.length - (bytes.length % 2);
  const high = bytes[littleEndian ? even - 1 : even - 2] ?? 0;
  return even >= 2 && high >= 0xd8 && high <= 0xdb ? even - 2 : even;
}
