/** Numbers and strings by value, documents and arrays as bytes, other types as null. */
type Value = number | string | Buffer | null;

interface Kind {
  /** The minimum size in bytes, and the size that the document states. */
  readonly least: number;
  sizeOf(rest: Buffer): number;
  read(own: Buffer): Value;
}

const fixed = (size: number, read: Kind['read'] = () => null): Kind => ({ least: size, sizeOf: () => size, read });
const nested: Kind = { least: 5, sizeOf: (rest) => rest.readInt32LE(0), read: (own) => own };

const KINDS: Readonly<Record<number, Kind>> = {
  0x01: fixed(8, (own) => own.readDoubleLE(0)),
  0x02: {
    least: 5,
    sizeOf: (rest) => 4 + rest.readInt32LE(0),
    read: (own) => own.toString('utf8', 4, own.length - 1),
  },
  0x03: nested,
  0x04: nested,
  0x05: { least: 5, sizeOf: (rest) => 5 + rest.readInt32LE(0), read: () => null },
  0x07: fixed(12),
  0x08: fixed(1),
  0x09: fixed(8),
  0x0a: fixed(0),
  0x10: fixed(4, (own) => own.readInt32LE(0)),
  0x11: fixed(8),
  0x12: fixed(8),
};

export type Document = ReadonlyMap<string, Value>;

/** The elements of a document, without nested elements; null if the bytes are invalid. */
export function readDocument(bytes: Buffer): Document | null {
  if (bytes.length < 5 || bytes.readInt32LE(0) !== bytes.length || bytes.at(-1) !== 0) return null;
  const found = new Map<string, Value>();
  for (let at = 4, end = bytes.length - 1; at < end;) {
    const kind = KINDS[bytes[at] ?? 0];
    const nameEnd = bytes.indexOf(0, at + 1);
    const rest = bytes.subarray(nameEnd + 1, end);
    if (kind === undefined || nameEnd >= end || rest.length < kind.least) return null;
    const size = kind.sizeOf(rest);
    if (size < kind.least || size > rest.length) return null;
    found.set(bytes.toString('utf8', at + 1, nameEnd), kind.read(rest.subarray(0, size)));
    at = nameEnd + 1 + size;
  }
  return found;
}

export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};

const element = (type: number, name: string, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`), value]);

function written(name: string, value: number | boolean | string): Buffer {
  if (typeof value === 'number') return element(0x10, name, int32(value));
  if (typeof value === 'boolean') return element(0x08, name, Buffer.from([Number(value)]));
  return element(0x02, name, Buffer.concat([int32(Buffer.byteLength(value) + 1), Buffer.from(`${value}\0`)]));
}

/** Integers are written as 32-bit integers. */
export function writeDocument(content: Readonly<Record<string, number | boolean | string>>): Buffer {
  const elements = Buffer.concat(Object.entries(content).map(([name, value]) => written(name, value)));
  return Buffer.concat([int32(elements.length + 5), elements, Buffer.from([0])]);
}
