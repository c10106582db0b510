import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32, createInflate } from 'node:zlib';
import { invalid } from './domain-error';
import { FairSlots } from './fair-slots';

export const PICTURE_MEDIA_TYPES = ['image/png', 'image/jpeg'] as const;
export type PictureMediaType = (typeof PICTURE_MEDIA_TYPES)[number];

export const MAX_PICTURE_BYTES = 256 * 1024;
/** Of the width and of the height. */
export const MAX_PICTURE_PIXELS = 2_000;
export const MIN_PICTURE_PIXELS = 16;

/** A picture that is stored with its size in pixels. */
export interface Picture {
  readonly mediaType: PictureMediaType;
  readonly width: number;
  readonly height: number;
  readonly sha256: Buffer;
  readonly content: Buffer;
}

type Size = Pick<Picture, 'width' | 'height'>;

/** How much memory a picture may need where it is shown. */
export interface PictureLimits {
  readonly least: number;
  /** Of the width and of the height. */
  readonly most: number;
  /** Of all its pixels. */
  readonly pixels?: number;
}

const SMALL: PictureLimits = { least: MIN_PICTURE_PIXELS, most: MAX_PICTURE_PIXELS };

/** Parts of a file. Reading millions of empty ones would block the process. */
const MAX_PARTS = 10_000;

/**
 * A picture that viewers can show. It reads the structure of the whole file, so that nothing but one complete picture is stored,
 * and refuses SVG, which can have scripts.
 */
export async function readPicture(
  mediaType: string,
  content: Buffer,
  tenant: string,
  limits = SMALL,
): Promise<Picture> {
  const isPng = mediaType === 'image/png';
  const { width, height } = isPng ? await sizeOfPng(content, tenant, limits) : sizeOfJpeg(content, limits);
  const sha256 = createHash('sha256').update(content).digest();
  return { mediaType: isPng ? 'image/png' : 'image/jpeg', width, height, sha256, content };
}

