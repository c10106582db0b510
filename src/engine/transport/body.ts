import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import * as zlib from 'node:zlib';
import { ExchangeError } from './exchange';

type Decoder = (options: { readonly params: Readonly<Record<number, number>> }) => Transform;

/** Node has it since 22.15, but the types do not declare it yet. */
const { createZstdDecompress: createZstd } = zlib as { readonly createZstdDecompress?: Decoder };

/** `ZSTD_d_windowLogMax`: a window takes memory of this process, so it is limited to 8 MiB, as in browsers. */
const ZSTD_WINDOW: Readonly<Record<number, number>> = { 100: 23 };

const DECODERS = new Map<string, () => Transform>([
  ['gzip', zlib.createGunzip],
  ['x-gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
]);
if (createZstd !== undefined) DECODERS.set('zstd', () => createZstd({ params: ZSTD_WINDOW }));

export const canDecode = (coding: string): boolean => DECODERS.has(coding);

/** Limits the compressed bytes: a stream that decompresses to nothing could be endless. */
class BoundedStream extends Transform {
  bytes = 0;

  constructor(private readonly most: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.most) done(new ExchangeError('too_large', `the response is larger than ${this.most} bytes`));
    else done(null, chunk);
  }
}

/** Yields the decompressed body in chunks, so that the reader can stop early. */
export async function* decompressed(raw: Readable, encoding: string, most: number): AsyncGenerator<Buffer> {
  const coding = encoding.trim().toLowerCase();
  if (coding === '' || coding === 'identity') {
    yield* raw;
    return;
  }
  const decoder = DECODERS.get(coding);
  if (decoder === undefined) {
    throw new ExchangeError(
      'protocol',
      `the content encoding of the response is not supported (${coding.slice(0, 40)})`,
    );
  }
  const packed = new BoundedStream(most);
  try {
    // The reader receives errors from the last stream.
    yield* pipeline(raw, packed, decoder(), () => {});
  } catch (error) {
    // A response without a body may still have a Content-Encoding header.
    if (packed.bytes > 0) throw error;
  }
}
