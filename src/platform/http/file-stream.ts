import type { ApiResponse } from '../api/api-request';
import { contentDisposition } from './content-disposition';
import { type LargeResponseLimit, tenantOf } from './large-response-limit';
import { streamResponse } from './streaming-response';

/** A file of any length as response. It is made while the client reads it, and counts as a large one. */
export class FileStream {
  constructor(
    private readonly name: string,
    private readonly contentType: string,
    private readonly texts: AsyncIterator<string, unknown>,
  ) {}

  async send(response: ApiResponse, limit: LargeResponseLimit): Promise<void> {
    const end = limit.begin(tenantOf(response));
    try {
      // Before the headers are sent, a failed read can still become an error response.
      const first = await this.texts.next();
      response.setHeader('Content-Type', this.contentType);
      response.setHeader('Content-Disposition', contentDisposition(this.name));
      if (response.req.method !== 'HEAD') return await streamResponse(first, this.texts, response);
      await this.texts.return?.();
      response.end();
    } finally {
      end();
    }
  }
}
