import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { readPicture } from './picture';
import { jpegOf, pngChunk, pngOf } from './testing/pictures';

const png = pngOf(40, 20);

it('reads the size of PNG and JPEG pictures', async () => {
  expect(await readPicture('image/png', png, 'tenant 1')).toMatchObject({
    mediaType: 'image/png',
    width: 40,
    height: 20,
  });
  const jpeg = jpegOf(40, 20);
  const sha256 = createHash('sha256').update(jpeg).digest();
  const picture = { mediaType: 'image/jpeg', width: 40, height: 20, sha256, content: jpeg };
  expect(await readPicture('image/jpeg', jpeg, 'tenant 1')).toEqual(picture);
});

const changed = (at: number): Buffer => {
  const copy = Buffer.from(png);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
};

/** A header that announces this bit depth, and the pixels for it. */
function withDepth(depth: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29));
  header.writeUInt8(depth, 8);
  const pixels = deflateSync(Buffer.alloc(20 * (40 * (depth / 8) + 1)));
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([png.subarray(0, 8), ...chunks]);
}

/** A header that announces 40 x 20 pixels, and other pixels. */
const withPixels = (bytes: number): Buffer =>
  Buffer.concat([
    png.subarray(0, 33),
    pngChunk('IDAT', deflateSync(Buffer.alloc(bytes))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);

it.each([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'it does not begin with the signature'],
  ['a JPEG', jpegOf(40, 20), 'it does not begin with the signature'],
  ['the signature alone', png.subarray(0, 8), 'it has no header'],
  ['a truncated file', png.subarray(0, -5), 'it ends before it is complete'],
  ['a file without its end', png.subarray(0, -12), 'it ends before it is complete'],
  ['a file with data after its end', Buffer.concat([png, Buffer.from('<script>')]), 'more data follows its end'],
  ['a wrong checksum', changed(png.length - 20), 'a checksum is wrong'],
  ['a bit depth that no picture has', withDepth(248), 'its bit depth is unknown'],
  ['too few pixels', withPixels(100), 'its pixels are damaged'],
  ['more pixels than announced', withPixels(50_000_000), 'its pixels are damaged'],
])('refuses as PNG: %s', async (_name, content, why) => {
  await expect(readPicture('image/png', content, 'tenant 1')).rejects.toThrow(why);
});

it.each([
  ['a PNG', png, 'it does not begin with the signature'],
  ['a truncated file', jpegOf(40, 20).subarray(0, -2), 'it ends before it is complete'],
  ['colors of print', jpegOf(40, 20, 4), 'its colors must be grey or RGB, not CMYK'],
  ['no frame', Buffer.from('ffd8ffda0002ffd9', 'hex'), 'it has no frame that viewers support'],
  ['a damaged structure', Buffer.from('ffd80000000000ffd9', 'hex'), 'its structure is damaged'],
])('refuses as JPEG: %s', async (_name, content, why) => {
  await expect(readPicture('image/jpeg', content, 'tenant 1')).rejects.toThrow(why);
});

it.each([
  ['image/png', pngOf(15, 20), '15 x 20'],
  ['image/png', pngOf(2_001, 20), '2001 x 20'],
  ['image/jpeg', jpegOf(20, 2_001), '20 x 2001'],
] as const)('refuses a picture that is too small or too large: %s', async (mediaType, content, size) => {
  await expect(readPicture(mediaType, content, 'tenant 1')).rejects.toThrow(`The picture has ${size} pixels.`);
});

it('reads larger pictures with other limits, which bound their pixels and their parts', async () => {
  const limits = { least: 1, most: 3_000, pixels: 4_000_000 };
  expect(await readPicture('image/png', pngOf(3_000, 1_000), 'tenant 1', limits)).toMatchObject({ width: 3_000 });
  await expect(readPicture('image/png', pngOf(3_000, 2_000), 'tenant 1', limits)).rejects.toThrow(
    'has 3000 x 2000 pixels',
  );
  const parts = Array.from({ length: 10_001 }, () => pngChunk('tEXt', Buffer.alloc(0)));
  const many = Buffer.concat([png.subarray(0, 33), ...parts, png.subarray(33)]);
  await expect(readPicture('image/png', many, 'tenant 1', limits)).rejects.toThrow('it has too many parts');
  const segments = Buffer.alloc(4 * 10_001, Buffer.from('fffe0002', 'hex'));
  const jpeg = Buffer.concat([jpegOf(40, 20).subarray(0, 2), segments, jpegOf(40, 20).subarray(2)]);
  await expect(readPicture('image/jpeg', jpeg, 'tenant 1', limits)).rejects.toThrow('it has too many parts');
});

it('keeps no pixels in memory of small files that have many', async () => {
  const header = Buffer.from(pngOf(2_000, 2_000).subarray(16, 29));
  header.writeUInt8(16, 8);
  header.writeUInt8(6, 9);
  const pixels = deflateSync(Buffer.alloc(2_000 * (2_000 * 8 + 1)));
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))];
  const large = Buffer.concat([png.subarray(0, 8), ...chunks]);
  const used = (): number => process.memoryUsage().arrayBuffers;
  const before = used();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, used() - before)), 1);
  await Promise.all(Array.from({ length: 4 }, () => readPicture('image/png', large, 'tenant 1')));
  clearInterval(watch);
  // All pixels of the four are 128 MB. How soon unused pieces are freed depends on the process.
  expect(most).toBeLessThan(64_000_000);
});

it('does not let the pictures of one tenant delay that of another', async () => {
  const large = pngOf(2_000, 2_000);
  const order: string[] = [];
  const read = async (tenant: string): Promise<void> => {
    await readPicture('image/png', large, tenant);
    order.push(tenant);
  };
  await Promise.all([...Array.from({ length: 10 }, () => read('many')), read('one')]);
  expect(order.indexOf('one')).toBeLessThan(3);
});
