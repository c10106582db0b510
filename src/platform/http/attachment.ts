import { rangeNotSatisfiable } from '../../kernel/domain-error';
import type { ApiRequest, ApiResponse } from '../api/api-request';
import { type ByteRange, byteRangeOf, namesTag } from './byte-range';
import { contentDisposition } from './content-disposition';
import { streamResponse } from './streaming-response';
import type { MinimumSpeed } from './download-speed';

export interface AttachmentFacts {
  readonly contentType: string;
  /** As people call the file; what a file's name cannot hold is taken out. */
  readonly name: string;
  readonly size: number;
  /** Changes when the bytes do. */
  readonly digest: string;
  /** What else the answer says of itself. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The bytes of a range, piece by piece; each piece is asked for when the one before it has been taken. */
  read(range: ByteRange): AsyncIterable<Buffer>;
}

/**
 * An answer that is a file: sent piece by piece, as fast as it is taken, so that neither its size nor a slow reader costs
 * memory, and nothing of ours is held while somebody reads slowly.
 */
export class Attachment {
  constructor(private readonly facts: AttachmentFacts) {}

  async send(request: ApiRequest, response: ApiResponse, least: MinimumSpeed): Promise<void> {
    const { size } = this.facts;
    const { 'if-none-match': ifNoneMatch } = request.headers;
    if (namesTag(ifNoneMatch, this.tag)) {
      response.writeHead(304, { ETag: this.tag }).end();
      return;
    }
    const asked = this.requestedRange(request);
    if (asked === 'outside') {
      response.setHeader('Content-Range', `bytes */${size}`);
      throw rangeNotSatisfiable(size);
    }
    const isHead = request.method === 'HEAD';
    const range = asked ?? { from: 0, to: size - 1 };
    const pieces = isHead || size === 0 ? noPieces() : this.facts.read(range)[Symbol.asyncIterator]();
    // What cannot be read is an error as long as nothing has been said.
    const first = await pieces.next();
    response.writeHead(asked === null ? 200 : 206, this.headers(range, asked !== null));
    await streamResponse(first, pieces, response, least);
  }

  private get tag(): string {
    return `"${this.facts.digest}"`;
  }

  /** A range is of GET alone; and where it goes with If-Range, only of the very file that is named there. */
  private requestedRange({ method, headers }: ApiRequest): ByteRange | 'outside' | null {
    const { range, 'if-range': ifRange } = headers;
    if (method !== 'GET' || (ifRange !== undefined && ifRange !== this.tag)) return null;
    return byteRangeOf(range, this.facts.size);
  }

  private headers({ from, to }: ByteRange, isPart: boolean): Record<string, string | number> {
    const { contentType, name, size, headers } = this.facts;
    return {
      ...headers,
      'Content-Type': contentType,
      'Content-Length': to - from + 1,
      'Content-Disposition': contentDisposition(name),
      'Accept-Ranges': 'bytes',
      ETag: this.tag,
      ...(isPart && { 'Content-Range': `bytes ${from}-${to}/${size}` }),
    };
  }
}

async function* noPieces(): AsyncGenerator<Buffer, undefined> {}
