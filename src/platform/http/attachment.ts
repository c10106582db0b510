import { rangeNotSatisfiable } from '../../kernel/domain-error';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { type ByteRange, byteRangeOf, namesTag } from './byte-range';
import { contentDisposition } from './content-disposition';
import { streamResponse } from './streaming-response';

export interface AttachmentFacts {
  readonly contentType: string;
  /** The name of the file. Characters that file names must not contain are removed. */
  readonly name: string;
  /** Shown by the browser instead of saved. */
  readonly isInline?: boolean;
  readonly size: number;
  /** Changes when the bytes do. */
  readonly digest: string;
  /** Additional response headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The bytes of a range in pieces. The next piece is requested when the client has received the previous one. */
  read(range: ByteRange): AsyncIterable<Buffer>;
}

/** A file as response. It is sent in pieces, as fast as the client reads, so that it needs little memory. */
export class Attachment {
  constructor(private readonly facts: AttachmentFacts) {}

  async send(request: ApiRequest, response: ApiResponse): Promise<void> {
    const { size } = this.facts;
    const { 'if-none-match': ifNoneMatch } = request.headers;
    if (namesTag(ifNoneMatch, this.tag)) {
      response.writeHead(304, { ETag: this.tag }).end();
      return;
    }
    const requested = this.requestedRange(request);
    if (requested === 'outside') {
      response.setHeader('Content-Range', `bytes */${size}`);
      throw rangeNotSatisfiable(size);
    }
    const isHead = request.method === 'HEAD';
    const range = requested ?? { from: 0, to: size - 1 };
    const pieces = isHead || size === 0 ? noPieces() : this.facts.read(range)[Symbol.asyncIterator]();
    // Before the headers are sent, a failed read can still become an error response.
    const first = await pieces.next();
    response.writeHead(requested === null ? 200 : 206, this.headers(range, requested !== null));
    await streamResponse(first, pieces, response);
  }

  get tag(): string {
    return `"${this.facts.digest}"`;
  }

  /** Only GET supports ranges. With If-Range, the entity tag must match. */
  private requestedRange({ method, headers }: ApiRequest): ByteRange | 'outside' | null {
    const { range, 'if-range': ifRange } = headers;
    if (method !== 'GET' || (ifRange !== undefined && ifRange !== this.tag)) return null;
    return byteRangeOf(range, this.facts.size);
  }

  private headers({ from, to }: ByteRange, isPart: boolean): Record<string, string | number> {
    const { contentType, name, isInline = false, size, headers } = this.facts;
    return {
      ...headers,
      'Content-Type': contentType,
      'Content-Length': to - from + 1,
      'Content-Disposition': isInline ? 'inline' : contentDisposition(name),
      'Accept-Ranges': 'bytes',
      ETag: this.tag,
      ...(isPart && { 'Content-Range': `bytes ${from}-${to}/${size}` }),
    };
  }
}

async function* noPieces(): AsyncGenerator<Buffer, undefined> {}

const PIECE_BYTES = 64 * 1024;

/** A range of a file that is in memory. */
export async function* piecesOf(content: Buffer, { from, to }: ByteRange): AsyncGenerator<Buffer> {
  for (let start = from; start <= to; start += PIECE_BYTES)
    yield content.subarray(start, Math.min(start + PIECE_BYTES, to + 1));
}