/** The type of a picture that begins with these bytes; null if it is none. */
export function pictureTypeAt(start: Buffer): PictureMediaType | null {
  if (start.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png';
  return start.length > 2 && start.readUIntBE(0, 3) === 0xffd8ff ? 'image/jpeg' : null;
}

/** What an audit entry says of a picture. */
export const factsOfPicture = ({ mediaType, width, height, sha256, content }: Picture) => ({
  media_type: mediaType,
  width,
  height,
  size: content.length,
  sha256: sha256.toString('hex'),
});

const refusal = (format: 'PNG' | 'JPEG', why: string) => invalid(`The body is not a ${format} picture: ${why}.`);

function requireSize({ width, height }: Size, { least, most, pixels = most ** 2 }: PictureLimits): void {
  const isAllowed = (side: number): boolean => side >= least && side <= most;
  if (isAllowed(width) && isAllowed(height) && width * height <= pixels) return;
  throw invalid(
    `The picture has ${width} x ${height} pixels. Its width and its height must be from ${least} to ${most} pixels.`,
  );
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Samples of one pixel, by color type. */
const PNG_SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Rows of an interlaced picture have up to seven more filter bytes and paddings. */
const INTERLACE_PASSES = 7;

async function sizeOfPng(content: Buffer, tenant: string, limits: PictureLimits): Promise<Size> {
  if (!content.subarray(0, 8).equals(PNG_SIGNATURE)) throw refusal('PNG', 'it does not begin with the signature');
  const chunks = [...pngChunks(content)];
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw refusal('PNG', 'it has no header');
  if (chunks.at(-1)?.type !== 'IEND') throw refusal('PNG', 'it ends before it is complete');
  const size = { width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) };
  requireSize(size, limits);
  await requirePixels(header.data, size, chunks, tenant);
  return size;
}

interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Ends with IEND, after which nothing may follow. */
function* pngChunks(content: Buffer): Generator<PngChunk, undefined> {
  for (let at = 8, parts = 1; at < content.length; parts++) {
    if (parts > MAX_PARTS) throw refusal('PNG', 'it has too many parts');
    const length = at + 12 <= content.length ? content.readUInt32BE(at) : Infinity;
    const end = at + 12 + length;
    if (end > content.length) throw refusal('PNG', 'it ends before it is complete');
    const type = content.toString('latin1', at + 4, at + 8);
    if (crc32(content.subarray(at + 4, end - 4)) !== content.readUInt32BE(end - 4))
      throw refusal('PNG', 'a checksum is wrong');
    if (type === 'IEND' && end < content.length) throw refusal('PNG', 'more data follows its end');
    yield { type, data: content.subarray(at + 8, end - 4) };
    at = end;
  }
}

/** One picture after the other: a small one may have 32 MB of pixels. Tenants with pictures take turns. */
const slots = new FairSlots(1);

/** How long it is decompressed, or `most + 1` if it is longer. Nothing of it is kept. */
async function inflatedLength(compressed: Buffer, most: number): Promise<number> {
  let length = 0;
  for await (const chunk of Readable.from([compressed]).pipe(createInflate())) {
    length += (chunk as Buffer).length;
    if (length > most) return most + 1;
  }
  return length;
}

/** Decompresses the pixels, at most as many as the header announces. */
async function requirePixels(
  header: Buffer,
  { width, height }: Size,
  chunks: readonly PngChunk[],
  tenant: string,
): Promise<void> {
  const samples = PNG_SAMPLES[header.readUInt8(9)];
  if (samples === undefined) throw refusal('PNG', 'its color type is unknown');
  // A larger depth would allow pixels of hundreds of megabytes.
  if (![1, 2, 4, 8, 16].includes(header.readUInt8(8))) throw refusal('PNG', 'its bit depth is unknown');
  const rowBytes = Math.ceil((width * samples * header.readUInt8(8)) / 8) + 1;
  const isInterlaced = header.readUInt8(12) === 1;
  const compressed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const most = rowBytes * height + (isInterlaced ? 2 * INTERLACE_PASSES * height : 0);
  try {
    const length = await slots.run(tenant, () => inflatedLength(compressed, most));
    if (length === most || (isInterlaced && length < most)) return;
  } catch {
    // Not compressed correctly, or more pixels than announced.
  }
  throw refusal('PNG', 'its pixels are damaged');
}

/** The frames that viewers support: baseline, extended and progressive. */
const JPEG_FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const START_OF_SCAN = 0xda;

function sizeOfJpeg(content: Buffer, limits: PictureLimits): Size {
  if (content.length < 4 || content.readUInt16BE(0) !== 0xffd8)
    throw refusal('JPEG', 'it does not begin with the signature');
  if (content.readUInt16BE(content.length - 2) !== 0xffd9) throw refusal('JPEG', 'it ends before it is complete');
  let size: Size | undefined;
  for (let at = 2, parts = 1; at + 4 <= content.length; parts++) {
    if (parts > MAX_PARTS) throw refusal('JPEG', 'it has too many parts');
    if (content.readUInt8(at) !== 0xff) throw refusal('JPEG', 'its structure is damaged');
    const marker = content.readUInt8(at + 1);
    const length = content.readUInt16BE(at + 2);
    if (JPEG_FRAMES.has(marker)) size = sizeOfFrame(content.subarray(at + 4, at + 2 + length));
    if (marker === START_OF_SCAN) {
      if (size === undefined) break;
      requireSize(size, limits);
      return size;
    }
    at += 2 + length;
  }
  throw refusal('JPEG', 'it has no frame that viewers support');
}

/** CMYK pictures have four components, and viewers disagree about their colors. */
function sizeOfFrame(frame: Buffer): Size {
  if (frame.length < 6) throw refusal('JPEG', 'its structure is damaged');
  const components = frame.readUInt8(5);
  if (components !== 1 && components !== 3) throw refusal('JPEG', 'its colors must be grey or RGB, not CMYK');
  return { width: frame.readUInt16BE(3), height: frame.readUInt16BE(1) };
}
