import { crc32, deflateSync } from 'node:zlib';

export function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** A grey PNG of this size. */
export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The structure of a JPEG of this size, without pixels. */
export function jpegOf(width: number, height: number, components = 3): Buffer {
  const frame = Buffer.alloc(10 + 3 * components);
  frame.writeUInt16BE(0xffc0, 0);
  frame.writeUInt16BE(frame.length - 2, 2);
  frame.writeUInt8(8, 4);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  frame.writeUInt8(components, 9);
  return Buffer.concat([Buffer.from('ffd8', 'hex'), frame, Buffer.from('ffda0002', 'hex'), Buffer.from('ffd9', 'hex')]);
}
